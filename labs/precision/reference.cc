// SPDX-License-Identifier: Apache-2.0
#include "precision/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sibyl::lab::precision {

const Definition& DefinitionOf(Format format) {
  static constexpr Definition kDefinitions[] = {
      {"fp16", 10, -14, 65504, true, true},         {"bf16", 7, -126, 0x1.fep127, true, true},
      {"tf32", 10, -126, 0x1.ffcp127, true, false}, {"e4m3", 3, -6, 448, false, true},
      {"e5m2", 2, -14, 57344, false, true},
  };
  return kDefinitions[static_cast<int>(format)];
}

double Epsilon(const Definition& format) { return std::ldexp(1, -format.fraction_bits); }
double SmallestNormal(const Definition& format) { return std::ldexp(1, format.least_exponent); }
double Smallest(const Definition& format) {
  return std::ldexp(1, format.least_exponent - format.fraction_bits);
}

double Rounded(const Definition& format, double x) {
  if (x == 0) return x;
  const int exponent = std::max(std::ilogb(x), format.least_exponent);
  const double quantum = std::ldexp(1, exponent - format.fraction_bits);
  // Both quotient and product are exact: quantum is a power of two.
  const double steps = x / quantum;
  const double whole = format.ties_to_even ? std::nearbyint(steps) : std::round(steps);
  const double rounded = whole * quantum;
  if (std::abs(rounded) <= format.largest) return rounded;
  const double limit = format.overflows ? std::numeric_limits<double>::infinity() : format.largest;
  return std::copysign(limit, x);
}

std::vector<float> AwkwardInputs(const Definition& format) {
  std::vector<float> inputs = {0};
  const auto add = [&](double value) {
    const auto middle = static_cast<float>(value);
    inputs.push_back(middle);
    inputs.push_back(std::nextafterf(middle, 0));
    inputs.push_back(std::nextafterf(middle, std::numeric_limits<float>::max()));
  };
  const int per_binade = 1 << format.fraction_bits;
  const int last = std::ilogb(format.largest);
  // Formats with float's range have too many binades to take every number of each.
  const int stride = last - format.least_exponent > 100 ? 7 : 1;
  for (int exponent = format.least_exponent; exponent <= last; ++exponent) {
    const int first = exponent == format.least_exponent ? 0 : per_binade;
    const double quantum = std::ldexp(1, exponent - format.fraction_bits);
    for (int steps = first; steps < 2 * per_binade; steps += stride) {
      const double number = steps * quantum;
      if (number > format.largest) break;
      inputs.push_back(static_cast<float>(number));
      add(number + quantum / 2);
    }
  }
  if (format.largest < 1e30) add(format.largest * 1.5);
  return inputs;
}

}  // namespace sibyl::lab::precision
