// SPDX-License-Identifier: Apache-2.0
// Attention of queries to contents: softmax(Q K^T / sqrt(width)) V, bf16, forward.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab::attention {

constexpr int kWidth = 128;

/// q and out: [heads][queries][128], k and v: [heads][keys][128]; heads are those of the whole
/// batch.
struct Operands {
  const std::uint16_t* q = nullptr;
  const std::uint16_t* k = nullptr;
  const std::uint16_t* v = nullptr;
  std::uint16_t* out = nullptr;
};

struct Shape {
  std::int64_t heads = 0;
  std::int64_t queries = 0;
  std::int64_t keys = 0;
};

/// Empty, or why this shape or device cannot be had.
const char* WhyNot(const Shape& shape, int compute_capability);

cudaError_t Attend(const Operands& operands, const Shape& shape, cudaStream_t stream);

}  // namespace sibyl::lab::attention
