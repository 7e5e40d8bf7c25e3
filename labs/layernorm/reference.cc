// SPDX-License-Identifier: Apache-2.0
#include "layernorm/reference.h"

#include <cmath>

namespace sibyl::lab::layernorm {

Normalised ReferenceRow(std::span<const double> x, double epsilon) {
  const auto count = static_cast<double>(x.size());
  Normalised row;
  for (const double value : x) row.mean += value / count;
  double variance = 0;
  for (const double value : x) variance += (value - row.mean) * (value - row.mean) / count;
  row.inverse = 1 / std::sqrt(variance + epsilon);
  for (const double value : x) row.h.push_back((value - row.mean) * row.inverse);
  return row;
}

std::vector<double> ReferenceGradient(const Normalised& row, std::span<const double> dy,
                                      std::span<const double> gamma) {
  const auto count = static_cast<double>(dy.size());
  double mean_g = 0;
  double mean_gh = 0;
  for (std::size_t i = 0; i < dy.size(); ++i) {
    mean_g += dy[i] * gamma[i] / count;
    mean_gh += dy[i] * gamma[i] * row.h[i] / count;
  }
  std::vector<double> dx(dy.size());
  for (std::size_t i = 0; i < dy.size(); ++i) {
    dx[i] = row.inverse * (dy[i] * gamma[i] - mean_g - row.h[i] * mean_gh);
  }
  return dx;
}

}  // namespace sibyl::lab::layernorm
