// SPDX-License-Identifier: Apache-2.0
// Idea: every thread adds 16-byte loads, four in flight, along a grid of as many blocks as the
// processors hold; a block adds up by shuffles. What is compared is only how the partial sums meet:
// atomically, in the last block to finish, or in a second kernel. Floor: each element read once at
// the copy ceiling. Additions are no limit: one for every four bytes, where the fp32 units could do
// sixteen.
//
// atomic-each and atomic-warp are what one writes first; they show what an atomic addition to one
// address costs. The order in which blocks reach an atomic addition changes from run to run, and
// with it the rounding; in last-block and two-kernels the order is that of the blocks.
#include <cub/device/device_reduce.cuh>

#include "reduce/reduce.h"

namespace sibyl::lab::reduce {
namespace {

constexpr int kThreads = 512;
constexpr int kMostBlocks = 2048;
constexpr int kUnroll = 4;

struct Scratch {
  unsigned finished;
  float sums[kMostBlocks];
};

__device__ float WarpSum(float value) {
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(~0U, value, lanes);
  return value;
}

/// In thread 0.
__device__ float BlockSum(float value) {
  __shared__ float warps[kThreads / 32];
  value = WarpSum(value);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x < kThreads / 32 ? warps[threadIdx.x] : 0;
  return threadIdx.x < 32 ? WarpSum(value) : 0;
}

/// What this thread adds of all elements.
__device__ float ThreadSum(const float* x, std::int64_t count) {
  const auto* wide = reinterpret_cast<const float4*>(x);
  const std::int64_t all = count / 4;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  float sums[kUnroll] = {};
  std::int64_t i = begin;
  for (; i + (kUnroll - 1) * stride < all; i += kUnroll * stride) {
    float4 values[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) values[u] = __ldcs(wide + i + u * stride);
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      sums[u] += (values[u].x + values[u].y) + (values[u].z + values[u].w);
    }
  }
  for (; i < all; i += stride) {
    const float4 value = __ldcs(wide + i);
    sums[0] += (value.x + value.y) + (value.z + value.w);
  }
  const std::int64_t rest = all * 4 + begin;
  if (rest < count) sums[1] += x[rest];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

__global__ void AtomicEach(const float* x, std::int64_t count, float* sum) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
  std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  for (; i < count; i += stride) atomicAdd(sum, x[i]);
}

__global__ void __launch_bounds__(kThreads)
    AtomicWarp(const float* x, std::int64_t count, float* sum) {
  const float warp = WarpSum(ThreadSum(x, count));
  if (threadIdx.x % 32 == 0) atomicAdd(sum, warp);
}

__global__ void __launch_bounds__(kThreads)
    AtomicBlock(const float* x, std::int64_t count, float* sum) {
  const float block = BlockSum(ThreadSum(x, count));
  if (threadIdx.x == 0) atomicAdd(sum, block);
}

__device__ float SumOfBlocks(const float* sums, int blocks) {
  float value = 0;
  for (int i = static_cast<int>(threadIdx.x); i < blocks; i += kThreads) value += __ldcg(sums + i);
  __syncthreads();
  return BlockSum(value);
}

__global__ void __launch_bounds__(kThreads)
    LastBlock(const float* x, std::int64_t count, float* sum, Scratch* scratch) {
  __shared__ bool is_last;
  const float block = BlockSum(ThreadSum(x, count));
  if (threadIdx.x == 0) {
    scratch->sums[blockIdx.x] = block;
    __threadfence();
    is_last = atomicInc(&scratch->finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  const float all = SumOfBlocks(scratch->sums, static_cast<int>(gridDim.x));
  if (threadIdx.x == 0) *sum = all;
}

__global__ void __launch_bounds__(kThreads)
    Partial(const float* x, std::int64_t count, Scratch* scratch) {
  const float block = BlockSum(ThreadSum(x, count));
  if (threadIdx.x == 0) scratch->sums[blockIdx.x] = block;
}

__global__ void __launch_bounds__(kThreads) Finish(const Scratch* scratch, int blocks, float* sum) {
  const float all = SumOfBlocks(scratch->sums, blocks);
  if (threadIdx.x == 0) *sum = all;
}

int Blocks(std::int64_t count) {
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  const std::int64_t wanted = (count / 4 + kThreads - 1) / kThreads;
  const std::int64_t most = std::min<std::int64_t>(kMostBlocks, 4LL * processors);
  return static_cast<int>(std::max<std::int64_t>(1, std::min(wanted, most)));
}

cudaError_t Cub(void* scratch, std::size_t& bytes, const float* x, std::int64_t count, float* sum,
                cudaStream_t stream) {
  return cub::DeviceReduce::Sum(scratch, bytes, x, sum, count, stream);
}

}  // namespace

std::size_t ScratchBytes(Way way, std::int64_t count) {
  if (way != Way::kCub) return sizeof(Scratch);
  std::size_t bytes = 0;
  Cub(nullptr, bytes, nullptr, count, nullptr, nullptr);
  return std::max<std::size_t>(bytes, 1);
}

cudaError_t Sum(Way way, const float* x, std::int64_t count, float* sum, void* scratch,
                std::size_t scratch_bytes, cudaStream_t stream) {
  auto* partial = static_cast<Scratch*>(scratch);
  const int blocks = Blocks(count);
  if (way == Way::kCub) return Cub(scratch, scratch_bytes, x, count, sum, stream);
  const bool adds_to_sum = way <= Way::kAtomicBlock;
  if (adds_to_sum) {
    const cudaError_t status = cudaMemsetAsync(sum, 0, sizeof *sum, stream);
    if (status != cudaSuccess) return status;
  }
  switch (way) {
    case Way::kAtomicEach:
      AtomicEach<<<blocks, kThreads, 0, stream>>>(x, count, sum);
      break;
    case Way::kAtomicWarp:
      AtomicWarp<<<blocks, kThreads, 0, stream>>>(x, count, sum);
      break;
    case Way::kAtomicBlock:
      AtomicBlock<<<blocks, kThreads, 0, stream>>>(x, count, sum);
      break;
    case Way::kLastBlock:
      LastBlock<<<blocks, kThreads, 0, stream>>>(x, count, sum, partial);
      break;
    default:
      Partial<<<blocks, kThreads, 0, stream>>>(x, count, partial);
      Finish<<<1, kThreads, 0, stream>>>(partial, blocks, sum);
      break;
  }
  return cudaGetLastError();
}

}  // namespace sibyl::lab::reduce
