// SPDX-License-Identifier: Apache-2.0
// The proof that a draft has passed the gate. Only the gate can construct one
// (gate/gate.h), and the library publishes nothing else.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/result.h"
#include "draft/draft.h"
#include "statement/verdict.h"

namespace sibyl::gate {

class Gate;
class TestVerified;

class Verified {
 public:
  const draft::Draft& draft() const { return draft_; }

  /// Citations that resolved to the bytes they name.
  std::size_t citations() const { return citations_; }

  /// Everything that was checked and is supported or undecidable.
  const std::vector<statement::Judgement>& judgements() const { return judgements_; }

 private:
  friend class Gate;
  friend class TestVerified;  // gate/test_verified.h; product code may not name it
  Verified(draft::Draft draft, std::size_t citations, std::vector<statement::Judgement> judgements)
      : draft_(std::move(draft)), citations_(citations), judgements_(std::move(judgements)) {}

  draft::Draft draft_;
  std::size_t citations_ = 0;
  std::vector<statement::Judgement> judgements_;
};

}  // namespace sibyl::gate
