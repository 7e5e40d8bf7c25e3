// SPDX-License-Identifier: Apache-2.0
// Eight bf16 in a 16-byte vector, and sums over warps and blocks.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

namespace sibyl::lab::layernorm {

constexpr unsigned kAll = ~0u;

__device__ __forceinline__ void Widen(const uint4& vector, float (&values)[8]) {
  const std::uint32_t words[4] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    values[2 * i] = __uint_as_float(words[i] << 16);
    values[2 * i + 1] = __uint_as_float(words[i] & 0xffff0000u);
  }
}

__device__ __forceinline__ uint4 Narrow(const float (&values)[8]) {
  std::uint32_t words[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const __nv_bfloat162 two = __floats2bfloat162_rn(values[2 * i], values[2 * i + 1]);
    words[i] = *reinterpret_cast<const std::uint32_t*>(&two);
  }
  return make_uint4(words[0], words[1], words[2], words[3]);
}

__device__ __forceinline__ float WarpSum(float value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(kAll, value, step);
  return value;
}

/// Both sums over the block, in every thread. One barrier; the caller alternates between two
/// buffers, so that the next sums cannot overwrite these before all have read them.
template <int kWarps>
__device__ __forceinline__ float2 BlockSums(float2 value, float2 (&buffer)[kWarps]) {
  value.x = WarpSum(value.x);
  value.y = WarpSum(value.y);
  if (threadIdx.x % 32 == 0) buffer[threadIdx.x / 32] = value;
  __syncthreads();
  float2 sum = make_float2(0, 0);
#pragma unroll
  for (int warp = 0; warp < kWarps; ++warp) {
    sum.x += buffer[warp].x;
    sum.y += buffer[warp].y;
  }
  return sum;
}

}  // namespace sibyl::lab::layernorm
