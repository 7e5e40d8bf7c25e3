// SPDX-License-Identifier: Apache-2.0
// The scores never leave the chip. A block takes 128 queries and walks over the keys, 128 at a
// time: one warpgroup feeds, two multiply, 64 queries each. Softmax runs on line: the largest score
// so far and the sum of exponentials are kept, and what was added up is rescaled when a larger one
// comes.
//
// The exponentials cost half as long as the matrix products, on units of their own; so they must
// run beside them. While a warpgroup turns one tile of scores into probabilities, the matrix units
// work on its previous outputs and on the other warpgroup's tiles.
#include <cuda_bf16.h>

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "attention/tiles.cuh"
#include "gemm/wgmma.cuh"
#include "harness/bulk.cuh"
#include "harness/tensor_map.h"

namespace sibyl::lab::attention {
namespace {

constexpr int kTile = 128;  // Queries of a block, and keys of a step.
constexpr int kStages = 2;
constexpr int kConsumers = 2;
constexpr int kThreads = 128 * (1 + kConsumers);
constexpr int kHalfBytes = kTile * 128;  // 64 columns: what one box of the tensor map holds.
constexpr int kTileBytes = 2 * kHalfBytes;
constexpr int kSharedBytes = kTileBytes * (1 + 2 * kStages) + 1024 + 256;

struct Problem {
  int tiles;     // Of queries, over all heads.
  int per_head;  // Tiles of queries in a head.
  int steps;     // Tiles of keys in a head.
  std::uint16_t* out;
  float scale;  // Of scores, for powers of two.
};

/// Shared memory and its barriers.
struct Stage {
  unsigned char* q;
  unsigned char* k;
  unsigned char* v;
  std::uint64_t* q_full;
  std::uint64_t* q_empty;
  std::uint64_t* k_full;
  std::uint64_t* k_empty;
  std::uint64_t* v_full;
  std::uint64_t* v_empty;
};

__device__ __forceinline__ Stage Carve(unsigned char* shared) {
  const std::uint32_t base = bulk::SharedAddress(shared);
  unsigned char* at = shared + ((base + 1023) / 1024 * 1024 - base);
  Stage stage;
  stage.q = at;
  stage.k = at + kTileBytes;
  stage.v = stage.k + kStages * kTileBytes;
  auto* barriers = reinterpret_cast<std::uint64_t*>(stage.v + kStages * kTileBytes);
  stage.q_full = barriers;
  stage.q_empty = barriers + 1;
  stage.k_full = barriers + 2;
  stage.k_empty = stage.k_full + kStages;
  stage.v_full = stage.k_empty + kStages;
  stage.v_empty = stage.v_full + kStages;
  return stage;
}

struct Turn {
  int stage = 0;
  std::uint32_t parity = 0;
  __device__ void Advance() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

/// Both halves of a tile's columns.
__device__ __forceinline__ void Fetch(unsigned char* to, const CUtensorMap& map, int row,
                                      std::uint64_t* full) {
  bulk::ArriveExpecting(full, kTileBytes);
  gemm::LoadTile(to, map, 0, row, full);
  gemm::LoadTile(to + kHalfBytes, map, 64, row, full);
}

__device__ void Feed(const Stage& stage, const Problem& problem, const CUtensorMap& q,
                     const CUtensorMap& k, const CUtensorMap& v) {
  Turn turn;
  std::uint32_t q_parity = 0;
  for (int tile = static_cast<int>(blockIdx.x); tile < problem.tiles;
       tile += static_cast<int>(gridDim.x)) {
    bulk::Wait(stage.q_empty, q_parity ^ 1);
    q_parity ^= 1;
    Fetch(stage.q, q, tile * kTile, stage.q_full);
    const int first_key = tile / problem.per_head * problem.steps * kTile;
    for (int step = 0; step < problem.steps; ++step) {
      const int row = first_key + step * kTile;
      bulk::Wait(&stage.k_empty[turn.stage], turn.parity ^ 1);
      Fetch(stage.k + turn.stage * kTileBytes, k, row, &stage.k_full[turn.stage]);
      bulk::Wait(&stage.v_empty[turn.stage], turn.parity ^ 1);
      Fetch(stage.v + turn.stage * kTileBytes, v, row, &stage.v_full[turn.stage]);
      turn.Advance();
    }
  }
}

/// Scores of 64 queries with 128 keys; the 128 columns of both stand in two halves.
__device__ __forceinline__ void StartScores(float (&scores)[64], const unsigned char* q,
                                            const unsigned char* k) {
#pragma unroll
  for (int piece = 0; piece < 8; ++piece) {
    const std::uint64_t a = gemm::TileDescriptor(q + piece / 4 * kHalfBytes) + piece % 4 * 2;
    const std::uint64_t b = gemm::TileDescriptor(k + piece / 4 * kHalfBytes) + piece % 4 * 2;
    MultiplyTiles(scores, a, b, piece > 0 ? 1 : 0);
  }
}

/// A tile whose rows run along the output's columns: 64 columns a half, halves kHalfBytes apart, 8
/// rows 1024 bytes apart.
__device__ __forceinline__ std::uint64_t ValueDescriptor(const unsigned char* tile) {
  constexpr std::uint64_t kSwizzle128 = std::uint64_t{1} << 62;
  constexpr std::uint64_t kRows = std::uint64_t{1024 >> 4} << 32;
  constexpr std::uint64_t kHalves = std::uint64_t{kHalfBytes >> 4} << 16;
  return kSwizzle128 | kRows | kHalves | ((bulk::SharedAddress(tile) & 0x3ffff) >> 4);
}

__device__ __forceinline__ void StartOutputs(float (&outputs)[64], const std::uint32_t (&p)[32],
                                             const unsigned char* v) {
#pragma unroll
  for (int piece = 0; piece < 8; ++piece) {
    MultiplyRegisters(outputs, p + piece * 4, ValueDescriptor(v + piece * 16 * 128));
  }
}

/// A thread's two rows of a tile, 8 apart; four lanes share a row.
struct Softmax {
  float largest[2] = {-INFINITY, -INFINITY};
  float sum[2] = {0, 0};

  /// Turns scores into exponentials in place; what earlier outputs must be multiplied by.
  __device__ __forceinline__ float2 Exponentiate(float (&scores)[64], float scale) {
    float shrink[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float most = scores[2 * half];
#pragma unroll
      for (int j = 0; j < 16; ++j) {
        most = fmaxf(most, fmaxf(scores[4 * j + 2 * half], scores[4 * j + 2 * half + 1]));
      }
      most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
      most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
      const float next = fmaxf(largest[half], most * scale);
      shrink[half] = exp2f(largest[half] - next);
      largest[half] = next;
      float total = 0;
#pragma unroll
      for (int j = 0; j < 16; ++j) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          float& score = scores[4 * j + 2 * half + i];
          asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(score) : "f"(fmaf(score, scale, -next)));
          total += score;
        }
      }
      sum[half] = fmaf(sum[half], shrink[half], total);
    }
    return make_float2(shrink[0], shrink[1]);
  }
};

__device__ __forceinline__ std::uint32_t Pair(float low, float high) {
  const __nv_bfloat162 two = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&two);
}

/// The layout of a tile of sums is that of the left operand, two columns to a register.
__device__ __forceinline__ void PackProbabilities(const float (&scores)[64],
                                                  std::uint32_t (&p)[32]) {
#pragma unroll
  for (int i = 0; i < 32; ++i) p[i] = Pair(scores[2 * i], scores[2 * i + 1]);
}

__device__ __forceinline__ void Rescale(float (&outputs)[64], const float2& shrink) {
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    outputs[4 * j] *= shrink.x;
    outputs[4 * j + 1] *= shrink.x;
    outputs[4 * j + 2] *= shrink.y;
    outputs[4 * j + 3] *= shrink.y;
  }
}

__device__ __forceinline__ void StoreRows(std::uint16_t* out, const float (&outputs)[64],
                                          Softmax& softmax) {
  const int thread = static_cast<int>(threadIdx.x) % 128;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float total = softmax.sum[half];
    total += __shfl_xor_sync(~0u, total, 1);
    total += __shfl_xor_sync(~0u, total, 2);
    const float inverse = 1.0f / total;
    std::uint16_t* row = out + (thread / 32 * 16 + thread % 32 / 4 + half * 8) * kWidth;
#pragma unroll
    for (int j = 0; j < 16; j += 4) {
      std::uint32_t words[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        words[i] = Pair(outputs[(j + i) * 4 + half * 2] * inverse,
                        outputs[(j + i) * 4 + half * 2 + 1] * inverse);
      }
      __stcs(reinterpret_cast<uint4*>(row + (j + thread % 4) * 8), gemm::Transpose4(words));
    }
  }
}

__device__ void AttendTiles(const Stage& stage, const Problem& problem, int consumer) {
  const bool elected = threadIdx.x % 128 == 0;
  Turn turn;
  std::uint32_t q_parity = 0;
  float scores[64];
  float outputs[64];
  std::uint32_t p[32];
  const unsigned char* q = stage.q + consumer * 64 * 128;
  for (int tile = static_cast<int>(blockIdx.x); tile < problem.tiles;
       tile += static_cast<int>(gridDim.x)) {
    Softmax softmax;
#pragma unroll
    for (int i = 0; i < 64; ++i) outputs[i] = 0;
    bulk::Wait(stage.q_full, q_parity);
    q_parity ^= 1;
    bulk::Wait(&stage.k_full[turn.stage], turn.parity);
    gemm::WgmmaFence();
    StartScores(scores, q, stage.k + turn.stage * kTileBytes);
    gemm::WgmmaCommit();
    gemm::WgmmaWait<0>();
    if (elected) bulk::Arrive(&stage.k_empty[turn.stage]);
    softmax.Exponentiate(scores, problem.scale);
    PackProbabilities(scores, p);
    for (int step = 1; step < problem.steps; ++step) {
      const Turn values = turn;
      turn.Advance();
      // The next scores and the last outputs are both under way while neither is waited for.
      bulk::Wait(&stage.k_full[turn.stage], turn.parity);
      gemm::WgmmaFence();
      StartScores(scores, q, stage.k + turn.stage * kTileBytes);
      gemm::WgmmaCommit();
      bulk::Wait(&stage.v_full[values.stage], values.parity);
      gemm::WgmmaFence();
      StartOutputs(outputs, p, stage.v + values.stage * kTileBytes);
      gemm::WgmmaCommit();
      gemm::WgmmaWait<1>();
      if (elected) bulk::Arrive(&stage.k_empty[turn.stage]);
      const float2 shrink = softmax.Exponentiate(scores, problem.scale);
      gemm::WgmmaWait<0>();
      if (elected) bulk::Arrive(&stage.v_empty[values.stage]);
      Rescale(outputs, shrink);
      PackProbabilities(scores, p);
    }
    if (elected) bulk::Arrive(stage.q_empty);
    bulk::Wait(&stage.v_full[turn.stage], turn.parity);
    gemm::WgmmaFence();
    StartOutputs(outputs, p, stage.v + turn.stage * kTileBytes);
    gemm::WgmmaCommit();
    gemm::WgmmaWait<0>();
    if (elected) bulk::Arrive(&stage.v_empty[turn.stage]);
    turn.Advance();
    const std::int64_t row = static_cast<std::int64_t>(tile) * kTile + consumer * 64;
    StoreRows(problem.out + row * kWidth, outputs, softmax);
  }
}

__global__ void __launch_bounds__(kThreads, 1)
    Attention(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
              const __grid_constant__ CUtensorMap v, Problem problem) {
  extern __shared__ unsigned char shared[];
  const Stage stage = Carve(shared);
  if (threadIdx.x == 0) {
    bulk::InitBarrier(stage.q_full, 1);
    bulk::InitBarrier(stage.q_empty, kConsumers);
    for (int i = 0; i < kStages; ++i) {
      bulk::InitBarrier(&stage.k_full[i], 1);
      bulk::InitBarrier(&stage.v_full[i], 1);
      bulk::InitBarrier(&stage.k_empty[i], kConsumers);
      bulk::InitBarrier(&stage.v_empty[i], kConsumers);
    }
    bulk::PublishBarriers();
  }
  __syncthreads();
  const int group = static_cast<int>(threadIdx.x) / 128;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x == 0) Feed(stage, problem, q, k, v);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    AttendTiles(stage, problem, group - 1);
  }
}

bool MakeMap(CUtensorMap& map, const std::uint16_t* data, std::int64_t rows) {
  return MakeTileMap(map,
                     {.data = data,
                      .type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                      .element_bytes = 2,
                      .rows = rows,
                      .columns = kWidth},
                     kTile);
}

}  // namespace

const char* WhyNot(const Shape& shape, int compute_capability) {
  if (compute_capability != 90) return "warpgroup matrix instructions exist on sm_90 only";
  if (shape.queries % kTile != 0 || shape.keys % kTile != 0) {
    return "queries and keys must be multiples of 128";
  }
  return "";
}

cudaError_t Attend(const Operands& operands, const Shape& shape, cudaStream_t stream) {
  CUtensorMap q;
  CUtensorMap k;
  CUtensorMap v;
  if (!MakeMap(q, operands.q, shape.heads * shape.queries) ||
      !MakeMap(k, operands.k, shape.heads * shape.keys) ||
      !MakeMap(v, operands.v, shape.heads * shape.keys)) {
    return cudaErrorNotSupported;
  }
  const Problem problem = {
      .tiles = static_cast<int>(shape.heads * shape.queries / kTile),
      .per_head = static_cast<int>(shape.queries / kTile),
      .steps = static_cast<int>(shape.keys / kTile),
      .out = operands.out,
      .scale = static_cast<float>(std::log2(std::exp(1.0)) / std::sqrt(double{kWidth}))};
  const cudaError_t raised =
      cudaFuncSetAttribute(Attention, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  if (raised != cudaSuccess) return raised;
  int device = 0;
  int processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const auto blocks = static_cast<unsigned>(std::min(processors, problem.tiles));
  Attention<<<blocks, kThreads, kSharedBytes, stream>>>(q, k, v, problem);
  return cudaGetLastError();
}

}  // namespace sibyl::lab::attention
