// SPDX-License-Identifier: Apache-2.0
// Numbers, compared by what they mean: 4 KiB is 4096, 0.92 is 92 %, uint32_t is
// 32-bit, sm_90 is compute capability 9.0, 32 * 1024 * 1024 is 32 MiB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "statement/number.h"

namespace sibyl::support {

/// The word before a number that says how exact it is.
enum class Rounding : std::uint8_t {
  kNone,
  kNearest,  ///< roughly, about, ~
  kUp,       ///< nearly, almost
  kDown,     ///< over, more than
};

struct Quantity {
  double digits = 0;  ///< As it is written.
  double value = 0;   ///< In the base unit, if it has one.
  statement::Dimension dimension = statement::Dimension::kNone;
  std::string version;      ///< "12.8.1", "9.0": as it is written, if it has a point.
  std::string noun;         ///< The next word, lower case.
  bool is_word = false;     ///< two, twice, both
  bool in_name = false;     ///< 16 of fp16
  bool is_derived = false;  ///< The value of an expression: 32 * 1024
  bool in_product = false;  ///< A part of such an expression.
  bool is_power = false;    ///< 2^31-1, 10⁻⁸, 1 << 20
  double suffix = 0;        ///< 1024 of "4K" in a source; zero if it has none.
  double last_digit = 1;    ///< What its last digit counts, as it is written: 0.1 of "5.4".
  Rounding rounding = Rounding::kNone;  ///< Of a statement.
  bool minutes = false;                 ///< "15m"
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// All numbers of a text, in order; of source text also the values of the
/// products and shifts in it.
std::vector<Quantity> ReadQuantities(std::string_view text, bool is_source);

enum class QuantityFit : std::uint8_t {
  kSame,
  kDoubtful,  ///< The digits are there, but the unit is not certain.
  kRounded,   ///< The same with fewer digits, and no word says that it is rounded.
  kNone,
};

/// Words of the cited text that say in which unit its bare numbers are.
struct UnitHints {
  bool bits = false;
  bool bytes = false;
  bool kilo = false;
  bool mega = false;
  bool giga = false;
  bool milli = false;
  bool micro = false;
  bool nano = false;
  bool seconds = false;
};
UnitHints ReadUnitHints(std::string_view text);

QuantityFit Compare(const Quantity& said, const Quantity& source, const UnitHints& hints);

/// Whether one could stand in the place of the other: not a version and a count,
/// a size and a time.
bool AreOfOneUnit(const Quantity& one, const Quantity& other);

/// The best fit of all, and the quantity that fits.
struct QuantityMatch {
  QuantityFit fit = QuantityFit::kNone;
  const Quantity* source = nullptr;
};
QuantityMatch Match(const Quantity& said, const std::vector<Quantity>& source,
                    const UnitHints& hints);

}  // namespace sibyl::support
