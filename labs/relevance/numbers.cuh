// SPDX-License-Identifier: Apache-2.0
// bf16 by its bits, and the order of the triangle: what folding and scoring share.
#pragma once

#include <cstdint>

#include "relevance/relevance.h"

namespace sibyl::lab::relevance {

constexpr unsigned kAll = ~0u;

__device__ __forceinline__ float Low(std::uint32_t two) { return __uint_as_float(two << 16); }
__device__ __forceinline__ float High(std::uint32_t two) {
  return __uint_as_float(two & 0xffff0000u);
}
__device__ __forceinline__ float FromBf16(std::uint16_t bits) {
  return __uint_as_float(static_cast<std::uint32_t>(bits) << 16);
}

/// Where (row, column) of the triangle stands.
__host__ __device__ constexpr int InTriangle(int row, int column) {
  return row * kInputs - row * (row - 1) / 2 + column - row;
}

}  // namespace sibyl::lab::relevance
