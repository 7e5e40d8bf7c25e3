// SPDX-License-Identifier: Apache-2.0
// The 16-bit formats on the host, as bit patterns: references must not depend on the conversions
// they check. docs: IEEE 754 binary16; bfloat16 is the upper half of binary32.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sibyl::lab {

inline double HalfToDouble(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

inline float Bf16ToFloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// To nearest, ties to even. NaN stays NaN.
inline std::uint16_t FloatToBf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  const std::uint32_t odd = bits >> 16 & 1;
  return static_cast<std::uint16_t>((bits + 0x7fff + odd) >> 16);
}

}  // namespace sibyl::lab
