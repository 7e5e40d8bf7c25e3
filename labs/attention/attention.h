// SPDX-License-Identifier: Apache-2.0
// Attention of queries to contents: softmax(Q K^T / sqrt(width)) V, bf16, forward.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab::attention {

/// q and out: [heads][queries][width], k and v: [heads / share][keys][width].
struct Operands {
  const std::uint16_t* q = nullptr;
  const std::uint16_t* k = nullptr;
  const std::uint16_t* v = nullptr;
  std::uint16_t* out = nullptr;
};

struct Shape {
  std::int64_t heads = 0;  // Of the whole batch.
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  std::int64_t width = 0;  // 64, 128 or 256.
  bool causal = false;     // Query i sees keys 0 to i.
  std::int64_t share = 1;  // Heads with the same keys and values (grouped queries).
};

/// Empty, or why this shape or device is not supported.
const char* WhyNot(const Shape& shape, int compute_capability);

/// One launch at a time on a device: launches share the counter of finished tiles.
cudaError_t Attend(const Operands& operands, const Shape& shape, cudaStream_t stream);

}  // namespace sibyl::lab::attention
