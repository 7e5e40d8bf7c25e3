// SPDX-License-Identifier: Apache-2.0
// Backward: with g = dy gamma and h = (x - mean) inverse,
//   dx = inverse (g - mean(g) - h mean(g h)),  dgamma = sum over rows of dy h,  dbeta = sum of dy.
// A thread owns columns, so that the sums over rows grow in its registers; a block walks over rows
// and meets at one barrier a row. What it must not do is wait for memory at each row, hence the
// ring.
#include <algorithm>

#include "harness/bulk.cuh"
#include "layernorm/layernorm.h"
#include "layernorm/rows.cuh"

namespace sibyl::lab::layernorm {
namespace {

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;
constexpr int kStages = 4;

template <int kVectors>
struct Sums {
  float gamma[kVectors][8] = {};
  float beta[kVectors][8] = {};
};

struct RowOf {
  std::uint16_t* dx;
  float mean;
  float inverse;
};

/// Asked for one row ahead: the barrier of a row would otherwise wait for these two numbers.
__device__ __forceinline__ RowOf FetchRow(const Backward& arrays, std::int64_t row,
                                          std::int64_t rows, int columns) {
  const std::int64_t at = min(row, rows - 1);
  return {arrays.dx + at * columns, __ldg(arrays.mean + at), __ldg(arrays.inverse + at)};
}

/// One row, given this thread's vectors of x and dy.
template <int kVectors>
__device__ __forceinline__ void BackwardRow(const RowOf& row, const uint4 (&x)[kVectors],
                                            const uint4 (&dy)[kVectors],
                                            const uint4 (&gamma)[kVectors], Sums<kVectors>& sums,
                                            float2 (&buffer)[kWarps]) {
  constexpr int kColumns = kVectors * kThreads * 8;
  const float mean = row.mean;
  const float inverse = row.inverse;
  float2 partial = make_float2(0, 0);
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    float h[8], d[8], scale[8];
    Widen(x[i], h);
    Widen(dy[i], d);
    Widen(gamma[i], scale);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      h[j] = (h[j] - mean) * inverse;
      sums.gamma[i][j] = fmaf(d[j], h[j], sums.gamma[i][j]);
      sums.beta[i][j] += d[j];
      const float g = d[j] * scale[j];
      partial.x += g;
      partial.y = fmaf(g, h[j], partial.y);
    }
  }
  const float2 total = BlockSums(partial, buffer);
  const float mean_g = total.x / kColumns;
  const float mean_gh = total.y / kColumns;
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    float h[8], d[8], scale[8], out[8];
    Widen(x[i], h);
    Widen(dy[i], d);
    Widen(gamma[i], scale);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      h[j] = (h[j] - mean) * inverse;
      out[j] = inverse * (fmaf(d[j], scale[j], -mean_g) - h[j] * mean_gh);
    }
    __stcs(reinterpret_cast<uint4*>(row.dx) + i * kThreads + threadIdx.x, Narrow(out));
  }
}

template <int kVectors>
__device__ __forceinline__ void StoreSums(const Backward& arrays, const Sums<kVectors>& sums) {
  constexpr int kColumns = kVectors * kThreads * 8;
  float* out = arrays.scratch + static_cast<std::int64_t>(blockIdx.x) * 2 * kColumns;
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    const int column = (i * kThreads + static_cast<int>(threadIdx.x)) * 8;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float* g = sums.gamma[i] + 4 * half;
      const float* b = sums.beta[i] + 4 * half;
      *reinterpret_cast<float4*>(out + column + 4 * half) = make_float4(g[0], g[1], g[2], g[3]);
      *reinterpret_cast<float4*>(out + kColumns + column + 4 * half) =
          make_float4(b[0], b[1], b[2], b[3]);
    }
  }
}

template <int kVectors>
__device__ __forceinline__ void LoadGamma(const Backward& arrays, uint4 (&gamma)[kVectors]) {
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    gamma[i] = __ldg(reinterpret_cast<const uint4*>(arrays.gamma) + i * kThreads + threadIdx.x);
  }
}

template <int kVectors>
__global__ void __launch_bounds__(kThreads, kVectors == 1 ? 2 : 1)
    RegisterRows(Backward arrays, std::int64_t rows) {
  __shared__ float2 buffers[2][kWarps];
  constexpr int kColumns = kVectors * kThreads * 8;
  uint4 gamma[kVectors];
  LoadGamma(arrays, gamma);
  Sums<kVectors> sums;
  uint4 next_x[kVectors], next_dy[kVectors];
  const auto fetch = [&](std::int64_t row) {
    if (row >= rows) return;
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      const std::int64_t at = row * kColumns / 8 + i * kThreads + threadIdx.x;
      next_x[i] = __ldcs(reinterpret_cast<const uint4*>(arrays.x) + at);
      next_dy[i] = __ldcs(reinterpret_cast<const uint4*>(arrays.dy) + at);
    }
  };
  fetch(blockIdx.x);
  RowOf next = FetchRow(arrays, blockIdx.x, rows, kColumns);
  int turn = 0;
  for (std::int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    uint4 x[kVectors], dy[kVectors];
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      x[i] = next_x[i];
      dy[i] = next_dy[i];
    }
    fetch(row + gridDim.x);
    const RowOf here = next;
    next = FetchRow(arrays, row + gridDim.x, rows, kColumns);
    BackwardRow(here, x, dy, gamma, sums, buffers[turn++ & 1]);
  }
  StoreSums(arrays, sums);
}

template <int kVectors>
struct Ring {
  uint4 x[kStages][kVectors * kThreads];
  uint4 dy[kStages][kVectors * kThreads];
  std::uint64_t full[kStages];
  float2 buffers[2][kWarps];
};

template <int kVectors>
__global__ void __launch_bounds__(kThreads, kVectors == 1 ? 2 : 1)
    RingRows(Backward arrays, std::int64_t rows) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char shared[];
  auto& ring = *reinterpret_cast<Ring<kVectors>*>(shared);
  constexpr int kColumns = kVectors * kThreads * 8;
  constexpr std::uint32_t kRowBytes = kColumns * 2;
  const int thread = static_cast<int>(threadIdx.x);
  const auto fetch = [&](std::int64_t row, int stage) {
    if (thread != 0 || row >= rows) return;
    bulk::ArriveExpecting(&ring.full[stage], 2 * kRowBytes);
    bulk::Load(ring.x[stage], arrays.x + row * kColumns, kRowBytes, &ring.full[stage]);
    bulk::Load(ring.dy[stage], arrays.dy + row * kColumns, kRowBytes, &ring.full[stage]);
  };
  if (thread == 0) {
    for (int stage = 0; stage < kStages; ++stage) bulk::InitBarrier(&ring.full[stage], 1);
    bulk::PublishBarriers();
  }
  __syncthreads();
  for (int stage = 0; stage < kStages; ++stage) fetch(blockIdx.x + stage * gridDim.x, stage);
  uint4 gamma[kVectors];
  LoadGamma(arrays, gamma);
  Sums<kVectors> sums;
  RowOf next = FetchRow(arrays, blockIdx.x, rows, kColumns);
  int turn = 0;
  for (std::int64_t row = blockIdx.x; row < rows; row += gridDim.x, ++turn) {
    const RowOf here = next;
    next = FetchRow(arrays, row + gridDim.x, rows, kColumns);
    const int stage = turn % kStages;
    bulk::Wait(&ring.full[stage], turn / kStages & 1);
    uint4 x[kVectors], dy[kVectors];
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      x[i] = ring.x[stage][i * kThreads + thread];
      dy[i] = ring.dy[stage][i * kThreads + thread];
    }
    BackwardRow(here, x, dy, gamma, sums, ring.buffers[turn & 1]);
    // The barrier inside proves that every thread has taken its part of the stage.
    fetch(row + kStages * static_cast<std::int64_t>(gridDim.x), stage);
  }
  StoreSums(arrays, sums);
#endif
}

/// Adds the blocks' sums in a fixed order, so that two runs give the same bits.
__global__ void __launch_bounds__(256) AddBlocks(Backward arrays, int columns, int blocks) {
  __shared__ float partial[8][33];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int part = static_cast<int>(threadIdx.x) / 32;
  const int column = static_cast<int>(blockIdx.x) * 32 + lane;
  float sum = 0;
  for (int block = part; block < blocks; block += 8) {
    sum += __ldcs(arrays.scratch + static_cast<std::int64_t>(block) * 2 * columns + column);
  }
  partial[part][lane] = sum;
  __syncthreads();
  if (part != 0) return;
  for (int other = 1; other < 8; ++other) sum += partial[other][lane];
  if (column < columns) {
    arrays.dgamma[column] = sum;
  } else {
    arrays.dbeta[column - columns] = sum;
  }
}

int Processors() {
  int device = 0;
  int processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  return processors;
}

template <int kVectors>
cudaError_t Launch(BackwardVariant variant, const Backward& arrays, std::int64_t rows,
                   cudaStream_t stream) {
  const bool ring = variant == BackwardVariant::kRing;
  const auto kernel = ring ? RingRows<kVectors> : RegisterRows<kVectors>;
  const std::size_t shared = ring ? sizeof(Ring<kVectors>) : 0;
  const cudaError_t raised = cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
  if (raised != cudaSuccess) return raised;
  const int wanted = Processors() * (kVectors == 1 ? 2 : 1);
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(rows, wanted));
  kernel<<<blocks, kThreads, shared, stream>>>(arrays, rows);
  constexpr int kColumns = kVectors * kThreads * 8;
  AddBlocks<<<2 * kColumns / 32, 256, 0, stream>>>(arrays, kColumns, static_cast<int>(blocks));
  return cudaGetLastError();
}

}  // namespace

const char* WhyNot(BackwardVariant variant, const Shape& shape, int compute_capability) {
  if (variant == BackwardVariant::kRing && compute_capability < 90) {
    return "bulk copies need sm_90";
  }
  if (shape.columns == 4096 || shape.columns == 8192) return "";
  return "rows of 4096 or 8192 columns only";
}

std::int64_t ScratchFloats(const Shape& shape) {
  return static_cast<std::int64_t>(Processors()) * 2 * 2 * shape.columns;
}

cudaError_t RunBackward(BackwardVariant variant, const Backward& arrays, const Shape& shape,
                        cudaStream_t stream) {
  if (shape.columns == 4096) return Launch<1>(variant, arrays, shape.rows, stream);
  if (shape.columns == 8192) return Launch<2>(variant, arrays, shape.rows, stream);
  return cudaErrorInvalidValue;
}

}  // namespace sibyl::lab::layernorm
