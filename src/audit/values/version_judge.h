// SPDX-License-Identifier: Apache-2.0
// Checks versions: the minimum of a tool against the build files and the README of the project that
// the text is about, and since when a name of CMake exists against CMake's own help.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "audit/family.h"
#include "audit/number_judge.h"
#include "audit/values/requirements.h"
#include "audit/values/version_claims.h"
#include "audit/witness.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

class VersionJudge {
 public:
  explicit VersionJudge(const Witness& witness) : witness_(witness), requirements_(witness) {}

  std::vector<JudgedNumber> Judge(const statement::Statement& statement, const Topic& topic) const;

 private:
  statement::Judgement JudgeRequirement(const statement::Statement& statement,
                                        const VersionClaim& claim, const Topic& topic) const;
  std::optional<std::size_t> SourceOfFiles(const statement::Statement& statement) const;
  statement::Judgement JudgeSince(const VersionClaim& claim, const Topic& topic) const;
  std::vector<Requirement> FindSince(std::size_t cmake, const VersionClaim& claim) const;
  statement::Judgement Compare(const VersionClaim& claim, const std::vector<Requirement>& found,
                               std::size_t most_values) const;
  std::optional<std::size_t> CMakeSource() const;

  const Witness& witness_;
  Requirements requirements_;
};

}  // namespace sibyl::audit
