// SPDX-License-Identifier: Apache-2.0
// float32 on the ordinary units (FFMA), sm_90a. Floor: 128 FFMA a clock and multiprocessor; every
// other instruction takes the issue slot of an FFMA, and an FFMA whose operands are in one bank of
// the register file takes two.
//
// A block computes 128 x 256 of C with eight warps, a thread 8 x 16: for one k, six 16-byte loads
// feed 128 FFMA. For such loads the neighbours must be rows of A or B, but both matrices run along
// K. So another warpgroup fetches tiles with the tensor map engine and transposes them in shared
// memory (1 % of the issue slots). Without transposing, a load yields four k of one row: as few
// loads, but then both factors of an FFMA are always in the same bank, which cost 11 %.
//
// Blocks live as long as the kernel. 8192^2 is 15.5 tiles a block. Instead of a sixteenth round
// that is half idle, the remaining tiles are cut along K into equal shares (stream-K): a share that
// is not the first of its tile waits for the one before it and adds to what that one left in C.
#include <algorithm>

#include "gemm/gemm.h"
#include "gemm/stream_k.cuh"
#include "harness/bulk.cuh"
#include "harness/tensor_map.h"

namespace sibyl::lab::gemm {
namespace {

constexpr int kTileM = 128;
constexpr int kTileN = 256;
constexpr int kStepK = 32;  // Floats of K in a stage: 128 bytes a row as fetched.
constexpr int kRows = 8;    // Of C, in a thread.
constexpr int kColumns = 16;
constexpr int kUnroll = 8;  // Steps along K without a branch.
constexpr int kWarps = 8;
constexpr int kThreads = 128 + 32 * kWarps;
constexpr int kABytes = kTileM * kStepK * 4;
constexpr int kStageBytes = (kTileM + kTileN) * kStepK * 4;
constexpr int kPitch = (kTileM + kTileN) * 4;  // Bytes of one k of a turned stage: A's, then B's.
constexpr int kStages = 2;                     // As fetched, and as many transposed.
constexpr int kSharedBytes = 2 * kStages * kStageBytes + 1024 + 256;
constexpr int kGroup = 16;        // Rows of tiles that are walked together, so that B stays in L2.
constexpr int kMaxShared = 1024;  // Fewer tiles than multiprocessors are shared.

/// How many steps along K of a shared tile are in C; 0 between launches.
__device__ unsigned int tile_progress[kMaxShared];

struct Problem {
  Division division;
  int n;
  float* c;
};

struct Place {
  int row;
  int column;
};

__device__ __forceinline__ Place PlaceOf(const Division& p, int tile) {
  const int per_group = kGroup * p.tiles_n;
  const int group = tile / per_group;
  const int rows = min(kGroup, p.tiles_m - group * kGroup);
  const int inside = tile - group * per_group;
  return {(group * kGroup + inside % rows) * kTileM, inside / rows * kTileN};
}

/// Shared memory: stages as the engine writes them, rows along K; and turned (transposed), one k a
/// row.
struct Stages {
  unsigned char* fetched;
  std::uint64_t* fetched_full;
  std::uint64_t* turned_full;
  std::uint64_t* turned_empty;
  __device__ std::uint32_t Fetched(int i) const {
    return bulk::SharedAddress(fetched) + i * kStageBytes;
  }
  __device__ std::uint32_t Turned(int i) const { return Fetched(kStages + i); }
};

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

__device__ __forceinline__ float4 Read(std::uint32_t address) {
  float4 v;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "r"(address));
  return v;
}

__device__ __forceinline__ void Write(std::uint32_t address, float x, float y, float z, float w) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(x), "f"(y), "f"(z),
               "f"(w)
               : "memory");
}

/// The first warpgroup: fetches, and turns what was fetched. A lane takes four k of four rows that
/// are 8 apart; their four values of one k become neighbours.
__device__ void Produce(const Stages& stages, const Problem& problem, const CUtensorMap& a,
                        const CUtensorMap& b) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int row = warp / 2 * 32 + lane % 8;
  const int piece = warp % 2 * 4 + lane / 8;
  const std::uint32_t from = row * 128 + (piece ^ (lane % 8)) * 16;
  const std::uint32_t to = piece * 4 * kPitch + warp / 2 * 128 + lane % 8 * 16;
  const Division& division = problem.division;
  Cursor ahead(division);
  bool more = ahead.Next(division);
  Place place = PlaceOf(division, ahead.work.tile);
  const auto fetch = [&](int stage) {
    if (!more) return;
    if (threadIdx.x == 0) {
      unsigned char* at = stages.fetched + stage * kStageBytes;
      bulk::ArriveExpecting(&stages.fetched_full[stage], kStageBytes);
      bulk::LoadTile(at, a, ahead.work.first * kStepK, place.row, &stages.fetched_full[stage]);
      bulk::LoadTile(at + kABytes, b, ahead.work.first * kStepK, place.column,
                     &stages.fetched_full[stage]);
    }
    const int before = ahead.work.tile;
    more = ahead.Next(division);
    if (ahead.work.tile != before) place = PlaceOf(division, ahead.work.tile);
  };
  for (int i = 0; i < kStages; ++i) fetch(i);
  Cursor cursor(division);
  Turn turn;
  while (cursor.Next(division)) {
    bulk::Wait(&stages.fetched_full[turn.stage], turn.parity);
    bulk::Wait(&stages.turned_empty[turn.stage], turn.parity ^ 1);
    const std::uint32_t source = stages.Fetched(turn.stage) + from;
    const std::uint32_t target = stages.Turned(turn.stage) + to;
#pragma unroll
    for (int i = 0; i < 6; ++i) {
      const std::uint32_t s = source + i * 64 * 128;
      const std::uint32_t t = target + i * 256;
      const float4 r0 = Read(s);
      const float4 r1 = Read(s + 1024);
      const float4 r2 = Read(s + 2048);
      const float4 r3 = Read(s + 3072);
      Write(t, r0.x, r1.x, r2.x, r3.x);
      Write(t + kPitch, r0.y, r1.y, r2.y, r3.y);
      Write(t + 2 * kPitch, r0.z, r1.z, r2.z, r3.z);
      Write(t + 3 * kPitch, r0.w, r1.w, r2.w, r3.w);
    }
    bulk::Arrive(&stages.turned_full[turn.stage]);
    asm volatile("bar.sync 2, 128;" ::: "memory");
    fetch(turn.stage);
    turn.Advance();
  }
}

/// What a thread needs for one k.
struct Fragment {
  float a[kRows];
  float b[kColumns];
  __device__ __forceinline__ void Load(std::uint32_t at_a, std::uint32_t at_b, int k) {
#pragma unroll
    for (int i = 0; i < kRows / 4; ++i) {
      const float4 four = Read(at_a + k * kPitch + i * 128);
      a[4 * i] = four.x;
      a[4 * i + 1] = four.y;
      a[4 * i + 2] = four.z;
      a[4 * i + 3] = four.w;
    }
#pragma unroll
    for (int i = 0; i < kColumns / 4; ++i) {
      const float4 four = Read(at_b + k * kPitch + i * 128);
      b[4 * i] = four.x;
      b[4 * i + 1] = four.y;
      b[4 * i + 2] = four.z;
      b[4 * i + 3] = four.w;
    }
  }
};

__device__ __forceinline__ void Outer(float (&sums)[kRows][kColumns], const Fragment& f) {
#pragma unroll
  for (int y = 0; y < kRows; ++y) {
#pragma unroll
    for (int i = 0; i < kColumns; ++i) {
      // Back and forth, so that at the turn the right factor is still in the reuse cache.
      const int x = y % 2 == 0 ? i : kColumns - 1 - i;
      sums[y][x] = fmaf(f.a[y], f.b[x], sums[y][x]);
    }
  }
}

__device__ __forceinline__ void WarpsBarrier() {
  asm volatile("bar.sync 1, %0;" ::"n"(32 * kWarps) : "memory");
}

/// Until the steps before this share are in C.
__device__ __forceinline__ void AwaitProgress(int tile, int steps) {
  if (threadIdx.x == 128) {
    unsigned int done = 0;
    do {
      asm volatile("ld.acquire.gpu.u32 %0, [%1];"
                   : "=r"(done)
                   : "l"(&tile_progress[tile])
                   : "memory");
    } while (done != static_cast<unsigned int>(steps));
  }
  WarpsBarrier();
}

__device__ __forceinline__ void ReportProgress(int tile, int steps) {
  __threadfence();
  WarpsBarrier();
  if (threadIdx.x == 128) {
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(&tile_progress[tile]), "r"(steps) : "memory");
  }
}

__device__ void MultiplyTiles(const Stages& stages, const Problem& problem) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32 - 4;
  const int lane_m = lane / 8;
  const int lane_n = lane % 8;
  // A warp covers 32 x 128 of C. Four neighbours of a turned stage are rows of C that are 8 apart,
  // so the rows of two warps alternate in groups of four.
  const int my_row = warp / 4 * 64 + warp / 2 % 2 * 4 + lane_m;
  const int my_column = warp % 2 * 128 + lane_n;
  const std::uint32_t offset_a = warp / 4 * 256 + (warp / 2 % 2 * 4 + lane_m) * 16;
  const std::uint32_t offset_b = kTileM * 4 + warp % 2 * 512 + lane_n * 16;
  Fragment f[2];
  const Division& division = problem.division;
  Schedule schedule(division);
  Work work;
  bool more = schedule.Next(division, work);
  if (!more) return;
  Turn turn;
  bulk::Wait(&stages.turned_full[0], 0);
  std::uint32_t at = stages.Turned(0);
  f[0].Load(at + offset_a, at + offset_b, 0);
  while (more) {
    const Work now = work;
    more = schedule.Next(division, work);
    float sums[kRows][kColumns] = {};
    for (int step = now.first; step < now.last; ++step) {
      const int stage = turn.stage;
      turn.Advance();
      const bool any = more || step + 1 < now.last;
#pragma unroll 1
      for (int part = 0; part < kStepK / kUnroll; ++part) {
#pragma unroll
        for (int k = 0; k < kUnroll - 1; ++k) {
          f[1 - k % 2].Load(at + offset_a, at + offset_b, k + 1);
          Outer(sums, f[k % 2]);
        }
        at += kUnroll * kPitch;
        if (part == kStepK / kUnroll - 1) {
          if (any) bulk::Wait(&stages.turned_full[turn.stage], turn.parity);
          at = stages.Turned(turn.stage);
        }
        f[0].Load(at + offset_a, at + offset_b, 0);
        Outer(sums, f[1]);
      }
      // One thread for its warp: an arrival of every thread costs 5 %. The warp barrier orders the
      // other threads' reads before it, which racecheck does not follow.
      __syncwarp();
      if (lane == 0) bulk::Arrive(&stages.turned_empty[stage]);
    }
    const Place place = PlaceOf(division, now.tile);
    const bool add = now.first > 0;
    if (add) AwaitProgress(now.tile - division.whole, now.first);
#pragma unroll
    for (int y = 0; y < kRows; ++y) {
      float* c = problem.c + static_cast<std::int64_t>(place.row + my_row + y * 8) * problem.n +
                 place.column + my_column;
      if (add) {
#pragma unroll
        for (int x = 0; x < kColumns; ++x) sums[y][x] += __ldcg(c + x * 8);
      }
#pragma unroll
      for (int x = 0; x < kColumns; ++x) c[x * 8] = sums[y][x];
    }
    if (add || now.last < division.steps) {
      ReportProgress(now.tile - division.whole, now.last < division.steps ? now.last : 0);
    }
  }
}

__global__ void __launch_bounds__(kThreads, 1)
    Multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
             Problem problem) {
  extern __shared__ unsigned char shared[];
  const std::uint32_t base = bulk::SharedAddress(shared);
  Stages stages;
  stages.fetched = shared + ((base + 1023) / 1024 * 1024 - base);
  stages.fetched_full =
      reinterpret_cast<std::uint64_t*>(stages.fetched + 2 * kStages * kStageBytes);
  stages.turned_full = stages.fetched_full + kStages;
  stages.turned_empty = stages.turned_full + kStages;
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      bulk::InitBarrier(&stages.fetched_full[i], 1);
      bulk::InitBarrier(&stages.turned_full[i], 128);
      bulk::InitBarrier(&stages.turned_empty[i], kWarps);
    }
    bulk::PublishBarriers();
  }
  __syncthreads();
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 56;");
    Produce(stages, problem, a, b);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 224;");
    MultiplyTiles(stages, problem);
  }
}

bool MakeMap(CUtensorMap& map, const void* data, std::int64_t rows, std::int64_t k, int box_rows) {
  return MakeTileMap(map,
                     {.data = data,
                      .type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                      .element_bytes = 4,
                      .rows = rows,
                      .columns = k},
                     box_rows);
}

}  // namespace

cudaError_t RunCudaCores(const Operands& operands, const Shape& shape, cudaStream_t stream) {
  CUtensorMap a;
  CUtensorMap b;
  if (!MakeMap(a, operands.a, shape.m, shape.k, kTileM) ||
      !MakeMap(b, operands.b, shape.n, shape.k, kTileN)) {
    return cudaErrorNotSupported;
  }
  int device = 0;
  int processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const Problem problem = {
      .division = Divide(static_cast<int>(shape.m / kTileM), static_cast<int>(shape.n / kTileN),
                         static_cast<int>(shape.k / kStepK), processors),
      .n = static_cast<int>(shape.n),
      .c = static_cast<float*>(operands.c)};
  if (processors > kMaxShared) return cudaErrorNotSupported;
  const cudaError_t raised =
      cudaFuncSetAttribute(Multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  if (raised != cudaSuccess) return raised;
  Multiply<<<static_cast<unsigned>(processors), kThreads, kSharedBytes, stream>>>(a, b, problem);
  return cudaGetLastError();
}

}  // namespace sibyl::lab::gemm
