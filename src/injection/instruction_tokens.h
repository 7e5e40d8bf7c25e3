// SPDX-License-Identifier: Apache-2.0
// The words of a paragraph with the roles they can have in an instruction.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "injection/instruction_roles.h"

namespace sibyl::injection {

struct Token {
  Roles roles = 0;
  std::uint32_t word = 0;  ///< A hash of the word; of one character in languages without spaces.
  std::uint32_t stem = 0;  ///< A hash of the prefix of a long word; zero for short ones.
  std::uint32_t position =
      0;  ///< In words; two characters count as one in languages without spaces.
  std::uint32_t sentence = 0;
  std::uint32_t line = 0;  ///< From zero.
  bool is_english = true;
};

struct Tokens {
  std::vector<Token> all;
  std::size_t leet = 0;  ///< Words with digits for letters, as in "1gn0r3".
  Roles roles = 0;       ///< Of all of them.
};

/// Reads one paragraph of folded text.
Tokens ReadTokens(std::string_view text);

}  // namespace sibyl::injection
