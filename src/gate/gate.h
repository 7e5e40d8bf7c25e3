// SPDX-License-Identifier: Apache-2.0
// Start here: the gate. Takes a draft; returns a Verified, or the draft with
// its failures. Nothing else can construct a Verified, and the library
// publishes nothing else.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "draft/draft.h"
#include "gate/knowledge.h"
#include "gate/verified.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// Of good writing, a quarter is not decided (docs/quality.md).
inline constexpr double kMaxUndecided = 0.6;

struct GateInputs {
  const CitationResolver& resolver;
  OraclePages& oracle;  ///< Where relative links lead; gets the draft's own page.
  OtherResolver other = {};
  /// A draft with a larger share of statements that are not decided is refused.
  double max_undecided = kMaxUndecided;
};

struct GateResult {
  std::optional<Verified> verified;
  /// If it did not pass: the failures, for the writer to repair.
  std::optional<draft::Draft> refused;
  std::vector<statement::Judgement> failures;

  bool passed() const { return verified.has_value(); }
};

class Gate {
 public:
  /// All checks of docs/formats/gate.md but those that need an index or a
  /// compiler. Undecidable statements do not stop a draft; a source that is
  /// missing from the store does, with an error (kUnavailable), since no
  /// statement that cites it could be checked.
  static Result<GateResult> Check(draft::Draft draft, const GateInputs& inputs);
};

}  // namespace sibyl::gate
