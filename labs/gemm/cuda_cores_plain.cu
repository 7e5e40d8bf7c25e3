// SPDX-License-Identifier: Apache-2.0
// float32 on the ordinary units, the plain version: the baseline of cuda_cores.cu, for every GPU.
// Floor: 128 FFMA a clock and multiprocessor. 128 x 128 of C a block, 8 x 8 a thread. Both matrices
// run along K, so they are transposed while they are written to shared memory; the inner loop then
// reads four neighbours of a row at once, and each word read feeds eight multiplications.
#include "gemm/gemm.h"

namespace sibyl::lab::gemm {
namespace {

constexpr int kTile = 128;
constexpr int kTileK = 16;
constexpr int kThreads = 256;
constexpr int kPitch = kTile + 4;

struct Stage {
  float a[kTileK][kPitch];
  float b[kTileK][kPitch];
};

/// A thread's share of a stage: 2 x 4 neighbours along K of A and of B.
struct Share {
  float4 a[2];
  float4 b[2];
};

__device__ __forceinline__ Share Fetch(const float* a, const float* b, std::int64_t k) {
  Share share;
  const int row = static_cast<int>(threadIdx.x) / 4;
  const int column = static_cast<int>(threadIdx.x) % 4 * 4;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    share.a[i] = __ldg(reinterpret_cast<const float4*>(a + (row + i * 64) * k + column));
    share.b[i] = __ldg(reinterpret_cast<const float4*>(b + (row + i * 64) * k + column));
  }
  return share;
}

__device__ __forceinline__ void PutTurned(float (&to)[kTileK][kPitch], const float4& four, int row,
                                          int column) {
  to[column][row] = four.x;
  to[column + 1][row] = four.y;
  to[column + 2][row] = four.z;
  to[column + 3][row] = four.w;
}

__device__ __forceinline__ void Put(Stage& stage, const Share& share) {
  const int row = static_cast<int>(threadIdx.x) / 4;
  const int column = static_cast<int>(threadIdx.x) % 4 * 4;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    PutTurned(stage.a, share.a[i], row + i * 64, column);
    PutTurned(stage.b, share.b[i], row + i * 64, column);
  }
}

__device__ __forceinline__ void ReadEight(float (&values)[8], const float* from) {
  const float4 low = *reinterpret_cast<const float4*>(from);
  const float4 high = *reinterpret_cast<const float4*>(from + 64);
  values[0] = low.x;
  values[1] = low.y;
  values[2] = low.z;
  values[3] = low.w;
  values[4] = high.x;
  values[5] = high.y;
  values[6] = high.z;
  values[7] = high.w;
}

__global__ void __launch_bounds__(kThreads, 2) Multiply(Operands operands, int n, int k) {
  __shared__ Stage stages[2];
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * kTile;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kTile;
  const float* a = static_cast<const float*>(operands.a) + row * k;
  const float* b = static_cast<const float*>(operands.b) + column * k;
  // A warp covers 32 x 64 of C: 4 rows of threads by 8, each with 4 + 4 rows and columns 64 apart.
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int my_row = warp / 2 * 16 + lane / 8 * 4;
  const int my_column = warp % 2 * 32 + lane % 8 * 4;
  float sums[8][8] = {};
  Put(stages[0], Fetch(a, b, k));
  __syncthreads();
  const int steps = k / kTileK;
  for (int step = 0; step < steps; ++step) {
    const bool more = step + 1 < steps;
    Share next;
    if (more) next = Fetch(a + (step + 1) * kTileK, b + (step + 1) * kTileK, k);
    const Stage& stage = stages[step & 1];
#pragma unroll
    for (int i = 0; i < kTileK; ++i) {
      float left[8];
      float right[8];
      ReadEight(left, &stage.a[i][my_row]);
      ReadEight(right, &stage.b[i][my_column]);
#pragma unroll
      for (int y = 0; y < 8; ++y) {
#pragma unroll
        for (int x = 0; x < 8; ++x) sums[y][x] = fmaf(left[y], right[x], sums[y][x]);
      }
    }
    if (more) Put(stages[(step + 1) & 1], next);
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 8; ++y) {
    const std::int64_t at = row + my_row + y % 4 + y / 4 * 64;
    float* c = static_cast<float*>(operands.c) + at * n + column + my_column;
    *reinterpret_cast<float4*>(c) = make_float4(sums[y][0], sums[y][1], sums[y][2], sums[y][3]);
    *reinterpret_cast<float4*>(c + 64) =
        make_float4(sums[y][4], sums[y][5], sums[y][6], sums[y][7]);
  }
}

}  // namespace

cudaError_t RunCudaCoresPlain(const Operands& operands, const Shape& shape, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(shape.n / kTile), static_cast<unsigned>(shape.m / kTile));
  Multiply<<<grid, kThreads, 0, stream>>>(operands, static_cast<int>(shape.n),
                                          static_cast<int>(shape.k));
  return cudaGetLastError();
}

}  // namespace sibyl::lab::gemm
