// SPDX-License-Identifier: Apache-2.0
// The k largest of a row by sorting it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sibyl::lab::topk {

/// Columns of the k largest, largest first, NaN before all, equal values by column.
std::vector<std::int64_t> ReferenceColumns(std::span<const float> row, std::int64_t k);

}  // namespace sibyl::lab::topk
