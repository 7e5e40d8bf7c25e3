// SPDX-License-Identifier: Apache-2.0
// Scans tokens at the front of a string: case-insensitive words, numbers with
// thousands separators, dashes of all kinds. Hand-written because std::regex is
// slow and recurses on long lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::plan {

inline constexpr std::size_t kNowhere = std::string_view::npos;

inline bool IsSpace(char c) { return c == ' ' || c == '\t'; }
inline char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::string_view TrimLeft(std::string_view text);

/// `word` must be lower case. The first letter is checked inline: most
/// comparisons end there.
bool StartsWithWholeWord(std::string_view text, std::string_view word);
inline bool StartsWithWord(std::string_view text, std::string_view word) {
  return !text.empty() && Lower(text[0]) == word[0] && StartsWithWholeWord(text, word);
}
/// Position of lower-case `word` in `text`, ignoring case, or npos.
std::size_t FindIgnoringCase(std::string_view text, std::string_view word, std::size_t from = 0);
/// Like FindIgnoringCase, but only as a whole word, without a letter or digit on either side.
std::size_t FindWord(std::string_view text, std::string_view word, std::size_t from = 0);
inline bool ContainsIgnoringCase(std::string_view text, std::string_view word) {
  return FindIgnoringCase(text, word) != std::string_view::npos;
}

/// Which marker characters a text has, in one pass; most lines have none, and
/// need not be scanned for queries, links or paths.
enum Sign : unsigned {
  kSlash = 1,    // /
  kQuote = 2,    // " ` ' and the first byte of curly quotes
  kColon = 4,    // : =
  kBracket = 8,  // ( {
  kDot = 16,     // .
  kHyphen = 32,  // - _
};
unsigned SignsOf(std::string_view text);

/// Length of a dash at the front: "-", "–" or "—"; zero if there is none.
std::size_t DashLength(std::string_view text);
/// Removes emoji, Markdown emphasis and space from the front.
std::string_view SkipDecoration(std::string_view text);
/// Removes emphasis, backticks, check-mark emoji and space from both ends.
std::string CleanText(std::string_view text);

struct Number {
  std::size_t value = 0;
  std::size_t length = 0;  ///< Bytes that were read.
};
/// Digits, "1,600" included; nothing if there is no digit or the number has
/// more than nine digits.
std::optional<Number> TakeNumber(std::string_view text);

}  // namespace sibyl::plan
