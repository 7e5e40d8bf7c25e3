// SPDX-License-Identifier: Apache-2.0
#include "overlap/overlap.h"

namespace sibyl::lab::overlap {
namespace {

__global__ void __launch_bounds__(256) HalveAll(float* data, std::int64_t count, int rounds) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * 256 + threadIdx.x;
  if (i >= count) return;
  float x = data[i];
  for (int round = 0; round < rounds; ++round) x = fmaf(x, 0.5f, 1.0f);
  data[i] = x;
}

}  // namespace

cudaError_t Halve(float* data, std::int64_t count, int rounds, cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  HalveAll<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(data, count, rounds);
  return cudaGetLastError();
}

}  // namespace sibyl::lab::overlap
