// SPDX-License-Identifier: Apache-2.0
// Numbers with units, read out of prose: "156 TFLOPS", "3.35TB/s", "48 KB",
// "1,979 TFLOP/s", "2-3x". Spellings and magnitudes are normalised, so that
// 0.156 PFLOPS and 156 TFLOP/s are one value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::statement {

enum class Dimension : std::uint8_t {
  kNone,  ///< A count of something; the something is `noun`.
  kBytes,
  kBytesPerSecond,
  kBitsPerSecond,
  kFlops,
  kOps,  ///< TOPS
  kHertz,
  kSeconds,
  kWatts,
  kPercent,
  kTimes,  ///< 2x
  kBits,
};

/// A unit as it is written, with its factor to the base unit of its dimension.
struct Unit {
  std::string_view name;
  Dimension dimension = Dimension::kNone;
  double factor = 1;
};

/// The longest unit that is written at `at`; nothing if a longer word begins
/// there.
std::optional<Unit> UnitAt(std::string_view text, std::size_t at);

struct Number {
  double value = 0;   ///< In the base unit: bytes, seconds, FLOPS.
  double upper = 0;   ///< Of a range, or equal to value.
  double digits = 0;  ///< As it is written, before the unit's magnitude.
  Dimension dimension = Dimension::kNone;
  std::string noun;       ///< Singular, lower case: "core", "thread", "lane"; only for kNone.
  bool is_about = false;  ///< "~", "about", "up to": no exact value is claimed.
  std::size_t offset = 0;
  std::size_t end = 0;
};

/// In the order of the text. Versions, dates, line numbers and parts of names
/// are not included.
std::vector<Number> ReadNumbers(std::string_view text);

/// The same quantity: by value, or by the same digits where only GB and GiB
/// were confused. Numbers of different dimensions never are.
bool SameQuantity(const Number& a, const Number& b);

/// Whether the two could be compared at all.
bool SameMeasure(const Number& a, const Number& b);

}  // namespace sibyl::statement
