// SPDX-License-Identifier: Apache-2.0
// Values and defaults: "X is off by default", "`kDepth` is 64", against the
// definitions in the cited lines (passages/cards.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "passages/cards.h"
#include "support/quantity.h"
#include "support/tokens.h"

namespace sibyl::support {

struct ValueFinding {
  bool holds = false;
  bool is_sure = false;  ///< Otherwise only a doubt.
  std::string message;   ///< "SHM_DISABLE is 0 in the cited lines"
  std::string nearest;   ///< "SHM_DISABLE = 0"
};

/// A statement, read.
struct ReadStatement {
  std::string_view text;
  const std::vector<Token>& tokens;
  const std::vector<Quantity>& numbers;
};

/// One for each definition that the statement is about and gives a value.
std::vector<ValueFinding> JudgeValues(const ReadStatement& statement,
                                      const std::vector<passages::Card>& cards,
                                      const UnitHints& hints, Tokenizer& tokenizer);

/// Whether a statement speaks of a default: "by default", "unless told
/// otherwise", "out of the box".
bool SpeaksOfDefault(std::string_view text);

}  // namespace sibyl::support
