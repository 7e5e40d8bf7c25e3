// SPDX-License-Identifier: Apache-2.0
// The documented C++ interface to the matrix units, used plainly: 128 x 128 of C a block, two
// stages by asynchronous copies, rows padded against bank conflicts. What most tutorials end with.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <type_traits>

#include "gemm/gemm.h"

namespace sibyl::lab::gemm {
namespace {

namespace wmma = nvcuda::wmma;

constexpr int kTile = 128;
constexpr int kTileK = 32;
constexpr int kPitch = kTileK + 8;
constexpr int kThreads = 256;
constexpr int kStages = 3;

__device__ __forceinline__ void CopyAsync(void* to, const void* from) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
}

template <typename T>
struct Stage {
  T a[kTile][kPitch];
  T b[kTile][kPitch];
};

template <typename T>
__device__ __forceinline__ void Fetch(Stage<T>& stage, const T* a, const T* b, std::int64_t k) {
  // 128 rows of 64 bytes: four pieces a row.
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int piece = static_cast<int>(threadIdx.x) + i * kThreads;
    const int row = piece / 4;
    const int column = piece % 4 * 8;
    CopyAsync(&stage.a[row][column], a + row * k + column);
    CopyAsync(&stage.b[row][column], b + row * k + column);
  }
}

template <typename T>
union Shared {
  Stage<T> stages[kStages];
  float out[8][16][20];
};

template <typename T>
__device__ __forceinline__ T FromFloat(float value) {
  if constexpr (std::is_same_v<T, __half>) {
    return __float2half(value);
  } else {
    return __float2bfloat16(value);
  }
}

template <typename T>
__global__ void __launch_bounds__(kThreads, 2) Multiply(Operands operands, int n, int k) {
  extern __shared__ __align__(128) unsigned char bytes[];
  auto& shared = *reinterpret_cast<Shared<T>*>(bytes);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warp_m = warp / 2 * 32;
  const int warp_n = warp % 2 * 64;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * kTile;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kTile;
  const T* a = static_cast<const T*>(operands.a) + row * k;
  const T* b = static_cast<const T*>(operands.b) + column * k;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][4];
  for (auto& line : sums) {
    for (auto& sum : line) wmma::fill_fragment(sum, 0.0f);
  }
  const int steps = k / kTileK;
  for (int step = 0; step < kStages - 1; ++step) {
    if (step < steps) Fetch(shared.stages[step], a + step * kTileK, b + step * kTileK, k);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
    __syncthreads();
    const int ahead = step + kStages - 1;
    if (ahead < steps) {
      Fetch(shared.stages[ahead % kStages], a + ahead * kTileK, b + ahead * kTileK, k);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    const Stage<T>& stage = shared.stages[step % kStages];
#pragma unroll
    for (int piece = 0; piece < kTileK; piece += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> left[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::col_major> right[4];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(left[i], &stage.a[warp_m + i * 16][piece], kPitch);
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        wmma::load_matrix_sync(right[j], &stage.b[warp_n + j * 16][piece], kPitch);
      }
#pragma unroll
      for (int i = 0; i < 2; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
      }
    }
  }
  // The interface stores float only; a small patch of shared memory turns it into the output's
  // type.
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      wmma::store_matrix_sync(&shared.out[warp][0][0], sums[i][j], 20, wmma::mem_row_major);
      __syncwarp();
      T* c = static_cast<T*>(operands.c) + (row + warp_m + i * 16 + lane / 2) * n + column +
             warp_n + j * 16 + lane % 2 * 8;
      __align__(16) T eight[8];
#pragma unroll
      for (int e = 0; e < 8; ++e) {
        eight[e] = FromFloat<T>(shared.out[warp][lane / 2][lane % 2 * 8 + e]);
      }
      *reinterpret_cast<uint4*>(c) = *reinterpret_cast<const uint4*>(eight);
      __syncwarp();
    }
  }
}

template <typename T>
cudaError_t Launch(const Operands& operands, const Shape& shape, cudaStream_t stream) {
  const cudaError_t raised = cudaFuncSetAttribute(
      Multiply<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared<T>));
  if (raised != cudaSuccess) return raised;
  const dim3 grid(static_cast<unsigned>(shape.n / kTile), static_cast<unsigned>(shape.m / kTile));
  Multiply<T><<<grid, kThreads, sizeof(Shared<T>), stream>>>(operands, static_cast<int>(shape.n),
                                                             static_cast<int>(shape.k));
  return cudaGetLastError();
}

}  // namespace

cudaError_t RunWmma(Type type, const Operands& operands, const Shape& shape, cudaStream_t stream) {
  if (type == Type::kHalf) return Launch<__half>(operands, shape, stream);
  return Launch<__nv_bfloat16>(operands, shape, stream);
}

}  // namespace sibyl::lab::gemm
