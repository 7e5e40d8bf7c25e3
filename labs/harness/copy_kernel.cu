// SPDX-License-Identifier: Apache-2.0
#include "harness/copy_kernel.h"

namespace sibyl::lab {
namespace {

constexpr int kThreads = 512;
constexpr int kUnroll = 4;

// Each block owns a contiguous piece: neighbouring blocks then open neighbouring DRAM pages.
__global__ void __launch_bounds__(kThreads) Copy(uint4* to, const uint4* from, std::size_t count) {
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * kThreads * kUnroll + threadIdx.x;
  uint4 values[kUnroll];
#pragma unroll
  for (int i = 0; i < kUnroll; ++i) {
    if (first + i * kThreads < count) values[i] = __ldcs(from + first + i * kThreads);
  }
#pragma unroll
  for (int i = 0; i < kUnroll; ++i) {
    if (first + i * kThreads < count) __stcs(to + first + i * kThreads, values[i]);
  }
}

__global__ void __launch_bounds__(kThreads)
    CopyOne(uint4* to, const uint4* from, std::size_t count) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) to[i] = from[i];
}

}  // namespace

void CopyKernelPlain(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  const std::size_t count = bytes / sizeof(uint4);
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  CopyOne<<<blocks, kThreads, 0, stream>>>(static_cast<uint4*>(to), static_cast<const uint4*>(from),
                                           count);
}

void CopyKernel(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  const std::size_t count = bytes / sizeof(uint4);
  const auto blocks =
      static_cast<unsigned>((count + kThreads * kUnroll - 1) / (kThreads * kUnroll));
  Copy<<<blocks, kThreads, 0, stream>>>(static_cast<uint4*>(to), static_cast<const uint4*>(from),
                                        count);
}

}  // namespace sibyl::lab
