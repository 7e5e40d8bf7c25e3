// SPDX-License-Identifier: Apache-2.0
// Numbers in words: "sixteen", "sixty-four", "ten million", "2.5 million".
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "support/numbers/quantity.h"

namespace sibyl::support {

struct NumberWords {
  double value = 0;
  std::size_t end = 0;  ///< Of the last word.
};

/// The number that begins with the word at `begin`; nothing if it is not a
/// number word. "One" is not: it is a pronoun more often than a number.
std::optional<NumberWords> NumberWordsAt(std::string_view text, std::size_t begin);

/// `value` times the "thousand", "million" or "billion" that follows it.
NumberWords WithScale(NumberWords value, std::string_view text);

/// What the words before a number say of it: "roughly", "nearly", "over".
Rounding RoundingBefore(std::string_view text, std::size_t begin);

}  // namespace sibyl::support
