// SPDX-License-Identifier: Apache-2.0
// What every kernel with warpgroup matrix instructions needs (sm_90a): descriptors of tiles, the
// instructions' fences, and a transposition that makes stores of their results wide.
#pragma once

#include <cstdint>

namespace sibyl::lab::warpgroup {

/// A tile whose rows are 128 bytes of K, in the 128-byte swizzle that the tensor map engine writes:
/// groups of 8 rows are 1024 bytes apart. PTX ISA, "matrix descriptor".
__device__ __forceinline__ std::uint64_t TileDescriptor(const void* tile) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(tile));
  constexpr std::uint64_t kSwizzle128 = std::uint64_t{1} << 62;
  constexpr std::uint64_t kGroupStride = std::uint64_t{1024 >> 4} << 32;
  constexpr std::uint64_t kLeading = std::uint64_t{1} << 16;  // Not used by swizzled tiles.
  return kSwizzle128 | kGroupStride | kLeading | ((address & 0x3ffff) >> 4);
}

/// Before the first instruction after registers were touched.
__device__ __forceinline__ void Fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void Commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int kPending>
__device__ __forceinline__ void Wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}

/// Four lanes hold 8 columns of a row, 2 each, of every group of 8 columns. They trade, so that
/// each ends with all 8 columns of one group in four, and stores 16 bytes at once.
__device__ __forceinline__ uint4 Transpose4(std::uint32_t (&w)[4]) {
  const int lane = static_cast<int>(threadIdx.x) & 3;
  const bool odd = (lane & 1) != 0;
  const bool upper = (lane & 2) != 0;
#pragma unroll
  for (int i = 0; i < 4; i += 2) {
    const std::uint32_t other = __shfl_xor_sync(~0u, odd ? w[i] : w[i + 1], 1);
    w[i] = odd ? other : w[i];
    w[i + 1] = odd ? w[i + 1] : other;
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const std::uint32_t other = __shfl_xor_sync(~0u, upper ? w[i] : w[i + 2], 2);
    w[i] = upper ? other : w[i];
    w[i + 2] = upper ? w[i + 2] : other;
  }
  return make_uint4(w[0], w[1], w[2], w[3]);
}

}  // namespace sibyl::lab::warpgroup
