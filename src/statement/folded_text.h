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

namespace sibyl::statement {

enum class Folding : std::uint8_t {
  kSpace,      ///< Prose: white space to one blank, typographic marks to ASCII.
  kMarks,      ///< Also without comment marks and the markup of prose.
  kCode,       ///< No white space but between two words.
  kPlainCode,  ///< Also without lines that are only a comment.
};

class FoldedText {
 public:
  FoldedText(std::string_view text, Folding folding);

  const std::string& text() const { return text_; }

  /// Where `piece`, folded in the same way, stands at or after `from`. A piece
  /// that begins or ends with a word begins and ends with a whole one.
  std::optional<std::size_t> Find(std::string_view piece, std::size_t from = 0) const;

  /// The line of the unfolded text, from one, of a byte of the folded one.
  std::size_t LineAt(std::size_t offset) const;

 private:
  std::string text_;
  std::vector<std::size_t> line_starts_;  // in text_
};

/// A line that is nothing but a comment, in any of the languages we meet; a
/// preprocessor line is none.
bool IsCommentLine(std::string_view line);

/// A line that stands for lines left out: "...", "# [...]", "/* … */".
bool IsEllipsisLine(std::string_view line);

/// Letters, digits, '_' and every byte of a character beyond ASCII.
bool IsWordByte(char letter);

}  // namespace sibyl::statement
