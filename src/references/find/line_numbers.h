// SPDX-License-Identifier: Apache-2.0
// Reads lists of line numbers: "12", "12-20", "L12–L20", "12, 34", "~120", "12:5".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/line_span.h"

namespace sibyl::references {

/// The rest of a longer list is not read.
inline constexpr std::size_t kMaxRangesOfList = 1'000;

/// Bytes of one range in the text that was read.
struct ReadRange {
  LineRange lines;
  std::size_t first_begin = 0;
  std::size_t first_end = 0;
  std::size_t last_begin = 0;  ///< Equal to last_end if there is only one number.
  std::size_t last_end = 0;
  bool is_approximate = false;
  /// Why no file has such lines: "0", "20-10". Empty: it may have them.
  std::string_view impossible = {};
};

struct LineNumbers {
  std::vector<ReadRange> ranges;
  std::size_t end = 0;  ///< After the last number, and after a column.
};

enum class NumberStyle : std::uint8_t {
  kColon,  ///< After "file:": a colon and a column may follow, spaces may not.
  kWords,  ///< After "lines": spaces, "and" and "to" may separate them.
};

/// The numbers at `at`; empty if there are none, or if they are something else
/// (a decimal, a percentage, a time).
LineNumbers ReadLineNumbers(std::string_view text, std::size_t at, NumberStyle style);

/// The byte at `at`; zero after the end.
constexpr char ByteAt(std::string_view text, std::size_t at) {
  return at < text.size() ? text[at] : '\0';
}

/// Bytes of a dash of any kind at `at`: hyphen, en dash, em dash, "..", "…"; zero if
/// there is none.
std::size_t DashLength(std::string_view text, std::size_t at);

/// Bytes of '~', '≈' or '≃' at `at`; zero if there is none.
std::size_t TildeLength(std::string_view text, std::size_t at);

}  // namespace sibyl::references
