// SPDX-License-Identifier: Apache-2.0
// What is said of a citation that is not of lines of a source.
#pragma once

#include <optional>
#include <string>

#include "evidence/citation.h"
#include "statement/verdict.h"

namespace sibyl::gate {

struct OtherAnswer {
  statement::Verdict verdict = statement::Verdict::kUndecidable;
  std::string text = {};     ///< The cited words; of what is supported or stale.
  std::string message = {};  ///< As in a Judgement, and so the rest.
  std::string nearest = {};
  std::string where = {};
  std::string reason = {};
  /// A line among or around the cited words that speaks to a model; see
  /// evidence/instruction.h.
  std::string instruction = {};
  /// The same words in the page as it is pinned now, where they stand in it once.
  std::optional<evidence::WebCitation> renewed = {};
};

}  // namespace sibyl::gate
