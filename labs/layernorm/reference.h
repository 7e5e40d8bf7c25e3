// SPDX-License-Identifier: Apache-2.0
// Layer normalisation of one row in float64.
#pragma once

#include <span>
#include <vector>

namespace sibyl::lab::layernorm {

struct Normalised {
  double mean = 0;
  double inverse = 0;
  std::vector<double> h;  ///< (x - mean) inverse
};
Normalised ReferenceRow(std::span<const double> x, double epsilon);

/// dx of one row.
std::vector<double> ReferenceGradient(const Normalised& row, std::span<const double> dy,
                                      std::span<const double> gamma);

}  // namespace sibyl::lab::layernorm
