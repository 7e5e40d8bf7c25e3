// SPDX-License-Identifier: Apache-2.0
// The words of a paragraph, before its language is known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "injection/instruction_roles.h"

namespace sibyl::injection {

struct WrittenWord {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t position = 0;
  std::uint32_t sentence = 0;
  std::uint32_t line = 0;
  Roles place = 0;  ///< kStart, kQuoted, kMarkup, kVocative.
  /// In Chinese, Japanese, Korean and Arabic: a hash of the letter, or of the Arabic
  /// word, and the roles of words of the lists that begin there.
  bool is_joined = false;
  std::uint32_t letter = 0;
  Roles joined_roles = 0;
};

struct WrittenWords {
  std::string lower;  ///< `begin` and `end` refer to this.
  std::vector<WrittenWord> words;
  std::uint32_t sentences = 0;
};

/// Scans one paragraph of folded text.
WrittenWords ScanWords(std::string_view text);

/// Identifies words: 32 bits of a 64-bit hash.
constexpr std::uint32_t ShortHash(std::uint64_t hash) {
  return static_cast<std::uint32_t>((hash ^ (hash >> 29U)) * 0xBF58476D1CE4E5B9ULL >> 32U);
}

}  // namespace sibyl::injection
