// SPDX-License-Identifier: Apache-2.0
// One row of attention in float64.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sibyl::lab::attention {

/// keys and values: rows as wide as the query.
std::vector<double> ReferenceRow(std::span<const double> query, std::span<const double> keys,
                                 std::span<const double> values);

}  // namespace sibyl::lab::attention
