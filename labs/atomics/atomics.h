// SPDX-License-Identifier: Apache-2.0
// Counting keys into bins, with atomic additions in different places.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab::atomics {

enum class Way {
  kGlobal,     ///< An atomic addition in global memory for each key, its result unused.
  kReturning,  ///< The same, and the result is used: each key learns its place in its bin.
  kWarp,       ///< Lanes with equal keys add once.
  kShared,     ///< Every block counts in shared memory first.
  kFloat,      ///< As kGlobal, in float32.
};

/// Empty if this way can count into so many bins; otherwise why not.
const char* WhyNot(Way way, std::int64_t bins, std::size_t shared_bytes);

/// counts[k] = how many of the keys are k, which is less than `bins`. As float32 with kFloat.
/// `places` is used by kReturning only: one for each key.
cudaError_t Count(Way way, const std::uint32_t* keys, std::int64_t count, std::int64_t bins,
                  std::uint32_t* counts, std::uint32_t* places, cudaStream_t stream);

}  // namespace sibyl::lab::atomics
