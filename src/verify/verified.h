// SPDX-License-Identifier: Apache-2.0
// The proof that a draft has passed the gate. Only the gate can make one
// (verify/gate.h), and the library publishes nothing else.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/result.h"
#include "draft/draft.h"
#include "verify/verdict.h"

namespace sibyl::verify {

class Gate;

class Verified {
 public:
  const draft::Draft& draft() const { return draft_; }

  /// Citations that resolved to the bytes they name.
  std::size_t citations() const { return citations_; }

  /// Everything that was judged and holds, or is not decidable here.
  const std::vector<Judgement>& judgements() const { return judgements_; }

 private:
  friend class Gate;
  Verified(draft::Draft draft, std::size_t citations, std::vector<Judgement> judgements)
      : draft_(std::move(draft)), citations_(citations), judgements_(std::move(judgements)) {}

  draft::Draft draft_;
  std::size_t citations_ = 0;
  std::vector<Judgement> judgements_;
};

}  // namespace sibyl::verify
