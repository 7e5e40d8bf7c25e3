// SPDX-License-Identifier: Apache-2.0
// Idea: the same keys, four to a load, counted with atomic additions in the L2 cache (global), once
// for each distinct key of a warp (warp), or in the block's shared memory, whose sums are added to
// the global counts at the end (shared). Floor: each key read once at the copy ceiling; with
// kReturning its place is written too. What a sweep over the bins shows is contention: with one bin
// every addition has the same address, with a million almost none have.
#include "atomics/atomics.h"

namespace sibyl::lab::atomics {
namespace {

constexpr int kThreads = 512;

template <typename Add>
__device__ void ForEachKey(const std::uint32_t* keys, std::int64_t count, const Add& add) {
  const auto* wide = reinterpret_cast<const uint4*>(keys);
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
  // Every thread of a warp makes the same number of rounds: the warp's way needs all lanes.
  const std::int64_t rounds = (count / 4 + stride - 1) / stride;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::int64_t i = first + round * stride;
    const bool has = i < count / 4;
    const uint4 four = has ? __ldcs(wide + i) : make_uint4(0, 0, 0, 0);
    add(has, four.x, 4 * i);
    add(has, four.y, 4 * i + 1);
    add(has, four.z, 4 * i + 2);
    add(has, four.w, 4 * i + 3);
  }
  const std::int64_t rest = count / 4 * 4 + threadIdx.x;
  if (blockIdx.x == 0 && threadIdx.x < 32) {
    const bool has = rest < count;
    add(has, has ? keys[rest] : 0, rest);
  }
}

__global__ void Global(const std::uint32_t* keys, std::int64_t count, std::uint32_t* counts) {
  ForEachKey(keys, count, [=](bool has, std::uint32_t key, std::int64_t) {
    if (has) atomicAdd(counts + key, 1U);
  });
}

__global__ void Returning(const std::uint32_t* keys, std::int64_t count, std::uint32_t* counts,
                          std::uint32_t* places) {
  ForEachKey(keys, count, [=](bool has, std::uint32_t key, std::int64_t i) {
    if (has) places[i] = atomicAdd(counts + key, 1U);
  });
}

__global__ void Warp(const std::uint32_t* keys, std::int64_t count, std::uint32_t* counts) {
  ForEachKey(keys, count, [=](bool has, std::uint32_t key, std::int64_t) {
    const unsigned active = __ballot_sync(~0U, has);
    if (!has) return;
    const unsigned same = __match_any_sync(active, key);
    if (static_cast<int>(threadIdx.x % 32) == __ffs(static_cast<int>(same)) - 1) {
      atomicAdd(counts + key, static_cast<unsigned>(__popc(same)));
    }
  });
}

__global__ void Shared(const std::uint32_t* keys, std::int64_t count, int bins,
                       std::uint32_t* counts) {
  extern __shared__ std::uint32_t own[];
  for (int i = static_cast<int>(threadIdx.x); i < bins; i += kThreads) own[i] = 0;
  __syncthreads();
  ForEachKey(keys, count, [=](bool has, std::uint32_t key, std::int64_t) {
    if (has) atomicAdd(own + key, 1U);
  });
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < bins; i += kThreads) {
    if (own[i] != 0) atomicAdd(counts + i, own[i]);
  }
}

__global__ void Float(const std::uint32_t* keys, std::int64_t count, float* counts) {
  ForEachKey(keys, count, [=](bool has, std::uint32_t key, std::int64_t) {
    if (has) atomicAdd(counts + key, 1.0F);
  });
}

}  // namespace

const char* WhyNot(Way way, std::int64_t bins, std::size_t shared_bytes) {
  if (way == Way::kShared && static_cast<std::size_t>(bins) * 4 > shared_bytes) {
    return "the bins do not fit into a block's shared memory";
  }
  return "";
}

cudaError_t Count(Way way, const std::uint32_t* keys, std::int64_t count, std::int64_t bins,
                  std::uint32_t* counts, std::uint32_t* places, cudaStream_t stream) {
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  int blocks = 4 * processors;
  cudaError_t status =
      cudaMemsetAsync(counts, 0, static_cast<std::size_t>(bins) * sizeof *counts, stream);
  if (status != cudaSuccess) return status;
  switch (way) {
    case Way::kGlobal:
      Global<<<blocks, kThreads, 0, stream>>>(keys, count, counts);
      break;
    case Way::kReturning:
      Returning<<<blocks, kThreads, 0, stream>>>(keys, count, counts, places);
      break;
    case Way::kWarp:
      Warp<<<blocks, kThreads, 0, stream>>>(keys, count, counts);
      break;
    case Way::kShared: {
      const int bytes = static_cast<int>(bins) * 4;
      status = cudaFuncSetAttribute(Shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
      if (status != cudaSuccess) return status;
      int resident = 0;
      status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, Shared, kThreads,
                                                             static_cast<std::size_t>(bytes));
      if (status != cudaSuccess) return status;
      blocks = processors * (resident < 4 ? resident : 4);
      Shared<<<blocks, kThreads, bytes, stream>>>(keys, count, static_cast<int>(bins), counts);
      break;
    }
    case Way::kFloat:
      Float<<<blocks, kThreads, 0, stream>>>(keys, count, reinterpret_cast<float*>(counts));
      break;
  }
  return cudaGetLastError();
}

}  // namespace sibyl::lab::atomics
