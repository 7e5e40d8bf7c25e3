// SPDX-License-Identifier: Apache-2.0
// Judges whether an owner has the member that a text gives it.
#pragma once

#include <optional>
#include <string_view>

#include "audit/owners/member_claim.h"
#include "audit/owners/owner.h"
#include "audit/witness.h"
#include "statement/verdict.h"

namespace sibyl::audit {

/// Thread-safe.
class MemberJudge {
 public:
  /// Both must outlive it.
  MemberJudge(const Witness& witness, const Families& families)
      : witness_(witness), owners_(witness, families) {}

  /// Nothing if it is not decidable; without its place otherwise.
  std::optional<statement::Judgement> Judge(const MemberClaim& claim, const Topic& topic) const;

  /// For "Owner::member" and "module.Owner.member".
  std::optional<statement::Judgement> JudgeQualified(std::string_view name,
                                                     const Topic& topic) const;

  const Owners& owners() const { return owners_; }

 private:
  bool IsGivenElsewhere(const MemberClaim& claim, std::size_t source) const;

  const Witness& witness_;
  Owners owners_;
};

}  // namespace sibyl::audit
