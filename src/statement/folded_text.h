// SPDX-License-Identifier: Apache-2.0
// A text with everything folded away that copying may change. Two texts are
// folded in the same way and then compared byte for byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/whole_word.h"

namespace sibyl::statement {

enum class Folding : std::uint8_t {
  kSpace,      ///< Prose: white space to one blank, typographic marks to ASCII.
  kMarks,      ///< Also without comment marks and the markup of prose.
  kCode,       ///< White space only between two words.
  kPlainCode,  ///< Also without lines that are only a comment.
};

class FoldedText {
 public:
  FoldedText(std::string_view text, Folding folding);

  const std::string& text() const { return text_; }

  /// Where `piece`, folded in the same way, occurs at or after `from`, at word
  /// boundaries.
  std::optional<std::size_t> Find(std::string_view piece, std::size_t from = 0) const;

  /// The line of the unfolded text, from one, of a byte of the folded one.
  std::size_t LineAt(std::size_t offset) const;

 private:
  std::string text_;
  std::vector<std::size_t> line_starts_;  // in text_
};

/// A line that is only a comment, in any of the supported languages; a
/// preprocessor line is not one.
bool IsCommentLine(std::string_view line);

/// A line that represents omitted lines: "...", "# [...]", "/* … */".
bool IsEllipsisLine(std::string_view line);

using sibyl::IsWordByte;

}  // namespace sibyl::statement
