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
// sort. Then all 32 bits are searched over all keys, two at a barrier (three counts, packed into
// two words), which is exact for any row, and ties at the k-th key are resolved by column in the
// same way.

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
  uint2 counts[2][kThreads / 32];
  int survivors;
};

/// Three counts; no sum over a block exceeds 16384, so that two fit into a word.
struct Three {
  int a;
  int b;
  int c;
};

/// The sums over the block, in every thread. Alternating buffers need one barrier a call.
__device__ __forceinline__ Three BlockSums(const Three& value, Scratch& scratch, int turn) {
  const unsigned packed = static_cast<unsigned>(value.a) | static_cast<unsigned>(value.b) << 16;
  const uint2 warp = make_uint2(__reduce_add_sync(~0u, packed),
                                __reduce_add_sync(~0u, static_cast<unsigned>(value.c)));
  uint2* counts = scratch.counts[turn & 1];
  if (threadIdx.x % 32 == 0) counts[threadIdx.x / 32] = warp;
  __syncthreads();
  const uint2 other =
      threadIdx.x % 32 < kThreads / 32 ? counts[threadIdx.x % 32] : make_uint2(0, 0);
  const unsigned both = __reduce_add_sync(~0u, other.x);
  return {.a = static_cast<int>(both & 0xffffu),
          .b = static_cast<int>(both >> 16),
          .c = static_cast<int>(__reduce_add_sync(~0u, other.y))};
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

  /// The bits of the items whose column is less than `limit`.
  __device__ static unsigned MaskBefore(int limit, bool vectors) {
    const int thread = static_cast<int>(threadIdx.x);
    int items = 0;
    if (!vectors || kEach < 4) {
      if (limit > thread) items = (limit - thread + kThreads - 1) / kThreads;
    } else {
      const int group = limit / 4 - thread;
      if (group > 0) items = (group + kThreads - 1) / kThreads * 4;
      if (group >= 0 && group % kThreads == 0) items += limit % 4;
    }
    return items >= 32 ? ~0u : (1u << items) - 1;
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
__device__ std::uint32_t SearchAll(const Row<kEach>& row, int k, Scratch& scratch) {
  std::uint32_t bound = 0;
  for (int bit = 30; bit >= 0; bit -= 2) {
    const Three counts = BlockSums({.a = row.CountAtLeast(bound | 1u << bit),
                                    .b = row.CountAtLeast(bound | 2u << bit),
                                    .c = row.CountAtLeast(bound | 3u << bit)},
                                   scratch, bit / 2);
    const unsigned reached =
        (counts.a >= k ? 1u : 0u) + (counts.b >= k ? 1u : 0u) + (counts.c >= k ? 1u : 0u);
    bound |= reached << bit;
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
/// search over columns, as over keys, unless all ties are wanted. A thread's ties are bits, so that
/// a count costs a few instructions and not a loop over its keys.
template <int kEach>
__device__ void GatherExactly(const Row<kEach>& row, std::uint32_t kth, int k, bool vectors,
                              Scratch& scratch) {
  unsigned above = 0;
  unsigned ties = 0;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    above |= (row.keys[i] > kth ? 1u : 0u) << i;
    ties |= (row.keys[i] == kth ? 1u : 0u) << i;
  }
  const Three total = BlockSums({.a = __popc(above), .b = __popc(ties), .c = 0}, scratch, 1);
  if (threadIdx.x == 0) scratch.survivors = 0;
  if (total.a + total.b != k) {
    const int wanted = k - total.a;
    // The largest column with fewer than `wanted` ties before it is that of the last tie.
    int last = 0;
    for (int bit = 12; bit >= 0; bit -= 2) {
      const auto before = [&](int tried) {
        return __popc(ties & Row<kEach>::MaskBefore(last | tried << bit, vectors));
      };
      const Three counts =
          BlockSums({.a = before(1), .b = before(2), .c = before(3)}, scratch, bit / 2);
      const int passed =
          (counts.a < wanted ? 1 : 0) + (counts.b < wanted ? 1 : 0) + (counts.c < wanted ? 1 : 0);
      last |= passed << bit;
    }
    ties &= Row<kEach>::MaskBefore(last + 1, vectors);
  }
  __syncthreads();
  const unsigned taken = above | ties;
  int place = taken == 0 ? 0 : atomicAdd(&scratch.survivors, __popc(taken));
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    if ((taken >> i & 1u) == 0) continue;
    scratch.keys[place++] = WithColumn(row.keys[i], Row<kEach>::Column(i, vectors));
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
    GatherExactly(row, SearchAll(row, k, scratch), k, vectors, scratch);
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
