// SPDX-License-Identifier: Apache-2.0
// The pieces of a sentence in which a value is looked for: code spans, quoted words, plain words,
// marks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "statement/statement.h"

namespace sibyl::audit {

struct Piece {
  enum class Kind : std::uint8_t { kCode, kQuoted, kWord, kMark };
  Kind kind = Kind::kMark;
  std::string_view text;  ///< Of the statement.
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// In order; the statement must outlive them. Takes linear time.
std::vector<Piece> SplitPieces(const statement::Statement& statement);

/// The piece in lower case; empty for code, and after the end.
std::string LowerPiece(const std::vector<Piece>& pieces, std::size_t i);

/// "max_steps", "--max-steps", "torch.optim.AdamW"
bool IsValueName(std::string_view text);

/// True, OFF, None, enabled …
bool IsSwitchWord(std::string_view text);

/// "25", "-1"
bool IsNumberWord(std::string_view text);

}  // namespace sibyl::audit
