// SPDX-License-Identifier: Apache-2.0
#include "topk/reference.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sibyl::lab::topk {

std::vector<std::int64_t> ReferenceColumns(std::span<const float> row, std::int64_t k) {
  std::vector<std::int64_t> columns(row.size());
  std::iota(columns.begin(), columns.end(), 0);
  const auto before = [&](std::int64_t a, std::int64_t b) {
    const float left = row[static_cast<std::size_t>(a)];
    const float right = row[static_cast<std::size_t>(b)];
    if (std::isnan(left) != std::isnan(right)) return std::isnan(left);
    if (!std::isnan(left) && left != right) return left > right;
    // Zero and minus zero are equal as numbers, but a sort by bits puts zero first.
    if (!std::isnan(left) && std::signbit(left) != std::signbit(right)) return std::signbit(right);
    return a < b;
  };
  std::partial_sort(columns.begin(), columns.begin() + k, columns.end(), before);
  columns.resize(static_cast<std::size_t>(k));
  return columns;
}

}  // namespace sibyl::lab::topk
