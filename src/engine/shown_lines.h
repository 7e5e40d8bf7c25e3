// SPDX-License-Identifier: Apache-2.0
// Long lines of sources, as answers show them. Minified code and encoded data
// say nothing to a reader, and one such line would fill an answer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sibyl::engine {

inline constexpr std::size_t kLongestShownLine = 1'000;
inline constexpr std::size_t kShownOfLongLine = 300;

/// kShownOfLongLine bytes of a long line around `at`, and how long it is: "…abc… (9000
/// bytes)". A shorter line is returned as it is. Invalid UTF-8 is replaced if
/// something is cut.
std::string ShownLine(std::string_view line, std::size_t at = 0);

/// A line with a range of it that is marked.
struct MarkedLine {
  std::string text;
  std::size_t begin = 0;  ///< Bytes of `text`.
  std::size_t end = 0;
};

/// The line as ShownLine shows it around the range, as valid UTF-8; the range is where its bytes
/// are then. A carriage return within the line is shown as "␍".
MarkedLine ShownLineWithMark(std::string_view line, std::size_t begin, std::size_t end);

/// Every line of a text as ShownLine shows it.
std::string ShownLines(std::string_view text);

}  // namespace sibyl::engine
