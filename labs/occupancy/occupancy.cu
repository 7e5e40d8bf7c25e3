// SPDX-License-Identifier: Apache-2.0
// Idea: a copy whose blocks ask for so much shared memory that only a chosen number of them fits
// onto a multiprocessor, with one to eight independent 16-byte loads for each thread. Floor: the
// copy ceiling. Little's law says what should be needed: bandwidth times latency is the bytes that
// must be in flight, on an H200 about 4.2 TB/s times 0.7 us = 3 MB, or 22 KB on each of 132
// multiprocessors: 64 warps with one 16-byte load for each lane (32 KB) are enough, 16 warps with
// four are as well.
//
// Residency is measured, not only predicted: blocks count themselves in on their multiprocessor and
// stay until the count has been still for a while, so that the largest count is what fits at a
// time.
#include <algorithm>

#include "occupancy/occupancy.h"

namespace sibyl::lab::occupancy {
namespace {

constexpr int kMostProcessors = 1024;
constexpr int kRegisterFloats = 96;

template <int kLoads>
__global__ void __launch_bounds__(kBlockThreads)
    Copy(const uint4* from, uint4* to, std::int64_t count) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kBlockThreads;
  std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kBlockThreads + threadIdx.x;
  for (; i + (kLoads - 1) * stride < count; i += kLoads * stride) {
    uint4 values[kLoads];
#pragma unroll
    for (int l = 0; l < kLoads; ++l) values[l] = __ldcs(from + i + l * stride);
#pragma unroll
    for (int l = 0; l < kLoads; ++l) __stcs(to + i + l * stride, values[l]);
  }
  for (; i < count; i += stride) to[i] = from[i];
}

__device__ unsigned Processor() {
  unsigned processor = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(processor));
  return processor;
}

/// present[p] is how many blocks are on p, most[p] the largest number so far.
__device__ void Stay(int* present, int* most) {
  if (threadIdx.x != 0) return;
  const unsigned processor = Processor() % kMostProcessors;
  const int now = atomicAdd(present + processor, 1) + 1;
  atomicMax(most + processor, now);
  const long long began = clock64();
  while (clock64() - began < 200'000) {
  }
  atomicSub(present + processor, 1);
}

__global__ void StayWith(int* present, int* most) {
  Stay(present, most);
  __syncthreads();
}

/// Holds many registers across the wait.
__global__ void __launch_bounds__(kBlockThreads)
    StayWithRegisters(int* present, int* most, float* out) {
  float values[kRegisterFloats];
#pragma unroll
  for (int i = 0; i < kRegisterFloats; ++i) values[i] = static_cast<float>(threadIdx.x + i) * 1.5F;
  Stay(present, most);
  __syncthreads();
  float sum = static_cast<float>(present[0]);
#pragma unroll
  for (int i = 0; i < kRegisterFloats; ++i)
    sum = fmaf(sum, values[i], values[kRegisterFloats - 1 - i]);
  if (sum == 0.125F) *out = sum;
}

__global__ void __launch_bounds__(1024) Wave(long long cycles, std::uint64_t* count) {
  const long long began = clock64();
  while (clock64() - began < cycles) {
  }
  if (threadIdx.x == 0) atomicAdd(reinterpret_cast<unsigned long long*>(count), 1ULL);
}

int Processors() {
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  return processors;
}

using CopyFunction = void (*)(const uint4*, uint4*, std::int64_t);

CopyFunction CopyWith(int loads) {
  return loads == 1 ? Copy<1> : loads == 2 ? Copy<2> : loads == 4 ? Copy<4> : Copy<8>;
}

/// As much shared memory as lets `blocks` of them fit and no more.
int SharedBytes(int blocks) {
  int shared = 0;
  int reserved = 0;
  int most = 0;
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
  cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  return std::min(most, shared / blocks - reserved) / 1024 * 1024;
}

}  // namespace

cudaError_t LimitedCopy(const uint4* from, uint4* to, std::int64_t count, int loads, int blocks,
                        cudaStream_t stream) {
  const CopyFunction copy = CopyWith(loads);
  const int bytes = SharedBytes(blocks);
  const cudaError_t status =
      cudaFuncSetAttribute(copy, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (status != cudaSuccess) return status;
  copy<<<blocks * Processors(), kBlockThreads, static_cast<std::size_t>(bytes), stream>>>(from, to,
                                                                                          count);
  return cudaGetLastError();
}

int BlocksThatFit(int loads, int blocks) {
  const CopyFunction copy = CopyWith(loads);
  const int bytes = SharedBytes(blocks);
  cudaFuncSetAttribute(copy, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  int fit = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, copy, kBlockThreads,
                                                static_cast<std::size_t>(bytes));
  return fit;
}

cudaError_t MeasureResidency(Limit limit, int* scratch, Residency* residency) {
  int* present = scratch;
  int* most = scratch + kMostProcessors;
  auto* out = reinterpret_cast<float*>(scratch + 2 * kMostProcessors);
  cudaError_t status = cudaMemset(scratch, 0, 4096 * sizeof(int));
  if (status != cudaSuccess) return status;
  const int threads = limit == Limit::kThreads ? 768 : kBlockThreads;
  const int bytes = limit == Limit::kSharedMemory ? 40 << 10 : 0;
  const int blocks = Processors() * 64;
  if (limit == Limit::kRegisters) {
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&residency->predicted, StayWithRegisters,
                                                           threads, 0);
    StayWithRegisters<<<blocks, threads>>>(present, most, out);
  } else {
    cudaFuncSetAttribute(StayWith, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&residency->predicted, StayWith, threads,
                                                           static_cast<std::size_t>(bytes));
    StayWith<<<blocks, threads, static_cast<std::size_t>(bytes)>>>(present, most);
  }
  if (status != cudaSuccess) return status;
  int seen[kMostProcessors];
  status = cudaMemcpy(seen, most, sizeof seen, cudaMemcpyDeviceToHost);
  residency->seen = *std::max_element(seen, seen + kMostProcessors);
  return status;
}

cudaError_t Waves(int blocks, long long cycles, std::uint64_t* count, cudaStream_t stream) {
  Wave<<<blocks, 1024, 0, stream>>>(cycles, count);
  return cudaGetLastError();
}

int BlocksOfAWave() {
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Wave, 1024, 0);
  return blocks * Processors();
}

}  // namespace sibyl::lab::occupancy
