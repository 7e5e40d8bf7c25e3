// SPDX-License-Identifier: Apache-2.0
// The result of resolving a citation that is not of source lines.
#pragma once

#include <optional>
#include <string>

#include "evidence/citation.h"
#include "statement/verdict.h"

namespace sibyl::gate {

struct OtherAnswer {
  statement::Verdict verdict = statement::Verdict::kUndecidable;
  std::string text = {};     ///< The cited words, if supported or stale.
  std::string message = {};  ///< As in a Judgement, and so the rest.
  std::string nearest = {};
  std::string where = {};
  std::string reason = {};
  std::string path = {};     ///< Of a page, in the tree of its pin.
  std::string context = {};  ///< Of a page: see Receipt::context.
  /// A line in or around the cited words that is a prompt injection; see
  /// injection/instruction.h.
  std::string instruction = {};
  /// The same words in the currently pinned page, if they occur there once.
  std::optional<evidence::WebCitation> renewed = {};
};

}  // namespace sibyl::gate
