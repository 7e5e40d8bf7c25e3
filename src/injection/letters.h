// SPDX-License-Identifier: Apache-2.0
// Unicode tables for instruction_fold.h: characters that look like ASCII
// letters, and invisible characters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sibyl::injection {

constexpr bool IsLatinLetter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Shows nothing: a soft hyphen, characters without width, direction controls.
bool IsInvisible(char32_t c);
bool IsCombiningMark(char32_t c);

/// The ASCII character that a full-width, mathematical, circled, squared or
/// small capital one represents; zero if it is none of these.
char32_t PlainLetter(char32_t c);

/// "e" for é, "ss" for ß, "fi" for the ligature; empty if it is not such a letter.
std::string_view AsciiOf(char32_t c);

/// Cyrillic and Greek in lower case, with ё as е; Arabic letters without hamza.
char32_t LowerLetter(char32_t c);
bool IsGreekOrCyrillic(char32_t c);

/// Half-width katakana as the usual ones; all others unchanged.
char32_t KanaOf(char32_t c);

/// Han, kana, Hangul and Arabic.
bool IsJoinedScript(char32_t c);

/// Rewrites a word of Latin letters and of Greek or Cyrillic ones that look like
/// Latin (or the reverse) in the one alphabet. True if the word was mixed.
bool Unmix(std::vector<char32_t>& word);

}  // namespace sibyl::injection
