// SPDX-License-Identifier: Apache-2.0
// Online softmax on tiles of scores as warpgroup matrix instructions leave them: a thread holds
// pairs of columns of two rows, 8 apart, and four lanes share a row.
#pragma once

#include <cuda_bf16.h>

#include <cmath>
#include <cstdint>

#include "harness/warpgroup.cuh"

namespace sibyl::lab::attention {

constexpr float kSlack = 8;  // In powers of two; attention.cu says why.

struct Softmax {
  float largest[2] = {-INFINITY, -INFINITY};  // Not below the true one by more than kSlack.
  float sum[2] = {0, 0};

  /// Turns scores into exponentials in place. Sets what earlier outputs must be multiplied by, and
  /// returns whether that is not one in some row of the warp.
  template <int kCount>
  __device__ __forceinline__ bool Exponentiate(float (&scores)[kCount], float scale,
                                               float (&shrink)[2]) {
    float most[2][2];
#pragma unroll
    for (int i = 0; i < 4; ++i) most[i / 2][i % 2] = scores[i];
#pragma unroll
    for (int i = 4; i < kCount; ++i) {
      most[i / 2 % 2][i % 2] = fmaxf(most[i / 2 % 2][i % 2], scores[i]);
    }
    bool grew = false;
    float reference[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float top = fmaxf(most[half][0], most[half][1]);
      top = fmaxf(top, __shfl_xor_sync(~0u, top, 1));
      top = fmaxf(top, __shfl_xor_sync(~0u, top, 2)) * scale;
      const bool grows = top > largest[half] + kSlack;
      const float next = grows ? top : largest[half];
      shrink[half] = grows ? exp2f(largest[half] - next) : 1.0f;
      largest[half] = next;
      // A row may have no visible key yet.
      reference[half] = next == -INFINITY ? 0 : next;
      grew |= grows;
    }
    float total[2] = {0, 0};
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      const float power = fmaf(scores[i], scale, -reference[i / 2 % 2]);
      asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(scores[i]) : "f"(power));
      total[i / 2 % 2] += scores[i];
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) sum[half] = fmaf(sum[half], shrink[half], total[half]);
    return __any_sync(~0u, grew);
  }
};

__device__ __forceinline__ std::uint32_t Pair(float low, float high) {
  const __nv_bfloat162 two = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&two);
}

/// The layout of a tile of sums is that of the left operand, two columns to a register.
template <int kCount>
__device__ __forceinline__ void PackProbabilities(const float (&scores)[kCount],
                                                  std::uint32_t (&p)[kCount / 2]) {
#pragma unroll
  for (int i = 0; i < kCount / 2; ++i) p[i] = Pair(scores[2 * i], scores[2 * i + 1]);
}

template <int kCount>
__device__ __forceinline__ void Rescale(float (&outputs)[kCount], const float (&shrink)[2]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) outputs[i] *= shrink[i / 2 % 2];
}

/// row: the thread's first row of the head; first_key: of this step.
template <bool kCausal, int kCount>
__device__ __forceinline__ void Mask(float (&scores)[kCount], int keys, int row, int first_key) {
  const int column = first_key + static_cast<int>(threadIdx.x) % 4 * 2;
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    const int key = column + i / 4 * 8 + i % 2;
    const bool hidden = key >= keys || (kCausal && key > row + i / 2 % 2 * 8);
    if (hidden) scores[i] = -INFINITY;
  }
}

/// row: the thread's first row of the head.
template <int kWidth>
__device__ __forceinline__ void StoreRows(std::uint16_t* head, int row, int queries,
                                          const float (&outputs)[kWidth / 2],
                                          const Softmax& softmax) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float total = softmax.sum[half];
    total += __shfl_xor_sync(~0u, total, 1);
    total += __shfl_xor_sync(~0u, total, 2);
    const float inverse = 1.0f / total;
    const int at = row + half * 8;
    std::uint16_t* to = head + static_cast<std::int64_t>(at) * kWidth;
#pragma unroll
    for (int j = 0; j < kWidth / 8; j += 4) {
      std::uint32_t words[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        words[i] = Pair(outputs[(j + i) * 4 + half * 2] * inverse,
                        outputs[(j + i) * 4 + half * 2 + 1] * inverse);
      }
      const uint4 eight = warpgroup::Transpose4(words);
      if (at < queries) {
        __stcs(reinterpret_cast<uint4*>(to + (j + static_cast<int>(threadIdx.x) % 4) * 8), eight);
      }
    }
  }
}

}  // namespace sibyl::lab::attention
