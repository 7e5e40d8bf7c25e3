// SPDX-License-Identifier: Apache-2.0
// The k largest of every row, largest first: one block a row, the row in registers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab::topk {

struct Shape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t k = 0;
};

enum class Variant {
  kBisect,  ///< The k-th key by bisection over all 32 bits, counting the whole row each time.
  kPruned,  ///< A lower bound from the threads' maxima first; few keys survive it.
};

/// Empty, or why this shape cannot be had.
const char* WhyNot(const Shape& shape);

/// Every element of a row is a float. NaN counts as larger than everything, as PyTorch has it;
/// equal values come in the order of their columns, which PyTorch does not promise. Enqueues;
/// captures.
cudaError_t Select(Variant variant, const float* input, const Shape& shape, float* values,
                   std::int64_t* columns, cudaStream_t stream);

}  // namespace sibyl::lab::topk
