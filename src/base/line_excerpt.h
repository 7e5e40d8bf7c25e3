// SPDX-License-Identifier: Apache-2.0
// The excerpt of a line in Place::text of a finding. A line may have megabytes
// and thousands of findings: each keeps only the bytes around its column, so
// that memory and output are proportional to the number of findings.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace sibyl {

/// A line of at most so many bytes is carried whole.
inline constexpr std::size_t kWholeLineBytes = 400;
/// In a longer line, how many bytes before the column are shown, and at least as many after it.
inline constexpr std::size_t kExcerptReach = 200;

/// The finding's detail with Place::column in characters, if it differs and
/// cannot be counted from the excerpt.
inline constexpr std::string_view kCharacterColumn = "character_column";

/// How many bytes of the line are before Place::text. Derived from
/// Place::column, which refers to the whole line.
constexpr std::size_t ExcerptBegin(std::size_t column) {
  return column > kWholeLineBytes + 1 ? column - 1 - kExcerptReach : 0;
}

/// `column` counts bytes from one and is at most one past the line; zero if
/// unknown.
inline std::string LineExcerpt(std::string_view line, std::size_t column) {
  if (line.size() <= kWholeLineBytes) return std::string(line);
  constexpr std::size_t kLongestTail = 3;  // bytes of a UTF-8 character after its first
  const auto is_inside = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
  };
  const std::size_t begin = std::min(ExcerptBegin(column), line.size());
  const std::size_t at = column > 0 ? column - 1 : 0;
  std::size_t end = std::min(std::max(begin + kWholeLineBytes, at + kExcerptReach), line.size());
  for (std::size_t i = 0; i < kLongestTail && end < line.size() && is_inside(line[end]); ++i) --end;
  std::string text(line.substr(begin, end - begin));
  if (begin == 0) return text;
  // The rest of a character that was cut: blanks, since the column counts bytes.
  for (std::size_t i = 0; i < kLongestTail && i < text.size() && is_inside(text[i]); ++i) {
    text[i] = ' ';
  }
  return text;
}

}  // namespace sibyl
