// SPDX-License-Identifier: Apache-2.0
// What a block of attention.cu works on, and the thread that fetches it: sizes, shared memory, the
// order of tiles, and the copies of queries, keys and values.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "harness/bulk.cuh"
#include "harness/cluster.cuh"

namespace sibyl::lab::attention {

constexpr int kStages = 2;

/// Sizes of a kernel: queries of a block, keys of a step. A box of the tensor maps has 64 columns.
template <int kWidthOf, int kKeysOf, int kConsumersOf, bool kHoldQueriesOf, int kClusterOf>
struct Plan {
  static constexpr int kWidth = kWidthOf;
  static constexpr int kKeys = kKeysOf;
  static constexpr int kConsumers = kConsumersOf;
  static constexpr bool kTakeTurns = kWidth <= 128;
  static constexpr bool kHoldQueries = kHoldQueriesOf;  // In registers, once read.
  static constexpr int kCluster = kClusterOf;           // Blocks that share keys and values.
  static constexpr int kQueries = 64 * kConsumers;
  static constexpr int kThreads = 128 * (1 + kConsumers);
  static constexpr int kBoxes = kWidth / 64;
  static constexpr int kQueryBox = kQueries * 128;
  static constexpr int kKeyBox = kKeys * 128;
  static constexpr int kQueryBytes = kBoxes * kQueryBox;
  static constexpr int kKeyBytes = kBoxes * kKeyBox;
  static constexpr int kSharedBytes = kQueryBytes + 2 * kStages * kKeyBytes + 1024 + 256;
  static constexpr int kFeedRegisters = kConsumers == 2 ? 40 : 32;
  static constexpr int kRegisters = kConsumers == 2 ? 232 : 160;
};

struct Problem {
  int heads;
  int blocks;  // Of queries, in a head; a cluster counts as one.
  int queries;
  int keys;
  int share;     // Heads with the same keys and values.
  int together;  // Heads whose tiles are handed out together, so that their keys stay in L2.
  std::uint16_t* out;
  float scale;  // Of scores, for powers of two.
};

/// Tiles handed out, and blocks that are done; both 0 between launches.
static __device__ int tiles_taken;
static __device__ unsigned int blocks_done;

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
  int* tile;  // Whose queries are in q; -1 at the end.
};

template <typename P>
__device__ __forceinline__ Stage Carve(unsigned char* shared) {
  const std::uint32_t base = bulk::SharedAddress(shared);
  unsigned char* at = shared + ((base + 1023) / 1024 * 1024 - base);
  Stage stage;
  stage.q = at;
  stage.k = at + P::kQueryBytes;
  stage.v = stage.k + kStages * P::kKeyBytes;
  auto* barriers = reinterpret_cast<std::uint64_t*>(stage.v + kStages * P::kKeyBytes);
  stage.q_full = barriers;
  stage.q_empty = barriers + 1;
  stage.k_full = barriers + 2;
  stage.k_empty = stage.k_full + kStages;
  stage.v_full = stage.k_empty + kStages;
  stage.v_empty = stage.v_full + kStages;
  stage.tile = reinterpret_cast<int*>(stage.v_empty + kStages);
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

struct Tile {
  int head;
  int query;  // The first.
  int steps;  // Tiles of keys.
};

/// Heads in groups; within a group, the last queries of all its heads first.
template <typename P, bool kCausal>
__device__ __forceinline__ Tile TileAt(const Problem& problem, int index) {
  const int per_group = problem.together * problem.blocks;
  const int group = index / per_group;
  const int inside = index - group * per_group;
  const int heads = min(problem.together, problem.heads - group * problem.together);
  Tile tile;
  tile.head = group * problem.together + inside % heads;
  tile.query = (problem.blocks - 1 - inside / heads) * P::kQueries * P::kCluster;
  if constexpr (P::kCluster > 1) {
    tile.query += static_cast<int>(cluster::Rank()) * P::kQueries;
  }
  const int seen = kCausal ? min(problem.keys, tile.query + P::kQueries) : problem.keys;
  tile.steps = (seen + P::kKeys - 1) / P::kKeys;
  return tile;
}

template <typename P>
__device__ __forceinline__ void FetchQueries(unsigned char* to, const CUtensorMap& map,
                                             const Tile& tile, std::uint64_t* full) {
  bulk::ArriveExpecting(full, P::kQueryBytes);
#pragma unroll
  for (int i = 0; i < P::kBoxes; ++i) {
    bulk::LoadTile(to + i * P::kQueryBox, map, i * 64, tile.query, tile.head, full);
  }
}

/// A step's keys or values, from the given row on. Each block of a cluster fetches half, for both.
template <typename P>
__device__ __forceinline__ void FetchKeys(unsigned char* to, const CUtensorMap& map, int row,
                                          int head, std::uint64_t* full) {
  bulk::ArriveExpecting(full, P::kKeyBytes);
#pragma unroll
  for (int i = 0; i < P::kBoxes; ++i) {
    unsigned char* box = to + i * P::kKeyBox;
    if constexpr (P::kCluster == 1) {
      bulk::LoadTile(box, map, i * 64, row, head, full);
    } else {
      const auto rank = static_cast<int>(cluster::Rank());
      cluster::LoadTileForBoth(box + rank * P::kKeyBox / 2, map, i * 64, row + rank * P::kKeys / 2,
                               head, full);
    }
  }
}

/// Clusters take tiles in turn: without a mask all tiles have as many keys, so a counter that both
/// blocks must agree on is not needed.
template <typename P>
__device__ __forceinline__ int NextTile(int index) {
  if constexpr (P::kCluster == 1) return atomicAdd(&tiles_taken, 1);
  return index < 0 ? static_cast<int>(blockIdx.x) / P::kCluster
                   : index + static_cast<int>(gridDim.x) / P::kCluster;
}

/// One thread fetches for the whole block.
template <typename P, bool kCausal>
__device__ void Feed(const Stage& stage, const Problem& problem, const CUtensorMap& q,
                     const CUtensorMap& k, const CUtensorMap& v) {
  Turn turn;
  std::uint32_t q_parity = 0;
  const int tiles = problem.heads * problem.blocks;
  int index = NextTile<P>(-1);
  while (index < tiles) {
    const Tile tile = TileAt<P, kCausal>(problem, index);
    bulk::Wait(stage.q_empty, q_parity ^ 1);
    q_parity ^= 1;
    *stage.tile = index;
    FetchQueries<P>(stage.q, q, tile, stage.q_full);
    index = NextTile<P>(index);
    const int key_head = tile.head / problem.share;
    for (int step = tile.steps - 1; step >= 0; --step) {
      const int row = step * P::kKeys;
      bulk::Wait(&stage.k_empty[turn.stage], turn.parity ^ 1);
      FetchKeys<P>(stage.k + turn.stage * P::kKeyBytes, k, row, key_head,
                   &stage.k_full[turn.stage]);
      bulk::Wait(&stage.v_empty[turn.stage], turn.parity ^ 1);
      FetchKeys<P>(stage.v + turn.stage * P::kKeyBytes, v, row, key_head,
                   &stage.v_full[turn.stage]);
      turn.Advance();
    }
  }
  bulk::Wait(stage.q_empty, q_parity ^ 1);
  *stage.tile = -1;
  bulk::Arrive(stage.q_full);
  if constexpr (P::kCluster == 1) {
    if (atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1) tiles_taken = 0;
  }
}

}  // namespace sibyl::lab::attention
