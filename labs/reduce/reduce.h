// SPDX-License-Identifier: Apache-2.0
// Sums of float32 by the usual ways. They differ in who adds the partial sums, and so in whether a
// repetition gives the same bits.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace sibyl::lab::reduce {

enum class Way {
  kAtomicEach,   ///< One atomic addition for each element.
  kAtomicWarp,   ///< Warps add up with shuffles, then one atomic addition for each warp.
  kAtomicBlock,  ///< Blocks add up, then one atomic addition for each block.
  kLastBlock,    ///< The last block to finish adds the blocks' sums in their order.
  kTwoKernels,   ///< A second kernel does.
  kCub,          ///< cub::DeviceReduce::Sum.
};

/// Bytes of `scratch`.
std::size_t ScratchBytes(Way way, std::int64_t count);

/// *sum = the sum of `count` elements at `x`, which is aligned to 16 bytes.
cudaError_t Sum(Way way, const float* x, std::int64_t count, float* sum, void* scratch,
                std::size_t scratch_bytes, cudaStream_t stream);

}  // namespace sibyl::lab::reduce
