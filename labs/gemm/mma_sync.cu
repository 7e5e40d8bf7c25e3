// SPDX-License-Identifier: Apache-2.0
// The road of Ampere, still open on every newer architecture: asynchronous copies into a ring of
// stages, ldmatrix into fragments, mma.sync m16n8k16. A block of eight warps makes 128 x 256 of C,
// a warp 64 x 64. Rows of a stage are 128 bytes; the 16-byte pieces of a row are exchanged by the
// row's number modulo 8, so that the eight rows an ldmatrix reads lie in different banks.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "gemm/gemm.h"

namespace sibyl::lab::gemm {
namespace {

constexpr int kTileM = 128;
constexpr int kTileN = 256;
constexpr int kTileK = 64;
constexpr int kStages = 4;
constexpr int kThreads = 256;
constexpr int kABytes = kTileM * kTileK * 2;
constexpr int kBBytes = kTileN * kTileK * 2;
constexpr int kStageBytes = kABytes + kBBytes;
constexpr int kSharedBytes = kStages * kStageBytes;
constexpr int kGroup = 8;

__device__ __forceinline__ std::uint32_t Swizzled(int row, int piece) {
  return static_cast<std::uint32_t>(row * 128 + ((piece ^ (row & 7)) << 4));
}

__device__ __forceinline__ void CopyAsync(std::uint32_t to, const void* from) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from)
               : "memory");
}

__device__ __forceinline__ void LoadMatrices(std::uint32_t (&out)[4], std::uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
               : "r"(address));
}

template <Type kType>
__device__ __forceinline__ void Mma(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                    std::uint32_t b1) {
  if constexpr (kType == Type::kBf16) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
        "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
        "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
}

/// Where a thread's part of each stage comes from and goes to: rows 32 apart, the same 16-byte
/// piece.
struct Feeder {
  const unsigned char* a;
  const unsigned char* b;
  std::int64_t pitch;  // Bytes of a row of A and of B.
  std::uint32_t to;

  __device__ void Fetch(std::uint32_t stage, int step) const {
    const std::int64_t along = static_cast<std::int64_t>(step) * kTileK * 2;
#pragma unroll
    for (int i = 0; i < kTileM / 32; ++i) {
      CopyAsync(stage + to + i * 32 * 128, a + along + i * 32 * pitch);
    }
#pragma unroll
    for (int i = 0; i < kTileN / 32; ++i) {
      CopyAsync(stage + kABytes + to + i * 32 * 128, b + along + i * 32 * pitch);
    }
  }
};

struct Fragments {
  std::uint32_t a[4][4];
  std::uint32_t b[4][4];  // Each of the four: two columns of 8, both halves of k.
};

__device__ __forceinline__ void LoadFragments(Fragments& f, std::uint32_t stage, int warp_m,
                                              int warp_n, int piece) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int row = warp_m + i * 16 + lane % 16;
    LoadMatrices(f.a[i], stage + Swizzled(row, piece * 2 + lane / 16));
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int row = warp_n + j * 16 + lane % 8 + lane / 16 * 8;
    LoadMatrices(f.b[j], stage + kABytes + Swizzled(row, piece * 2 + lane / 8 % 2));
  }
}

template <Type kType>
__device__ __forceinline__ void MultiplyFragments(float (&d)[4][8][4], const Fragments& f) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      Mma<kType>(d[i][2 * j], f.a[i], f.b[j][0], f.b[j][1]);
      Mma<kType>(d[i][2 * j + 1], f.a[i], f.b[j][2], f.b[j][3]);
    }
  }
}

template <Type kType>
__device__ __forceinline__ std::uint32_t Pair(float low, float high) {
  if constexpr (kType == Type::kHalf) {
    const __half2 two = __floats2half2_rn(low, high);
    return *reinterpret_cast<const std::uint32_t*>(&two);
  } else {
    const __nv_bfloat162 two = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const std::uint32_t*>(&two);
  }
}

template <Type kType>
__device__ __forceinline__ void StoreWarp(std::uint16_t* c, int n, const float (&d)[4][8][4]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const std::int64_t row = i * 16 + half * 8 + lane / 4;
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        *reinterpret_cast<std::uint32_t*>(c + row * n + j * 8 + lane % 4 * 2) =
            Pair<kType>(d[i][j][half * 2], d[i][j][half * 2 + 1]);
      }
    }
  }
}

template <Type kType>
__global__ void __launch_bounds__(kThreads, 1)
    Multiply(Operands operands, int n, int k, int tiles_m, int tiles_n) {
  extern __shared__ __align__(1024) unsigned char shared[];
  const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  const int thread = static_cast<int>(threadIdx.x);
  // Groups of kGroup rows of tiles, column by column, keep the parts in flight small enough for L2.
  const int per_group = kGroup * tiles_n;
  const int group = static_cast<int>(blockIdx.x) / per_group;
  const int rows = min(kGroup, tiles_m - group * kGroup);
  const int inside = static_cast<int>(blockIdx.x) - group * per_group;
  const int row = (group * kGroup + inside % rows) * kTileM;
  const int column = inside / rows * kTileN;
  const std::int64_t pitch = static_cast<std::int64_t>(k) * 2;
  const Feeder feeder = {.a = static_cast<const unsigned char*>(operands.a) +
                              (row + thread / 8) * pitch + thread % 8 * 16,
                         .b = static_cast<const unsigned char*>(operands.b) +
                              (column + thread / 8) * pitch + thread % 8 * 16,
                         .pitch = pitch,
                         .to = Swizzled(thread / 8, thread % 8)};
  const int steps = k / kTileK;
#pragma unroll
  for (int stage = 0; stage < kStages - 1; ++stage) {
    if (stage < steps) feeder.Fetch(base + stage * kStageBytes, stage);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  const int warp = thread / 32;
  const int warp_m = warp / 4 * 64;
  const int warp_n = warp % 4 * 64;
  float d[4][8][4] = {};
  Fragments fragments[2];
  constexpr int kPieces = kTileK / 16;
  asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
  __syncthreads();
  LoadFragments(fragments[0], base, warp_m, warp_n, 0);
  for (int step = 0; step < steps; ++step) {
    const std::uint32_t stage = base + step % kStages * kStageBytes;
#pragma unroll
    for (int piece = 0; piece < kPieces; ++piece) {
      // The barrier stands before the last piece's multiplications, and the next stage's first
      // fragments are asked for before them: the matrix units never wait for shared memory.
      if (piece + 1 < kPieces) {
        LoadFragments(fragments[(piece + 1) & 1], stage, warp_m, warp_n, piece + 1);
      } else {
        asm volatile("cp.async.wait_group %0;" ::"n"(kStages - 2) : "memory");
        __syncthreads();
        const std::uint32_t after = base + (step + 1) % kStages * kStageBytes;
        LoadFragments(fragments[0], after, warp_m, warp_n, 0);
      }
      if (piece == 0) {
        // Fills the stage that all warps left at the last barrier.
        const int ahead = step + kStages - 1;
        if (ahead < steps) feeder.Fetch(base + ahead % kStages * kStageBytes, ahead);
        asm volatile("cp.async.commit_group;" ::: "memory");
      }
      MultiplyFragments<kType>(d, fragments[piece & 1]);
    }
  }
  auto* c = static_cast<std::uint16_t*>(operands.c) + static_cast<std::int64_t>(row + warp_m) * n +
            column + warp_n;
  StoreWarp<kType>(c, n, d);
}

}  // namespace

cudaError_t RunMmaSync(Type type, const Operands& operands, const Shape& shape,
                       cudaStream_t stream) {
  const auto kernel = type == Type::kHalf ? Multiply<Type::kHalf> : Multiply<Type::kBf16>;
  const cudaError_t raised =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  if (raised != cudaSuccess) return raised;
  const int tiles_m = static_cast<int>(shape.m / kTileM);
  const int tiles_n = static_cast<int>(shape.n / kTileN);
  kernel<<<static_cast<unsigned>(tiles_m * tiles_n), kThreads, kSharedBytes, stream>>>(
      operands, static_cast<int>(shape.n), static_cast<int>(shape.k), tiles_m, tiles_n);
  return cudaGetLastError();
}

}  // namespace sibyl::lab::gemm
