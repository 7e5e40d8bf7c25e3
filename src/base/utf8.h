// SPDX-License-Identifier: Apache-2.0
// UTF-8: is it valid, which character is next, how wide is it on a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl {

/// The offset of the first byte that is not UTF-8 (including overlong forms,
/// surrogates and code points beyond U+10FFFF); nothing if it is valid.
std::optional<std::size_t> FindInvalidUtf8(std::string_view text);

/// A character and the bytes it takes; an invalid byte is one byte of U+FFFD.
struct Utf8Character {
  char32_t code_point = 0;
  std::size_t bytes = 0;
  bool is_valid = true;
};

/// The first character of `text`, which must not be empty.
Utf8Character DecodeUtf8(std::string_view text);

/// Appends a character; U+FFFD for a surrogate or beyond U+10FFFF.
void AppendUtf8(char32_t code_point, std::string& out);

/// A copy in which each invalid byte became U+FFFD.
std::string ReplaceInvalidUtf8(std::string_view text);

/// Columns on a terminal: 2 for wide East Asian characters and emoji, 0 for
/// combining marks, joiners and controls. Good enough for tables; a sequence
/// of emoji joined to one picture counts as its parts.
std::size_t DisplayWidth(std::string_view text);
std::size_t DisplayWidth(char32_t code_point);

/// At most `columns` wide; shortened with "…" in the middle, since the two ends
/// of a path are the most informative.
std::string ElideMiddle(std::string_view text, std::size_t columns);

}  // namespace sibyl
