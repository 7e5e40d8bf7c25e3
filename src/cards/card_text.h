// SPDX-License-Identifier: Apache-2.0
// Names, values and arguments in source lines: what cards/cards.cc reads
// cards out of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::cards {

/// The longest call whose arguments are read, in bytes.
inline constexpr std::size_t kLongestCall = 2000;

inline bool IsQuote(char c) { return c == '"' || c == '\''; }

/// A name at `at`: a word, perhaps with points.
std::string_view CardNameAt(std::string_view text, std::size_t at);

/// The name that ends before `end`, blanks apart.
std::string_view CardNameBefore(std::string_view text, std::size_t end);

struct CardValue {
  std::string text;
  bool is_text = false;  ///< It was in quotes.
};

/// Without quotes, commas and what follows; at most 120 bytes.
CardValue CleanCardValue(std::string_view raw);

/// From `at` to the comma, semicolon, closing bracket, comment or line end that
/// ends a value.
std::string_view CardValueAt(std::string_view text, std::size_t at);

/// The colon of "name: type" before the sign at `at`; npos if there is none.
std::size_t TypeColon(std::string_view line, std::size_t at);

/// The arguments of the call whose parenthesis is at `open`; nothing if it is
/// not closed.
std::vector<std::string_view> CallArguments(std::string_view text, std::size_t open);

/// choices=["a", "b"], Literal["a", "b"], <a|b|c>, {a,b,c}: in the first 1,000
/// bytes.
std::vector<std::string> ChoicesIn(std::string_view around);

}  // namespace sibyl::cards
