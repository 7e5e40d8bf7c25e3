// SPDX-License-Identifier: Apache-2.0
// Kernels that do nothing but move bytes, each in one way.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sibyl::lab::memory {

/// Reads `reads` arrays of count 16-byte vectors, one behind the other at in, and writes `writes`
/// arrays of as many. Every vector written is the exclusive or of those read at its index (all ones
/// when none is); with no writes, all that was read is or-ed into *sink. Pairs: 1:0 4:1 2:1 1:1 1:2
/// 1:6 0:1.
cudaError_t MixTraffic(int reads, int writes, const uint4* in, uint4* out, std::int64_t count,
                       std::uint32_t* sink, cudaStream_t stream);

/// Thread i reads word i * stride modulo count; the exclusive or of all goes into *sink.
cudaError_t ReadStrided(int stride, const std::uint32_t* in, std::int64_t count,
                        std::uint32_t* sink, cudaStream_t stream);

/// A copy with accesses of 1, 2, 4, 8 or 16 bytes a thread.
cudaError_t CopyByWidth(int width, const void* in, void* out, std::int64_t bytes,
                        cudaStream_t stream);

enum class Transposition { kNaive, kShared, kPadded, kSwizzled };
/// out = in transposed; size x size floats, size a multiple of 32.
cudaError_t Transpose(Transposition how, const float* in, float* out, int size,
                      cudaStream_t stream);

/// 256 threads a multiprocessor read count vectors through a ring of depth stages of 4 KiB, filled
/// by asynchronous copies or by the bulk copy engine (sm_90). The exclusive or goes into *sink.
/// Depths: 1 2 4 8 16.
cudaError_t ReadThroughRing(bool engine, int depth, const uint4* in, std::int64_t count,
                            std::uint32_t* sink, cudaStream_t stream);

/// Reads count vectors `passes` times.
cudaError_t ReadAgain(const uint4* in, std::int64_t count, int passes, std::uint32_t* sink,
                      cudaStream_t stream);

/// Every thread of a full device reads shared memory `reads` times, lanes `stride` words apart.
cudaError_t ReadShared(int stride, int reads, std::uint32_t* sink, cudaStream_t stream);
constexpr int kSharedThreads = 1024;

}  // namespace sibyl::lab::memory
