// SPDX-License-Identifier: Apache-2.0
// Two blocks that share what they fetch: clusters (sm_90 and newer).
#pragma once

#include <cuda.h>

#include <cstdint>

#include "harness/bulk.cuh"

namespace sibyl::lab::cluster {

__device__ __forceinline__ std::uint32_t Rank() {
  std::uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ __forceinline__ void Barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

/// To the same place in both blocks, completing on the barrier of each.
__device__ __forceinline__ void LoadTileForBoth(void* to, const CUtensorMap& map, int k, int row,
                                                std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(bulk::SharedAddress(to)),
      "l"(&map), "r"(bulk::SharedAddress(barrier)), "r"(k), "r"(row),
      "h"(static_cast<std::uint16_t>(0b11))
      : "memory");
}

/// The same from one of several matrices.
__device__ __forceinline__ void LoadTileForBoth(void* to, const CUtensorMap& map, int k, int row,
                                                int matrix, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%3, %4, %5}], [%2], %6;" ::"r"(bulk::SharedAddress(to)),
      "l"(&map), "r"(bulk::SharedAddress(barrier)), "r"(k), "r"(row), "r"(matrix),
      "h"(static_cast<std::uint16_t>(0b11))
      : "memory");
}

/// Without a scope: arriving with release at the scope of the cluster costs a memory barrier, and
/// held up the multiplying warps for a seventh of the time. Nothing they wrote is waited for here;
/// what they read, they have read when their matrix instructions are done.
__device__ __forceinline__ void ArriveAt(std::uint64_t* barrier, std::uint32_t rank) {
  asm volatile(
      "{\n.reg .b32 there;\n"
      "mapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [there];\n}\n" ::"r"(bulk::SharedAddress(barrier)),
      "r"(rank)
      : "memory");
}

}  // namespace sibyl::lab::cluster
