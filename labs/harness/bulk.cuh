// SPDX-License-Identifier: Apache-2.0
// The bulk copy engine and the barriers it completes on, as thin functions (sm_90 and newer). PTX
// ISA, "mbarrier" and "cp.async.bulk".
#pragma once

#include <cuda.h>

#include <cstdint>

namespace sibyl::lab::bulk {

__device__ __forceinline__ std::uint32_t SharedAddress(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/// One thread, before a block-wide barrier; arrivals is how many threads arrive in a phase.
__device__ __forceinline__ void InitBarrier(std::uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(SharedAddress(barrier)),
               "r"(arrivals)
               : "memory");
}

/// Makes initialised barriers visible to the copy engine and to the cluster.
__device__ __forceinline__ void PublishBarriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void ArriveExpecting(std::uint64_t* barrier, std::uint32_t bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(SharedAddress(barrier)),
      "r"(bytes)
      : "memory");
}

__device__ __forceinline__ void Arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(SharedAddress(barrier)) : "memory");
}

/// Returns when the phase of this parity has completed.
__device__ __forceinline__ void Wait(std::uint64_t* barrier, std::uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again%=:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again%=;\n"
      "}\n" ::"r"(SharedAddress(barrier)),
      "r"(parity)
      : "memory");
}

/// Global to shared; addresses and bytes are multiples of 16. Completes bytes on the barrier.
__device__ __forceinline__ void Load(void* to, const void* from, std::uint32_t bytes,
                                     std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(SharedAddress(to)),
      "l"(from), "r"(bytes), "r"(SharedAddress(barrier))
      : "memory");
}

/// Shared to global, in the issuing thread's current bulk group.
__device__ __forceinline__ void Store(void* to, const void* from, std::uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"(SharedAddress(from)), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void CommitStores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
/// Until at most kPending groups of this thread still read shared memory.
template <int kPending>
__device__ __forceinline__ void WaitStoresRead() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kPending) : "memory");
}
/// Orders ordinary writes to shared memory before the copy engine's reads of it.
__device__ __forceinline__ void FenceForEngine() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// 128 bytes of columns by the map's rows, from column k and the given row on; completes on the
/// barrier.
__device__ __forceinline__ void LoadTile(void* to, const CUtensorMap& map, int k, int row,
                                         std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4}], [%2];" ::"r"(SharedAddress(to)),
      "l"(&map), "r"(SharedAddress(barrier)), "r"(k), "r"(row)
      : "memory");
}

/// The same from one of several matrices.
__device__ __forceinline__ void LoadTile(void* to, const CUtensorMap& map, int k, int row,
                                         int matrix, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4, %5}], [%2];" ::"r"(SharedAddress(to)),
      "l"(&map), "r"(SharedAddress(barrier)), "r"(k), "r"(row), "r"(matrix)
      : "memory");
}

#endif

}  // namespace sibyl::lab::bulk
