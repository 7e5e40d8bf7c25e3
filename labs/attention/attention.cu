// SPDX-License-Identifier: Apache-2.0
// Scores never leave the chip. A block takes 64 queries for each of its multiplying warpgroups and
// walks over the keys; another warpgroup fetches. Softmax is computed online: the largest score so
// far and the sum of exponentials are kept. Floor: 4 x queries x keys x width FLOP on the matrix
// units (half of it when causal).
//
// The exponentials take half as long as the matrix products at width 128, on units of their own, so
// they must run at the same time. Within a warpgroup, the next scores and the previous outputs are
// multiplied while one tile of scores becomes probabilities. Between warpgroups, named barriers
// make them take turns: one has the matrix units while the other one exponentiates.
//
// Sums are rescaled only when the largest score grew by more than a factor of 2^8: until then the
// old reference is as good, since numerator and denominator share it and floats have the range.
//
// An H200 runs into its power limit here, so what saves energy is faster. Queries stay in registers
// where there are enough (width 128), which saves a fifth of the reads of shared memory; two blocks
// form a cluster and fetch each half of the keys and values for both (not causal, width 128 and
// 256).
//
// Otherwise tiles of queries are handed out by a counter, those with the most keys first. Keys are
// walked from the last to the first, so that the masked tiles come first.
#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "attention/feed.cuh"
#include "attention/softmax.cuh"
#include "attention/tiles.cuh"
#include "harness/bulk.cuh"
#include "harness/cluster.cuh"
#include "harness/tensor_map.h"
#include "harness/warpgroup.cuh"

namespace sibyl::lab::attention {
namespace {

/// Scores of 64 queries with a step's keys.
template <typename P>
__device__ __forceinline__ void StartScores(float (&scores)[P::kKeys / 2], const unsigned char* q,
                                            const unsigned char* k) {
  warpgroup::Fence();
#pragma unroll
  for (int piece = 0; piece < P::kWidth / 16; ++piece) {
    const std::uint64_t a = warpgroup::TileDescriptor(q + piece / 4 * P::kQueryBox) + piece % 4 * 2;
    const std::uint64_t b = warpgroup::TileDescriptor(k + piece / 4 * P::kKeyBox) + piece % 4 * 2;
    Wgmma<P::kKeys>::Tiles(scores, a, b, piece > 0 ? 1 : 0);
  }
  warpgroup::Commit();
}

/// A warpgroup's 64 queries as left operands, four registers for 16 columns.
template <typename P>
__device__ __forceinline__ void HoldQueries(std::uint32_t (&held)[P::kWidth / 4],
                                            const unsigned char* q) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int row = static_cast<int>(threadIdx.x) % 128 / 32 * 16 + lane % 16;
  const std::uint32_t at = bulk::SharedAddress(q) + row * 128;
#pragma unroll
  for (int piece = 0; piece < P::kWidth / 16; ++piece) {
    std::uint32_t* r = held + piece * 4;
    const int chunk = (piece % 4 * 2 + lane / 16) ^ (row % 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at + piece / 4 * P::kQueryBox + chunk * 16)
                 : "memory");
  }
}

template <typename P>
__device__ __forceinline__ void StartScoresHeld(float (&scores)[P::kKeys / 2],
                                                const std::uint32_t (&held)[P::kWidth / 4],
                                                const unsigned char* k) {
  warpgroup::Fence();
#pragma unroll
  for (int piece = 0; piece < P::kWidth / 16; ++piece) {
    const std::uint64_t b = warpgroup::TileDescriptor(k + piece / 4 * P::kKeyBox) + piece % 4 * 2;
    Wgmma<P::kKeys>::RegistersTile(scores, held + piece * 4, b, piece > 0 ? 1 : 0);
  }
  warpgroup::Commit();
}

/// A tile whose rows run along the output's columns: 64 columns a box, 8 rows 1024 bytes apart.
template <typename P>
__device__ __forceinline__ std::uint64_t ValueDescriptor(const unsigned char* tile) {
  constexpr std::uint64_t kSwizzle128 = std::uint64_t{1} << 62;
  constexpr std::uint64_t kRows = std::uint64_t{1024 >> 4} << 32;
  constexpr std::uint64_t kBoxStride = std::uint64_t{P::kKeyBox >> 4} << 16;
  return kSwizzle128 | kRows | kBoxStride | ((bulk::SharedAddress(tile) & 0x3ffff) >> 4);
}

template <typename P>
__device__ __forceinline__ void StartOutputs(float (&outputs)[P::kWidth / 2],
                                             const std::uint32_t (&p)[P::kKeys / 4],
                                             const unsigned char* v) {
  warpgroup::Fence();
#pragma unroll
  for (int piece = 0; piece < P::kKeys / 16; ++piece) {
    Wgmma<P::kWidth>::Registers(outputs, p + piece * 4, ValueDescriptor<P>(v + piece * 16 * 128));
  }
  warpgroup::Commit();
}

/// Warpgroups take turns at starting matrix products: each waits for the one before it.
template <typename P>
__device__ __forceinline__ void AwaitTurn(int consumer) {
  if constexpr (P::kTakeTurns) asm volatile("bar.sync %0, 256;" ::"r"(consumer + 1) : "memory");
}
template <typename P>
__device__ __forceinline__ void PassTurn(int consumer) {
  if constexpr (P::kTakeTurns) {
    const int next = consumer + 1 == P::kConsumers ? 0 : consumer + 1;
    asm volatile("bar.arrive %0, 256;" ::"r"(next + 1) : "memory");
  }
}

template <typename P, bool kCausal>
__device__ void AttendTiles(const Stage& stage, const Problem& problem, int consumer) {
  const int thread = static_cast<int>(threadIdx.x) % 128;
  const int my_row = consumer * 64 + thread / 32 * 16 + thread % 32 / 4;
  const bool elected = thread == 0;
  const unsigned char* q = stage.q + consumer * 64 * 128;
  Turn turn;
  std::uint32_t q_parity = 0;
  float scores[P::kKeys / 2];
  float outputs[P::kWidth / 2];
  std::uint32_t p[P::kKeys / 4];
  float shrink[2];
  // The other block of a cluster fetches into this one, so it waits for this release, too.
  const auto release = [&](std::uint64_t* empty) {
    if constexpr (P::kCluster == 1) {
      if (elected) bulk::Arrive(empty);
    } else {
      if (thread < P::kCluster) cluster::ArriveAt(empty, static_cast<std::uint32_t>(thread));
    }
  };
  if (consumer == P::kConsumers - 1) PassTurn<P>(consumer);
  while (true) {
    bulk::Wait(stage.q_full, q_parity);
    q_parity ^= 1;
    const int index = *stage.tile;
    if (index < 0) break;
    const Tile tile = TileAt<P, kCausal>(problem, index);
    const int row = tile.query + my_row;
    const auto mask = [&](int step) {
      const int end = (step + 1) * P::kKeys;
      if (end > problem.keys || (kCausal && end > tile.query + consumer * 64)) {
        Mask<kCausal>(scores, problem.keys, row, step * P::kKeys);
      }
    };
    Softmax softmax;
#pragma unroll
    for (int i = 0; i < P::kWidth / 2; ++i) outputs[i] = 0;
    std::uint32_t held[P::kWidth / 4];
    if constexpr (P::kHoldQueries) {
      HoldQueries<P>(held, q);
      bulk::Arrive(stage.q_empty);
    }
    const auto start_scores = [&] {
      if constexpr (P::kHoldQueries) {
        StartScoresHeld<P>(scores, held, stage.k + turn.stage * P::kKeyBytes);
      } else {
        StartScores<P>(scores, q, stage.k + turn.stage * P::kKeyBytes);
      }
    };
    bulk::Wait(&stage.k_full[turn.stage], turn.parity);
    AwaitTurn<P>(consumer);
    start_scores();
    PassTurn<P>(consumer);
    warpgroup::Wait<0>();
    release(&stage.k_empty[turn.stage]);
    mask(tile.steps - 1);
    softmax.Exponentiate(scores, problem.scale, shrink);
    PackProbabilities(scores, p);
    for (int step = tile.steps - 2; step >= 0; --step) {
      const Turn values = turn;
      turn.Advance();
      bulk::Wait(&stage.k_full[turn.stage], turn.parity);
      AwaitTurn<P>(consumer);
      start_scores();
      bulk::Wait(&stage.v_full[values.stage], values.parity);
      StartOutputs<P>(outputs, p, stage.v + values.stage * P::kKeyBytes);
      PassTurn<P>(consumer);
      warpgroup::Wait<1>();
      release(&stage.k_empty[turn.stage]);
      mask(step);
      const bool grew = softmax.Exponentiate(scores, problem.scale, shrink);
      warpgroup::Wait<0>();
      release(&stage.v_empty[values.stage]);
      if (grew) Rescale(outputs, shrink);
      PackProbabilities(scores, p);
    }
    if (!P::kHoldQueries) bulk::Arrive(stage.q_empty);
    bulk::Wait(&stage.v_full[turn.stage], turn.parity);
    StartOutputs<P>(outputs, p, stage.v + turn.stage * P::kKeyBytes);
    warpgroup::Wait<0>();
    release(&stage.v_empty[turn.stage]);
    turn.Advance();
    StoreRows<P::kWidth>(
        problem.out + static_cast<std::int64_t>(tile.head) * problem.queries * P::kWidth, row,
        problem.queries, outputs, softmax);
  }
  // The last turn that was passed on, so that no barrier is left half full.
  if (consumer == 0) AwaitTurn<P>(consumer);
}

template <typename P, bool kCausal>
__global__ void __cluster_dims__(P::kCluster, 1, 1) __launch_bounds__(P::kThreads, 1)
    Attention(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
              const __grid_constant__ CUtensorMap v, Problem problem) {
  extern __shared__ unsigned char shared[];
  const Stage stage = Carve<P>(shared);
  if (threadIdx.x == 0) {
    bulk::InitBarrier(stage.q_full, 1);
    bulk::InitBarrier(stage.q_empty, 128 * P::kConsumers);
    for (int i = 0; i < kStages; ++i) {
      bulk::InitBarrier(&stage.k_full[i], 1);
      bulk::InitBarrier(&stage.v_full[i], 1);
      bulk::InitBarrier(&stage.k_empty[i], P::kConsumers * P::kCluster);
      bulk::InitBarrier(&stage.v_empty[i], P::kConsumers * P::kCluster);
    }
    bulk::PublishBarriers();
  }
  if constexpr (P::kCluster == 1) {
    __syncthreads();
  } else {
    cluster::Barrier();
  }
  const int group = static_cast<int>(threadIdx.x) / 128;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(P::kFeedRegisters));
    if (threadIdx.x == 0) Feed<P, kCausal>(stage, problem, q, k, v);
    __syncwarp();
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(P::kRegisters));
    AttendTiles<P, kCausal>(stage, problem, group - 1);
  }
  // A block must not end while its neighbour's engine or arrivals may still reach it.
  if constexpr (P::kCluster > 1) cluster::Barrier();
}

bool MakeMap(CUtensorMap& map, const std::uint16_t* data, std::int64_t heads, std::int64_t rows,
             std::int64_t width, int box_rows) {
  return MakeTileMap(map,
                     {.data = data,
                      .type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                      .element_bytes = 2,
                      .rows = rows,
                      .columns = width,
                      .matrices = heads},
                     box_rows);
}

template <typename P, bool kCausal>
cudaError_t Launch(const Operands& operands, const Shape& shape, cudaStream_t stream) {
  static_assert(P::kCluster == 1 || !kCausal, "blocks of a cluster walk over the same keys");
  CUtensorMap q;
  CUtensorMap k;
  CUtensorMap v;
  const std::int64_t key_heads = shape.heads / shape.share;
  constexpr int kKeyRows = P::kKeys / P::kCluster;
  if (!MakeMap(q, operands.q, shape.heads, shape.queries, P::kWidth, P::kQueries) ||
      !MakeMap(k, operands.k, key_heads, shape.keys, P::kWidth, kKeyRows) ||
      !MakeMap(v, operands.v, key_heads, shape.keys, P::kWidth, kKeyRows)) {
    return cudaErrorNotSupported;
  }
  // Keys and values of the heads that are worked on together are to fit into half of L2.
  const std::int64_t fit = (std::int64_t{24} << 20) / (4 * shape.keys * P::kWidth) * shape.share;
  constexpr int kQueries = P::kQueries * P::kCluster;
  const Problem problem = {
      .heads = static_cast<int>(shape.heads),
      .blocks = static_cast<int>((shape.queries + kQueries - 1) / kQueries),
      .queries = static_cast<int>(shape.queries),
      .keys = static_cast<int>(shape.keys),
      .share = static_cast<int>(shape.share),
      .together = static_cast<int>(std::clamp(kCausal ? fit : 1, std::int64_t{1}, shape.heads)),
      .out = operands.out,
      .scale = static_cast<float>(std::log2(std::exp(1.0)) /
                                  std::sqrt(static_cast<double>(shape.width)))};
  const auto kernel = Attention<P, kCausal>;
  const cudaError_t raised =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, P::kSharedBytes);
  if (raised != cudaSuccess) return raised;
  int device = 0;
  int processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  // At least two: with one, the kernel often hung under racecheck, and never otherwise.
  const int wanted = std::max(2, problem.heads * problem.blocks);
  const auto blocks =
      static_cast<unsigned>(P::kCluster * std::min(processors / P::kCluster, wanted));
  kernel<<<blocks, P::kThreads, P::kSharedBytes, stream>>>(q, k, v, problem);
  return cudaGetLastError();
}

}  // namespace

const char* WhyNot(const Shape& shape, int compute_capability) {
  if (compute_capability != 90) return "warpgroup matrix instructions exist on sm_90 only";
  if (shape.width != 64 && shape.width != 128 && shape.width != 256) {
    return "the width must be 64, 128 or 256";
  }
  if (shape.share < 1 || shape.heads % shape.share != 0) {
    return "heads must be a multiple of those that share keys";
  }
  return "";
}

cudaError_t Attend(const Operands& operands, const Shape& shape, cudaStream_t stream) {
  const bool causal = shape.causal;
  switch (shape.width) {
    case 64:
      return causal ? Launch<Plan<64, 128, 3, false, 1>, true>(operands, shape, stream)
                    : Launch<Plan<64, 128, 3, false, 1>, false>(operands, shape, stream);
    case 128:
      return causal ? Launch<Plan<128, 128, 2, true, 1>, true>(operands, shape, stream)
                    : Launch<Plan<128, 128, 2, true, 2>, false>(operands, shape, stream);
    case 256:
      return causal ? Launch<Plan<256, 80, 2, false, 1>, true>(operands, shape, stream)
                    : Launch<Plan<256, 80, 2, false, 2>, false>(operands, shape, stream);
    default:
      return cudaErrorNotSupported;
  }
}

}  // namespace sibyl::lab::attention
