// SPDX-License-Identifier: Apache-2.0
// UTF-8: is it valid, which character is next, how wide is it on a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl {

/// The offset of the first byte that is not UTF-8 (overlong forms, surrogates
/// and what lies beyond U+10FFFF included); nothing if all of it is.
std::optional<std::size_t> FindInvalidUtf8(std::string_view text);

/// A character and the bytes it takes; an invalid byte is one byte of U+FFFD.
struct Utf8Character {
  char32_t code_point = 0;
  std::size_t bytes = 0;
  bool is_valid = true;
};

/// The character that begins `text`, which is not empty.
Utf8Character DecodeUtf8(std::string_view text);

/// A copy in which each invalid byte became U+FFFD.
std::string ReplaceInvalidUtf8(std::string_view text);

/// Columns on a terminal: 2 for wide East Asian characters and emoji, 0 for
/// combining marks, joiners and controls. Good enough for tables; a sequence
/// of emoji joined to one picture counts as its parts.
std::size_t DisplayWidth(std::string_view text);
std::size_t DisplayWidth(char32_t code_point);

/// At most `columns` wide; what does not fit gives way to "…" in the middle,
/// since the two ends of a path say the most.
std::string ElideMiddle(std::string_view text, std::size_t columns);

}  // namespace sibyl
