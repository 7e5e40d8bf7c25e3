// SPDX-License-Identifier: Apache-2.0
// Narrow formats by their definitions (IEEE 754, OCP 8-bit floating point), in exact arithmetic on
// double.
#pragma once

#include <vector>

#include "precision/precision.h"

namespace sibyl::lab::precision {

struct Definition {
  const char* name;
  int fraction_bits;
  int least_exponent;  ///< Of normal numbers.
  double largest;
  bool overflows;     ///< To infinity; otherwise conversions stop at the largest.
  bool ties_to_even;  ///< Otherwise away from zero.
};
const Definition& DefinitionOf(Format format);

/// What x becomes. x must be finite.
double Rounded(const Definition& format, double x);

double Epsilon(const Definition& format);  ///< The distance from 1 to the next number.
double SmallestNormal(const Definition& format);
double Smallest(const Definition& format);  ///< The smallest number above zero.

/// Non-negative inputs that try every rounding: numbers of the format (all, when there are at most
/// 2^16), the middles between neighbours, and the floats just below and above those; what
/// overflows, too.
std::vector<float> AwkwardInputs(const Definition& format);

}  // namespace sibyl::lab::precision
