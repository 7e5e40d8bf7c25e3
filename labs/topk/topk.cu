// SPDX-License-Identifier: Apache-2.0
// Reading a row takes a microsecond; everything after it is latency, so what counts is the number
// of times the block must meet at a barrier. A radix sort of the row meets about forty times and
// moves every key each time. Here:
//   1. Each thread holds up to 32 keys and their maximum.
//   2. The k-th largest of the threads' maxima bounds the k-th largest key from below: k threads
//   hold
//      a key at least as large. Its upper 18 bits are found by bisection, one counting barrier a
//      bit.
//   3. The keys at or above that bound (some 10 to 40 % more than k of random rows) move to shared
//      memory and are sorted there.
// A row whose large keys crowd in few threads, or with many equal keys, leaves too many for the
// sort. Then all 32 bits are bisected over all keys, which is exact for any row, and ties at the
// k-th key are resolved by column.

#include "topk/topk.h"

namespace sibyl::lab::topk {
namespace {

constexpr int kThreads = 512;
constexpr int kMostSorted = 1024;  // Two a thread.
constexpr int kMostPerThread = 32;
constexpr int kBoundBits = 18;

/// An unsigned number with the order of the float; 0 is below every number.
__device__ __forceinline__ std::uint32_t ToKey(float value) {
  const std::uint32_t bits = __float_as_uint(value);
  if (value != value) return 0xffffffffu;
  return bits ^ (static_cast<std::int32_t>(bits) < 0 ? 0xffffffffu : 0x80000000u);
}

__device__ __forceinline__ float FromKey(std::uint32_t key) {
  if (key == 0xffffffffu) return __uint_as_float(0x7fffffffu);
  return __uint_as_float((key & 0x80000000u) != 0 ? key ^ 0x80000000u : ~key);
}

struct Scratch {
  std::uint64_t keys[kMostSorted];
  int counts[2][kThreads / 32];
  int survivors;
};

/// The sum over the block, in every thread. Alternating buffers need one barrier a call.
__device__ __forceinline__ int BlockSum(int value, Scratch& scratch, int turn) {
  const int warp_sum = __reduce_add_sync(~0u, value);
  int* counts = scratch.counts[turn & 1];
  if (threadIdx.x % 32 == 0) counts[threadIdx.x / 32] = warp_sum;
  __syncthreads();
  const int other = threadIdx.x % 32 < kThreads / 32 ? counts[threadIdx.x % 32] : 0;
  return __reduce_add_sync(~0u, other);
}

/// Sorts count (512 or 1024) keys in shared memory, largest first. Distances under a warp's width
/// go by shuffles: of the 45 steps for 512 keys only 10 meet at a barrier.
template <int kEach>
__device__ __forceinline__ void Sort(Scratch& scratch) {
  constexpr int kCount = kThreads * kEach;
  const int thread = static_cast<int>(threadIdx.x);
  std::uint64_t key[kEach];
#pragma unroll
  for (int e = 0; e < kEach; ++e) key[e] = scratch.keys[thread + e * kThreads];
  for (int size = 2; size <= kCount; size *= 2) {
    for (int distance = size / 2; distance > 0; distance /= 2) {
      if (kEach == 2 && distance == kThreads) {
        // The partner is this thread's other key; only the last merge reaches so far.
        const std::uint64_t larger = max(key[0], key[kEach - 1]);
        key[kEach - 1] = min(key[0], key[kEach - 1]);
        key[0] = larger;
        continue;
      }
      std::uint64_t partner[kEach];
      if (distance >= 32) {
        __syncthreads();
#pragma unroll
        for (int e = 0; e < kEach; ++e) scratch.keys[thread + e * kThreads] = key[e];
        __syncthreads();
#pragma unroll
        for (int e = 0; e < kEach; ++e) {
          partner[e] = scratch.keys[(thread ^ distance) + e * kThreads];
        }
      } else {
#pragma unroll
        for (int e = 0; e < kEach; ++e) partner[e] = __shfl_xor_sync(~0u, key[e], distance);
      }
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        const int index = thread + e * kThreads;
        const bool descending = (index & size) == 0;
        const bool keeps_larger = ((index & distance) == 0) == descending;
        key[e] = keeps_larger ? max(key[e], partner[e]) : min(key[e], partner[e]);
      }
    }
  }
  __syncthreads();
#pragma unroll
  for (int e = 0; e < kEach; ++e) scratch.keys[thread + e * kThreads] = key[e];
  __syncthreads();
}

/// Larger keys first; among equal keys the smaller column.
__device__ __forceinline__ std::uint64_t WithColumn(std::uint32_t key, int column) {
  return static_cast<std::uint64_t>(key) << 32 | (0xffffffffu - static_cast<std::uint32_t>(column));
}

template <int kEach>
struct Row {
  std::uint32_t keys[kEach];

  /// Vectors of four where the row allows it. Columns beyond the end hold key 0.
  __device__ static int Column(int item, bool vectors) {
    const int thread = static_cast<int>(threadIdx.x);
    if (!vectors || kEach < 4) return thread + item * kThreads;
    return (item / 4 * kThreads + thread) * 4 + item % 4;
  }

  __device__ void Load(const float* row, int columns, bool vectors) {
    if (vectors && kEach >= 4) {
#pragma unroll
      for (int i = 0; i + 3 < kEach; i += 4) {
        const int column = Column(i, true);
        float4 four = make_float4(0, 0, 0, 0);
        const bool inside = column < columns;
        if (inside) four = __ldcs(reinterpret_cast<const float4*>(row + column));
        keys[i] = inside ? ToKey(four.x) : 0;
        keys[i + 1] = inside ? ToKey(four.y) : 0;
        keys[i + 2] = inside ? ToKey(four.z) : 0;
        keys[i + 3] = inside ? ToKey(four.w) : 0;
      }
      return;
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const int column = Column(i, false);
      keys[i] = column < columns ? ToKey(row[column]) : 0;
    }
  }

  __device__ int CountAtLeast(std::uint32_t bound) const {
    int count = 0;
#pragma unroll
    for (int i = 0; i < kEach; ++i) count += keys[i] >= bound ? 1 : 0;
    return count;
  }
};

/// The k-th largest key of the row, exactly.
template <int kEach>
__device__ std::uint32_t BisectAll(const Row<kEach>& row, int k, Scratch& scratch) {
  std::uint32_t bound = 0;
  for (int bit = 31; bit >= 0; --bit) {
    const std::uint32_t tried = bound | 1u << bit;
    if (BlockSum(row.CountAtLeast(tried), scratch, bit) >= k) bound = tried;
  }
  return bound;
}

/// A lower bound of the k-th largest key.
template <int kEach>
__device__ std::uint32_t BoundFromMaxima(const Row<kEach>& row, int k) {
  std::uint32_t largest = row.keys[0];
#pragma unroll
  for (int i = 1; i < kEach; ++i) largest = max(largest, row.keys[i]);
  std::uint32_t bound = 0;
  for (int bit = 31; bit > 31 - kBoundBits; --bit) {
    const std::uint32_t tried = bound | 1u << bit;
    if (__syncthreads_count(largest >= tried) >= k) bound = tried;
  }
  return bound;
}

/// Moves the keys at or above the bound to shared memory, in no order; false when there are too
/// many.
template <int kEach>
__device__ bool Gather(const Row<kEach>& row, std::uint32_t bound, int columns, bool vectors,
                       Scratch& scratch) {
  if (threadIdx.x == 0) scratch.survivors = 0;
  __syncthreads();
  // A key of 0 is no element, or the lowest possible NaN pattern, which ToKey never gives.
  const std::uint32_t least = max(bound, 1u);
  const int mine = row.CountAtLeast(least);
  int place = mine == 0 ? 0 : atomicAdd(&scratch.survivors, mine);
  if (mine != 0) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      if (row.keys[i] < least) continue;
      if (place < kMostSorted) {
        scratch.keys[place] = WithColumn(row.keys[i], Row<kEach>::Column(i, vectors));
      }
      ++place;
    }
  }
  __syncthreads();
  return scratch.survivors <= kMostSorted;
}

/// Exactly k survivors: all keys above the k-th, and of those equal to it the first columns. The
/// columns of a thread ascend, but threads interleave, so ties are counted column by column: a
/// bisection over columns, as over keys.
template <int kEach>
__device__ void GatherExactly(const Row<kEach>& row, std::uint32_t kth, int k, bool vectors,
                              Scratch& scratch) {
  const int above = BlockSum(kth == 0xffffffffu ? 0 : row.CountAtLeast(kth + 1), scratch, 1);
  const int ties_wanted = k - above;
  // The largest column limit with fewer than ties_wanted ties before it; that column is the last.
  int limit = 0;
  for (int bit = 14; bit >= 0; --bit) {
    const int tried = limit | 1 << bit;
    int before = 0;
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      before += row.keys[i] == kth && Row<kEach>::Column(i, vectors) < tried ? 1 : 0;
    }
    if (BlockSum(before, scratch, bit) < ties_wanted) limit = tried;
  }
  if (threadIdx.x == 0) scratch.survivors = 0;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int column = Row<kEach>::Column(i, vectors);
    if (row.keys[i] > kth || (row.keys[i] == kth && column <= limit)) {
      scratch.keys[atomicAdd(&scratch.survivors, 1)] = WithColumn(row.keys[i], column);
    }
  }
  __syncthreads();
}

template <int kEach, bool kPrune>
__global__ void __launch_bounds__(kThreads, kEach > 16 ? 2 : 3)
    SelectRows(const float* input, int columns, int k, float* values, std::int64_t* indices) {
  __shared__ Scratch scratch;
  const float* data = input + static_cast<std::int64_t>(blockIdx.x) * columns;
  const bool vectors = columns % 4 == 0;
  Row<kEach> row;
  row.Load(data, columns, vectors);
  bool gathered = false;
  if (kPrune) {
    const std::uint32_t bound = BoundFromMaxima(row, k);
    gathered = Gather(row, bound, columns, vectors, scratch);
  }
  if (!gathered) {
    GatherExactly(row, BisectAll(row, k, scratch), k, vectors, scratch);
  }
  const int survivors = scratch.survivors;
  for (int i = survivors + static_cast<int>(threadIdx.x); i < kMostSorted; i += kThreads) {
    scratch.keys[i] = 0;
  }
  __syncthreads();
  if (survivors <= kThreads) {
    Sort<1>(scratch);
  } else {
    Sort<2>(scratch);
  }
  const std::int64_t out = static_cast<std::int64_t>(blockIdx.x) * k;
  for (int i = static_cast<int>(threadIdx.x); i < k; i += kThreads) {
    const std::uint64_t key = scratch.keys[i];
    values[out + i] = FromKey(static_cast<std::uint32_t>(key >> 32));
    indices[out + i] = static_cast<std::int64_t>(0xffffffffu - static_cast<std::uint32_t>(key));
  }
}

template <int kEach>
cudaError_t Launch(Variant variant, const float* input, const Shape& shape, float* values,
                   std::int64_t* columns, cudaStream_t stream) {
  const auto kernel =
      variant == Variant::kPruned ? SelectRows<kEach, true> : SelectRows<kEach, false>;
  kernel<<<static_cast<unsigned>(shape.rows), kThreads, 0, stream>>>(
      input, static_cast<int>(shape.columns), static_cast<int>(shape.k), values, columns);
  return cudaGetLastError();
}

}  // namespace

const char* WhyNot(const Shape& shape) {
  if (shape.columns > kThreads * kMostPerThread) return "rows hold at most 16384 columns";
  if (shape.k > kThreads) return "k is at most 512";
  if (shape.k > shape.columns || shape.k < 1) return "k must be between 1 and the columns";
  return "";
}

cudaError_t Select(Variant variant, const float* input, const Shape& shape, float* values,
                   std::int64_t* columns, cudaStream_t stream) {
  const std::int64_t each = (shape.columns + kThreads - 1) / kThreads;
  const auto launch = each <= 1    ? Launch<1>
                      : each <= 2  ? Launch<2>
                      : each <= 4  ? Launch<4>
                      : each <= 8  ? Launch<8>
                      : each <= 16 ? Launch<16>
                                   : Launch<32>;
  return launch(variant, input, shape, values, columns, stream);
}

}  // namespace sibyl::lab::topk
