// SPDX-License-Identifier: Apache-2.0
// Forward: a row is read once, so it must stay on the chip between its mean and its output. The
// variance is the mean of squared distances from the mean, as the definition has it; the mean of
// squares less the square of the mean would lose all digits of rows far from zero.
#include <algorithm>

#include "harness/bulk.cuh"
#include "layernorm/layernorm.h"
#include "layernorm/rows.cuh"

namespace sibyl::lab::layernorm {
namespace {

constexpr int kWarpsPerBlock = 4;

/// kVectors of 8 columns a lane: 256 * kVectors columns.
template <int kVectors>
__global__ void __launch_bounds__(kWarpsPerBlock * 32, kVectors == 16 ? 3 : 4)
    WarpRows(Forward arrays, std::int64_t rows) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t row =
      static_cast<std::int64_t>(blockIdx.x) * kWarpsPerBlock + threadIdx.x / 32;
  if (row >= rows) return;
  constexpr int kColumns = kVectors * 256;
  const auto* x = reinterpret_cast<const uint4*>(arrays.x + row * kColumns);
  uint4 vectors[kVectors];
#pragma unroll
  for (int i = 0; i < kVectors; ++i) vectors[i] = __ldcs(x + i * 32 + lane);
  float values[8];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    Widen(vectors[i], values);
#pragma unroll
    for (int j = 0; j < 8; ++j) sum += values[j];
  }
  const float mean = WarpSum(sum) / kColumns;
  float squares = 0;
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    Widen(vectors[i], values);
#pragma unroll
    for (int j = 0; j < 8; ++j) squares = fmaf(values[j] - mean, values[j] - mean, squares);
  }
  const float inverse = rsqrtf(WarpSum(squares) / kColumns + arrays.epsilon);
  if (lane == 0) {
    arrays.mean[row] = mean;
    arrays.inverse[row] = inverse;
  }
  auto* y = reinterpret_cast<uint4*>(arrays.y + row * kColumns);
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    float gamma[8];
    float beta[8];
    Widen(__ldg(reinterpret_cast<const uint4*>(arrays.gamma) + i * 32 + lane), gamma);
    Widen(__ldg(reinterpret_cast<const uint4*>(arrays.beta) + i * 32 + lane), beta);
    Widen(vectors[i], values);
#pragma unroll
    for (int j = 0; j < 8; ++j) values[j] = fmaf((values[j] - mean) * inverse, gamma[j], beta[j]);
    __stcs(y + i * 32 + lane, Narrow(values));
  }
}

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kStages = 4;

/// One row by a block; a thread has kVectors * 8 of its columns. One barrier serves both sums: a
/// warp takes squared distances from its own mean, and they are moved to the row's mean afterwards
/// (all warps hold equally many columns).
template <int kVectors>
__device__ __forceinline__ void NormaliseRow(const Forward& arrays, std::int64_t row,
                                             const uint4 (&vectors)[kVectors],
                                             const uint4 (&gamma)[kVectors],
                                             const uint4 (&beta)[kVectors],
                                             float2 (&buffer)[kWarps]) {
  constexpr int kColumns = kVectors * kThreads * 8;
  constexpr float kWarpColumns = kVectors * 256.0f;
  const int thread = static_cast<int>(threadIdx.x);
  float values[8];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    Widen(vectors[i], values);
#pragma unroll
    for (int j = 0; j < 8; ++j) sum += values[j];
  }
  const float warp_mean = WarpSum(sum) * (1.0f / kWarpColumns);
  float squares = 0;
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    Widen(vectors[i], values);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      squares = fmaf(values[j] - warp_mean, values[j] - warp_mean, squares);
    }
  }
  squares = WarpSum(squares);
  if (thread % 32 == 0) buffer[thread / 32] = make_float2(warp_mean, squares);
  __syncthreads();
  float mean = 0;
  float variance = 0;
#pragma unroll
  for (int warp = 0; warp < kWarps; ++warp) mean += buffer[warp].x * (1.0f / kWarps);
#pragma unroll
  for (int warp = 0; warp < kWarps; ++warp) {
    const float distance = buffer[warp].x - mean;
    variance += fmaf(distance * distance, kWarpColumns, buffer[warp].y);
  }
  const float inverse = rsqrtf(variance * (1.0f / kColumns) + arrays.epsilon);
  if (thread == 0) {
    arrays.mean[row] = mean;
    arrays.inverse[row] = inverse;
  }
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    float scale[8];
    float shift[8];
    Widen(gamma[i], scale);
    Widen(beta[i], shift);
    Widen(vectors[i], values);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      values[j] = fmaf((values[j] - mean) * inverse, scale[j], shift[j]);
    }
    __stcs(reinterpret_cast<uint4*>(arrays.y + row * kColumns) + i * kThreads + thread,
           Narrow(values));
  }
}

template <int kVectors>
__device__ __forceinline__ void LoadColumns(const std::uint16_t* from, uint4 (&to)[kVectors]) {
#pragma unroll
  for (int i = 0; i < kVectors; ++i) {
    to[i] = __ldg(reinterpret_cast<const uint4*>(from) + i * kThreads + threadIdx.x);
  }
}

template <int kVectors>
__global__ void __launch_bounds__(kThreads, kVectors == 1   ? 4
                                            : kVectors == 2 ? 3
                                                            : 2)
    BlockRows(Forward arrays, std::int64_t rows) {
  __shared__ float2 buffers[2][kWarps];
  constexpr int kColumns = kVectors * kThreads * 8;
  uint4 gamma[kVectors], beta[kVectors], next[kVectors];
  LoadColumns(arrays.gamma, gamma);
  LoadColumns(arrays.beta, beta);
  LoadColumns(arrays.x + static_cast<std::int64_t>(blockIdx.x) * kColumns, next);
  int turn = 0;
  for (std::int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    uint4 vectors[kVectors];
#pragma unroll
    for (int i = 0; i < kVectors; ++i) vectors[i] = next[i];
    const std::int64_t after = row + gridDim.x;
    if (after < rows) LoadColumns(arrays.x + after * kColumns, next);
    NormaliseRow(arrays, row, vectors, gamma, beta, buffers[turn++ & 1]);
  }
}

template <int kVectors>
struct Ring {
  uint4 x[kStages][kVectors * kThreads];
  std::uint64_t full[kStages];
  float2 buffers[2][kWarps];
};

template <int kVectors>
__global__ void __launch_bounds__(kThreads, kVectors == 1 ? 4 : kVectors == 2 ? 3 : 2)
    RingRows(Forward arrays, std::int64_t rows) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char shared[];
  auto& ring = *reinterpret_cast<Ring<kVectors>*>(shared);
  constexpr int kColumns = kVectors * kThreads * 8;
  const int thread = static_cast<int>(threadIdx.x);
  const auto fetch = [&](std::int64_t row, int stage) {
    if (thread != 0 || row >= rows) return;
    bulk::ArriveExpecting(&ring.full[stage], kColumns * 2);
    bulk::Load(ring.x[stage], arrays.x + row * kColumns, kColumns * 2, &ring.full[stage]);
  };
  if (thread == 0) {
    for (int stage = 0; stage < kStages; ++stage) bulk::InitBarrier(&ring.full[stage], 1);
    bulk::PublishBarriers();
  }
  __syncthreads();
  for (int stage = 0; stage < kStages; ++stage) fetch(blockIdx.x + stage * gridDim.x, stage);
  uint4 gamma[kVectors], beta[kVectors];
  LoadColumns(arrays.gamma, gamma);
  LoadColumns(arrays.beta, beta);
  int turn = 0;
  for (std::int64_t row = blockIdx.x; row < rows; row += gridDim.x, ++turn) {
    const int stage = turn % kStages;
    bulk::Wait(&ring.full[stage], turn / kStages & 1);
    uint4 vectors[kVectors];
#pragma unroll
    for (int i = 0; i < kVectors; ++i) vectors[i] = ring.x[stage][i * kThreads + thread];
    NormaliseRow(arrays, row, vectors, gamma, beta, ring.buffers[turn & 1]);
    // The barrier inside proves that every thread has taken its part of the stage.
    fetch(row + kStages * static_cast<std::int64_t>(gridDim.x), stage);
  }
#endif
}

template <int kVectors>
cudaError_t LaunchWarps(const Forward& arrays, std::int64_t rows, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((rows + kWarpsPerBlock - 1) / kWarpsPerBlock);
  WarpRows<kVectors><<<blocks, kWarpsPerBlock * 32, 0, stream>>>(arrays, rows);
  return cudaGetLastError();
}

template <int kVectors>
cudaError_t LaunchBlocks(ForwardVariant variant, const Forward& arrays, std::int64_t rows,
                         cudaStream_t stream) {
  const bool ring = variant == ForwardVariant::kRing;
  const auto kernel = ring ? RingRows<kVectors> : BlockRows<kVectors>;
  const int shared = ring ? static_cast<int>(sizeof(Ring<kVectors>)) : 0;
  const cudaError_t raised =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  if (raised != cudaSuccess) return raised;
  int device = 0;
  int processors = 0;
  int per_processor = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, kThreads, shared);
  const auto blocks =
      static_cast<unsigned>(std::min<std::int64_t>(rows, processors * per_processor));
  kernel<<<blocks, kThreads, shared, stream>>>(arrays, rows);
  return cudaGetLastError();
}

}  // namespace

const char* WhyNot(ForwardVariant variant, const Shape& shape, int compute_capability) {
  if (variant == ForwardVariant::kRing && compute_capability < 90) return "bulk copies need sm_90";
  const std::int64_t columns = shape.columns;
  if (columns == 2048 || columns == 4096) return "";
  if (variant == ForwardVariant::kWarp) {
    return columns == 1024 ? "" : "rows of 1024, 2048 or 4096 columns only";
  }
  return columns == 8192 ? "" : "rows of 2048, 4096 or 8192 columns only";
}

cudaError_t RunForward(ForwardVariant variant, const Forward& arrays, const Shape& shape,
                       cudaStream_t stream) {
  if (variant == ForwardVariant::kWarp) {
    if (shape.columns == 1024) return LaunchWarps<4>(arrays, shape.rows, stream);
    if (shape.columns == 2048) return LaunchWarps<8>(arrays, shape.rows, stream);
    if (shape.columns == 4096) return LaunchWarps<16>(arrays, shape.rows, stream);
    return cudaErrorInvalidValue;
  }
  if (shape.columns == 2048) return LaunchBlocks<1>(variant, arrays, shape.rows, stream);
  if (shape.columns == 4096) return LaunchBlocks<2>(variant, arrays, shape.rows, stream);
  if (shape.columns == 8192) return LaunchBlocks<4>(variant, arrays, shape.rows, stream);
  return cudaErrorInvalidValue;
}

}  // namespace sibyl::lab::layernorm
