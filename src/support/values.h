// SPDX-License-Identifier: Apache-2.0
// Values and defaults: "X is off by default", "`kDepth` is 64", against the
// definitions in the cited lines (cards/cards.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cards/cards.h"
#include "support/numbers/quantity.h"
#include "support/read_statement.h"
#include "support/tokens.h"

namespace sibyl::support {

struct ValueFinding {
  bool is_sure = false;  ///< Otherwise only a doubt.
  std::string message;   ///< "SHM_DISABLE is 0 in the cited lines"
  std::string nearest;   ///< "SHM_DISABLE = 0"
};

/// One for each definition that gives another value than the statement does.
std::vector<ValueFinding> JudgeValues(const ReadStatement& read,
                                      const std::vector<cards::Card>& cards,
                                      const EvidenceText& evidence, Tokenizer& tokenizer);

/// Whether a statement is about a default: "by default", "unless told
/// otherwise", "out of the box".
bool SpeaksOfDefault(std::string_view text);

}  // namespace sibyl::support
