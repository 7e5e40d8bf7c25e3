// SPDX-License-Identifier: Apache-2.0
// The road cuBLAS takes on Hopper. Blocks live as long as the kernel and work off 128 x 256 tiles
// of C; one warpgroup does nothing but ask the tensor map engine for the next 128 bytes of K, two
// others multiply, 64 rows each. Two blocks form a cluster and share a column of tiles: each
// fetches half of B's part and the engine writes it to both, which halves what B costs the L2
// cache.
//
// A stage is free when all four multiplying warpgroups of the cluster have read it, since the
// neighbour's engine writes here too; so they arrive on both blocks' barriers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>

#include "gemm/gemm.h"
#include "gemm/wgmma.cuh"
#include "harness/bulk.cuh"
#include "harness/cluster.cuh"
#include "harness/tensor_map.h"
#include "harness/warpgroup.cuh"

namespace sibyl::lab::gemm {
namespace {

constexpr int kTileM = 128;
constexpr int kTileN = 256;
constexpr int kRowBytes = 128;  // Of K, in a stage.
constexpr int kStages = 4;
constexpr int kCluster = 2;
constexpr int kConsumers = 2;
constexpr int kThreads = 128 * (1 + kConsumers);
constexpr int kABytes = kTileM * kRowBytes;
constexpr int kBBytes = kTileN * kRowBytes;
constexpr int kStageBytes = kABytes + kBBytes;
constexpr int kSharedBytes = kStages * kStageBytes + 1024 + 256;
constexpr int kGroup = 8;  // Rows of cluster tiles that are walked together, so that B stays in L2.

struct Problem {
  int clusters_m;  // Tiles of 256 rows: a cluster's two blocks stand one above the other.
  int tiles_n;
  int steps;  // 128-byte pieces of K.
  int n;
  void* c;
};

struct Tile {
  int m;
  int n;
};

/// Which tile comes at which turn: down groups of kGroup cluster rows, then one column to the
/// right.
__device__ __forceinline__ Tile TileAt(const Problem& problem, int turn) {
  const int per_group = kGroup * problem.tiles_n;
  const int group = turn / per_group;
  const int rows = min(kGroup, problem.clusters_m - group * kGroup);
  const int inside = turn - group * per_group;
  return {group * kGroup + inside % rows, inside / rows};
}

struct Pipeline {
  unsigned char* stages;
  std::uint64_t* full;
  std::uint64_t* empty;
  int stage = 0;
  std::uint32_t parity = 0;

  __device__ unsigned char* a() const { return stages + stage * kStageBytes; }
  __device__ unsigned char* b() const { return a() + kABytes; }
  __device__ void Advance() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

template <int kElements>
__device__ void Produce(Pipeline pipe, const Problem& problem, const CUtensorMap& a,
                        const CUtensorMap& b) {
  const auto rank = static_cast<int>(cluster::Rank());
  const int turns = problem.clusters_m * problem.tiles_n;
  for (int turn = static_cast<int>(blockIdx.x) / kCluster; turn < turns;
       turn += static_cast<int>(gridDim.x) / kCluster) {
    const Tile tile = TileAt(problem, turn);
    const int row_a = (tile.m * kCluster + rank) * kTileM;
    const int row_b = tile.n * kTileN + rank * kTileN / kCluster;
    for (int step = 0; step < problem.steps; ++step) {
      // The first pass over the ring finds the barriers in the phase before their first: free.
      bulk::Wait(&pipe.empty[pipe.stage], pipe.parity ^ 1);
      std::uint64_t* full = &pipe.full[pipe.stage];
      bulk::ArriveExpecting(full, kStageBytes);
      bulk::LoadTile(pipe.a(), a, step * kElements, row_a, full);
      cluster::LoadTileForBoth(pipe.b() + rank * kBBytes / kCluster, b, step * kElements, row_b,
                               full);
      pipe.Advance();
    }
  }
}

template <Type kType>
__device__ __forceinline__ std::uint32_t PackPair(float low, float high) {
  if constexpr (kType == Type::kHalf) {
    const __half2 two = __floats2half2_rn(low, high);
    return *reinterpret_cast<const std::uint32_t*>(&two);
  } else {
    const __nv_bfloat162 two = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const std::uint32_t*>(&two);
  }
}

/// Accumulator layout of m64n256: thread t holds rows t/4 % 8 + 16 (t/32 % 4) and 8 below, columns
/// 8 j + 2 (t % 4) and the next.
template <Type kType>
__device__ __forceinline__ void StoreTile(const Problem& problem, const float (&d)[128], int row,
                                          int column) {
  const int thread = static_cast<int>(threadIdx.x) % 128;
  const int first_row = row + thread / 32 * 16 + thread % 32 / 4;
  const std::int64_t n = problem.n;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const std::int64_t at = (first_row + half * 8) * n + column;
    if constexpr (OutputBytes(kType) == 4) {
#pragma unroll
      for (int j = 0; j < 32; ++j) {
        auto* to = static_cast<float*>(problem.c) + at + j * 8 + thread % 4 * 2;
        __stcs(reinterpret_cast<float2*>(to),
               make_float2(d[j * 4 + half * 2], d[j * 4 + half * 2 + 1]));
      }
    } else {
#pragma unroll
      for (int j = 0; j < 32; j += 4) {
        std::uint32_t words[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          words[i] = PackPair<kType>(d[(j + i) * 4 + half * 2], d[(j + i) * 4 + half * 2 + 1]);
        }
        auto* to = static_cast<std::uint16_t*>(problem.c) + at + (j + thread % 4) * 8;
        __stcs(reinterpret_cast<uint4*>(to), warpgroup::Transpose4(words));
      }
    }
  }
}

template <Type kType>
__device__ void Consume(Pipeline pipe, const Problem& problem, int consumer) {
  const auto rank = static_cast<int>(cluster::Rank());
  const int thread = static_cast<int>(threadIdx.x) % 128;
  const int turns = problem.clusters_m * problem.tiles_n;
  // Lanes 0 and 1 tell one block each that this warpgroup has read a stage.
  const auto release = [&](int stage) {
    if (thread < kCluster)
      cluster::ArriveAt(&pipe.empty[stage], static_cast<std::uint32_t>(thread));
  };
  float d[128];
  for (int turn = static_cast<int>(blockIdx.x) / kCluster; turn < turns;
       turn += static_cast<int>(gridDim.x) / kCluster) {
    const Tile tile = TileAt(problem, turn);
    int previous = 0;
    for (int step = 0; step < problem.steps; ++step) {
      bulk::Wait(&pipe.full[pipe.stage], pipe.parity);
      const std::uint64_t a = warpgroup::TileDescriptor(pipe.a() + consumer * 64 * kRowBytes);
      const std::uint64_t b = warpgroup::TileDescriptor(pipe.b());
      warpgroup::Fence();
#pragma unroll
      for (int piece = 0; piece < 4; ++piece) {
        // 32 bytes further along K, in the descriptor's units of 16.
        Wgmma<kType>(d, a + piece * 2, b + piece * 2, step > 0 || piece > 0 ? 1 : 0);
      }
      warpgroup::Commit();
      warpgroup::Wait<1>();
      if (step > 0) release(previous);
      previous = pipe.stage;
      pipe.Advance();
    }
    warpgroup::Wait<0>();
    release(previous);
    const int row = (tile.m * kCluster + rank) * kTileM + consumer * 64;
    StoreTile<kType>(problem, d, row, tile.n * kTileN);
  }
}

template <Type kType>
__global__ void __cluster_dims__(kCluster, 1, 1) __launch_bounds__(kThreads, 1)
    Multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
             Problem problem) {
  extern __shared__ unsigned char shared[];
  const std::uint32_t base = bulk::SharedAddress(shared);
  unsigned char* aligned = shared + ((base + 1023) / 1024 * 1024 - base);
  auto* barriers = reinterpret_cast<std::uint64_t*>(aligned + kStages * kStageBytes);
  const Pipeline pipe{.stages = aligned, .full = barriers, .empty = barriers + kStages};
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      bulk::InitBarrier(&pipe.full[i], 1);
      bulk::InitBarrier(&pipe.empty[i], kConsumers * kCluster);
    }
    bulk::PublishBarriers();
  }
  cluster::Barrier();
  const int group = static_cast<int>(threadIdx.x) / 128;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) Produce<kRowBytes / InputBytes(kType)>(pipe, problem, a, b);
    __syncwarp();
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    Consume<kType>(pipe, problem, group - 1);
  }
  // A block must not end while its neighbour's engine or arrivals may still reach it.
  cluster::Barrier();
}

bool MakeMap(CUtensorMap& map, Type type, const void* matrix, std::int64_t rows, std::int64_t k) {
  const CUtensorMapDataType data = type == Type::kTf32   ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
                                   : type == Type::kHalf ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                                   : type == Type::kBf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                                         : CU_TENSOR_MAP_DATA_TYPE_UINT8;
  return MakeTileMap(
      map,
      {.data = matrix, .type = data, .element_bytes = InputBytes(type), .rows = rows, .columns = k},
      128);
}

template <Type kType>
cudaError_t Launch(const Operands& operands, const Shape& shape, cudaStream_t stream) {
  CUtensorMap a;
  CUtensorMap b;
  if (!MakeMap(a, kType, operands.a, shape.m, shape.k) ||
      !MakeMap(b, kType, operands.b, shape.n, shape.k)) {
    return cudaErrorNotSupported;
  }
  const Problem problem = {.clusters_m = static_cast<int>(shape.m / (kTileM * kCluster)),
                           .tiles_n = static_cast<int>(shape.n / kTileN),
                           .steps = static_cast<int>(shape.k * InputBytes(kType) / kRowBytes),
                           .n = static_cast<int>(shape.n),
                           .c = operands.c};
  const cudaError_t raised = cudaFuncSetAttribute(
      Multiply<kType>, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  if (raised != cudaSuccess) return raised;
  int device = 0;
  int processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const int blocks = std::min(processors / kCluster, problem.clusters_m * problem.tiles_n);
  Multiply<kType>
      <<<static_cast<unsigned>(blocks * kCluster), kThreads, kSharedBytes, stream>>>(a, b, problem);
  return cudaGetLastError();
}

}  // namespace

cudaError_t RunWgmma(Type type, const Operands& operands, const Shape& shape, cudaStream_t stream) {
  switch (type) {
    case Type::kTf32:
      return Launch<Type::kTf32>(operands, shape, stream);
    case Type::kHalf:
      return Launch<Type::kHalf>(operands, shape, stream);
    case Type::kBf16:
      return Launch<Type::kBf16>(operands, shape, stream);
    case Type::kE4m3:
      return Launch<Type::kE4m3>(operands, shape, stream);
    case Type::kFloat:
      break;
  }
  return cudaErrorInvalidValue;
}

}  // namespace sibyl::lab::gemm
