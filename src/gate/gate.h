// SPDX-License-Identifier: Apache-2.0
// Start here: the gate. A draft goes in; a Verified comes out, or the draft
// again with what does not hold. Nothing else can make a Verified, and the
// library publishes nothing else.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "draft/draft.h"
#include "gate/knowledge.h"
#include "gate/verified.h"
#include "statement/verdict.h"

namespace sibyl::gate {

struct GateInputs {
  const CitationResolver& resolver;
  OraclePages& oracle;  ///< Where relative links lead; gets the draft's own page.
  OtherResolver other = {};
};

struct GateResult {
  std::optional<Verified> verified;
  /// When it did not pass: what was refused, for the writer to repair.
  std::optional<draft::Draft> refused;
  std::vector<statement::Judgement> failures;

  bool passed() const { return verified.has_value(); }
};

class Gate {
 public:
  /// All checks of docs/formats/gate.md but those that need an index or a
  /// compiler. What is not decidable here does not stop a draft; a source that
  /// the store has lost does, as an error (kUnavailable): nothing could be said
  /// of any statement that cites it.
  static Result<GateResult> Check(draft::Draft draft, const GateInputs& inputs);
};

}  // namespace sibyl::gate
