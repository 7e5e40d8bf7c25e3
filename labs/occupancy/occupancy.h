// SPDX-License-Identifier: Apache-2.0
// Kernels whose occupancy is chosen: by shared memory, by registers, by threads.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace sibyl::lab::occupancy {

inline constexpr int kBlockThreads = 256;

/// Copies `count` times 16 bytes with `loads` (1, 2, 4, 8) of them in flight for each thread, and
/// at most `blocks` blocks of kBlockThreads threads on a multiprocessor.
cudaError_t LimitedCopy(const uint4* from, uint4* to, std::int64_t count, int loads, int blocks,
                        cudaStream_t stream);

/// How many of those blocks really fit: registers limit them as well.
int BlocksThatFit(int loads, int blocks);

enum class Limit { kThreads, kRegisters, kSharedMemory };

struct Residency {
  int predicted = 0;  ///< Blocks of a multiprocessor, by cudaOccupancyMaxActiveBlocksPer...
  int seen = 0;       ///< The most that were there at a time.
};

/// Fills the device with blocks that wait until no more of them come. `scratch` holds 4096 ints.
cudaError_t MeasureResidency(Limit limit, int* scratch, Residency* residency);

/// `blocks` blocks that of 1024 threads that each take `cycles` cycles.
cudaError_t Waves(int blocks, long long cycles, std::uint64_t* count, cudaStream_t stream);

/// How many blocks of Waves run at a time.
int BlocksOfAWave();

}  // namespace sibyl::lab::occupancy
