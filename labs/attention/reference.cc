// SPDX-License-Identifier: Apache-2.0
#include "attention/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sibyl::lab::attention {

std::vector<double> ReferenceRow(std::span<const double> query, std::span<const double> keys,
                                 std::span<const double> values) {
  const std::size_t width = query.size();
  const std::size_t count = keys.size() / width;
  std::vector<double> weights(count);
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) {
    double dot = 0;
    for (std::size_t c = 0; c < width; ++c) dot += query[c] * keys[i * width + c];
    weights[i] = dot / std::sqrt(static_cast<double>(width));
    largest = std::max(largest, weights[i]);
  }
  double total = 0;
  for (double& weight : weights) {
    weight = std::exp(weight - largest);
    total += weight;
  }
  std::vector<double> out(width);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < width; ++c) out[c] += weights[i] / total * values[i * width + c];
  }
  return out;
}

}  // namespace sibyl::lab::attention
