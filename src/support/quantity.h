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

struct Quantity {
  double digits = 0;  ///< As it is written.
  double value = 0;   ///< In the base unit, if it has one.
  statement::Dimension dimension = statement::Dimension::kNone;
  std::string version;      ///< "12.8.1", "9.0": as it is written, if it has a point.
  std::string noun;         ///< The next word, lower case.
  bool is_word = false;     ///< two, twice, both
  bool in_name = false;     ///< 16 of fp16
  bool is_derived = false;  ///< The value of an expression: 32 * 1024
  double suffix = 0;        ///< 1024 of "4K" in a source; zero if it has none.
  bool minutes = false;     ///< "15m"
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// All numbers of a text, in order; of source text also the values of the
/// products and shifts in it.
std::vector<Quantity> ReadQuantities(std::string_view text, bool is_source);

enum class QuantityFit : std::uint8_t {
  kSame,
  kDoubtful,  ///< The digits are there, but the unit is not certain.
  kNone,
};

/// Words of the cited text that say in which unit its bare numbers are.
struct UnitHints {
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

/// The best fit of all, and the quantity that fits.
struct QuantityMatch {
  QuantityFit fit = QuantityFit::kNone;
  const Quantity* source = nullptr;
};
QuantityMatch Match(const Quantity& said, const std::vector<Quantity>& source,
                    const UnitHints& hints);

}  // namespace sibyl::support
