// SPDX-License-Identifier: Apache-2.0
// Strips: threads walk down the image, so that each row of luma is made once. Fewer instructions
// than rows.cu and slower all the same: what the blocks write at one moment lies 32 KiB apart.
#include "harness/bulk.cuh"
#include "texture/pixels.cuh"

namespace sibyl::lab::texture {
namespace {

constexpr int kGroups = 2;  // Strips a block; they share the table.
constexpr int kRows = 16;   // Of a strip.
constexpr int kStageBytes = kChannels * kStrip * 2;
constexpr float kRed = 0.299f / (255.0f * 8.0f);
constexpr float kGreen = 0.587f / (255.0f * 8.0f);
constexpr float kBlue = 0.114f / (255.0f * 8.0f);

/// Sobel's eighth is folded into the luma.
__device__ __forceinline__ float Luma(float r, float g, float b) {
  return fmaf(kRed, r, fmaf(kGreen, g, kBlue * b));
}

/// A thread's eight pixels of a row, as they came, and the pixel beyond the warp's end (lanes 0 and
/// 31 only). Nothing is computed from them where they are loaded: that would wait for them.
struct Row {
  std::uint32_t words[6];
  std::uint32_t beyond[3];
};

/// Building the float 2^23 + byte and subtracting 2^23 takes two full-rate instructions; the
/// conversion instruction runs at a quarter of the rate.
__device__ __forceinline__ float ByteToFloat(std::uint32_t byte) {
  return __uint_as_float(byte | 0x4b000000u) - 8388608.0f;
}

/// Byte 3 * pixel + channel of the row.
template <int kByte>
__device__ __forceinline__ float ByteOf(const Row& row) {
  const std::uint32_t bits = __byte_perm(row.words[kByte / 4], 0x4b000000u, 0x7440 + kByte % 4);
  return __uint_as_float(bits) - 8388608.0f;
}

__device__ __forceinline__ Row LoadRow(const Planes& planes, const std::uint8_t* image, int y,
                                       int x) {
  y = min(max(y, 0), planes.height - 1);
  const std::uint8_t* line = image + static_cast<std::int64_t>(y) * planes.width * 3;
  const auto* words = reinterpret_cast<const uint2*>(line + x * 3);
  Row row{};
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    const uint2 two = __ldg(words + i);
    row.words[2 * i] = two.x;
    row.words[2 * i + 1] = two.y;
  }
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  if (lane == 0 || lane == kLanes - 1) {
    const int beside = lane == 0 ? max(x - 1, 0) : min(x + kPixels, planes.width - 1);
    const std::uint8_t* p = line + beside * 3;
#pragma unroll
    for (int i = 0; i < 3; ++i) row.beyond[i] = __ldg(p + i);
  }
  return row;
}

/// The luma of a thread's pixels and of one to either side. Two rows of these are all that is kept
/// from row to row: Sobel's filters are taken down first and along afterwards, so that no
/// half-finished sums need registers.
struct LumaRow {
  float at[kPixels + 2];
};

template <int... kIndex>
__device__ __forceinline__ void LumaOf(const Row& row, LumaRow& luma,
                                       std::integer_sequence<int, kIndex...>) {
  ((luma.at[kIndex + 1] =
        Luma(ByteOf<3 * kIndex>(row), ByteOf<3 * kIndex + 1>(row), ByteOf<3 * kIndex + 2>(row))),
   ...);
}

__device__ __forceinline__ LumaRow LumaOf(const Row& row, bool last) {
  LumaRow luma;
  LumaOf(row, luma, std::make_integer_sequence<int, kPixels>());
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const float left = __shfl_up_sync(~0u, luma.at[kPixels], 1);
  const float right = __shfl_down_sync(~0u, luma.at[1], 1);
  const float beyond =
      Luma(ByteToFloat(row.beyond[0]), ByteToFloat(row.beyond[1]), ByteToFloat(row.beyond[2]));
  luma.at[0] = lane == 0 ? beyond : left;
  luma.at[kPixels + 1] = last ? luma.at[kPixels] : lane == kLanes - 1 ? beyond : right;
  return luma;
}

__device__ __forceinline__ Packed PackGradient(const LumaRow& above, const LumaRow& here,
                                               const LumaRow& below) {
  float down[kPixels + 2];
  float slope[kPixels + 2];
#pragma unroll
  for (int i = 0; i < kPixels + 2; ++i) {
    down[i] = fmaf(2.0f, here.at[i], above.at[i] + below.at[i]);
    slope[i] = below.at[i] - above.at[i];
  }
  Packed packed;
#pragma unroll
  for (int pair = 0; pair < kPixels / 2; ++pair) {
    float gx[2];
    float gy[2];
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int p = 2 * pair + i + 1;
      gx[i] = down[p + 1] - down[p - 1];
      gy[i] = fmaf(2.0f, slope[p], slope[p - 1] + slope[p + 1]);
    }
    packed.words[0][pair] = Pack(gx[0], gx[1]);
    packed.words[1][pair] = Pack(gy[0], gy[1]);
    packed.words[2][pair] = Pack(Magnitude(gx[0], gy[0]), Magnitude(gx[1], gy[1]));
  }
  return packed;
}

template <int kPair>
__device__ __forceinline__ void PackRgbPair(const Row& row, Packed& packed) {
  constexpr int kFirst = 6 * kPair;
  constexpr float kUnit = 1.0f / 255.0f;
  packed.words[0][kPair] = Pack(ByteOf<kFirst>(row) * kUnit, ByteOf<kFirst + 3>(row) * kUnit);
  packed.words[1][kPair] = Pack(ByteOf<kFirst + 1>(row) * kUnit, ByteOf<kFirst + 4>(row) * kUnit);
  packed.words[2][kPair] = Pack(ByteOf<kFirst + 2>(row) * kUnit, ByteOf<kFirst + 5>(row) * kUnit);
}

template <int... kPair>
__device__ __forceinline__ Packed PackRgb(const Row& row, std::integer_sequence<int, kPair...>) {
  Packed packed;
  (PackRgbPair<kPair>(row, packed), ...);
  return packed;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/// Leaves a row through one of two stages in shared memory: nine threads each send one channel's
/// two kilobytes with a bulk copy, so that the memory sees long bursts and the warps no store
/// latency.
struct BulkStore {
  std::int64_t pixels;
  unsigned char* stages;  // This group's, two of them.
  std::uint32_t bytes;    // Of a channel, in this strip.
  int group;
  int thread;  // In the group.
  int turn = 0;

  __device__ unsigned char* stage() const { return stages + (turn & 1) * kStageBytes; }
  __device__ void Barrier() const {
    asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(kGroup) : "memory");
  }
  __device__ void Begin() {
    // The copy of two rows ago must have read its stage; the copy of one row ago may still run.
    if (thread < kChannels) bulk::WaitStoresRead<1>();
    Barrier();
  }
  __device__ void Put(std::uint16_t*, int first_channel, const Packed& packed) {
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      reinterpret_cast<uint4*>(stage() + (first_channel + c) * kStrip * 2)[thread] =
          packed.channel(c);
    }
  }
  __device__ void End(std::uint16_t* out) {
    bulk::FenceForEngine();
    Barrier();
    if (thread < kChannels) {
      bulk::Store(out - thread * kPixels + thread * pixels, stage() + thread * kStrip * 2, bytes);
      bulk::CommitStores();
    }
    ++turn;
  }
  __device__ void Finish() {
    if (thread < kChannels) bulk::WaitStoresRead<0>();
  }
};
#endif

template <typename Store>
__device__ __forceinline__ void WalkStrip(const Planes& planes, const float* table, Store store) {
  const int thread = static_cast<int>(threadIdx.x) % kGroup;
  const int group = static_cast<int>(threadIdx.x) / kGroup;
  const int wanted_x = (static_cast<int>(blockIdx.x) * kGroup + thread) * kPixels;
  const int x = min(wanted_x, planes.width - kPixels);
  const bool last = x + kPixels >= planes.width;
  const float* lane_table = table + thread % kLanes;
  const std::int64_t pixels = static_cast<std::int64_t>(planes.height) * planes.width;
  const std::uint8_t* image = planes.rgb + blockIdx.z * pixels * 3;
  const int first = (static_cast<int>(blockIdx.y) * kGroups + group) * kRows;
  const int end = min(first + kRows, planes.height);
  std::uint16_t* out = planes.out + blockIdx.z * pixels * kChannels +
                       static_cast<std::int64_t>(first) * planes.width + wanted_x;

  LumaRow above = LumaOf(LoadRow(planes, image, first - 1, x), last);
  Row row = LoadRow(planes, image, first, x);
  LumaRow here = LumaOf(row, last);
  Row next = LoadRow(planes, image, first + 1, x);
  for (int y = first; y < end; ++y) {
    const Row after = LoadRow(planes, image, y + 2, x);
    const LumaRow below = LumaOf(next, last);
    store.Begin();
    store.Put(out, 6, PackGradient(above, here, below));
    store.Put(out, 0, PackRgb(row, kPairs));
    store.Put(out, 3, PackLab<kLanes>(row.words, lane_table, kPairs));
    store.End(out);
    above = here;
    here = below;
    row = next;
    next = after;
    out += planes.width;
  }
  store.Finish();
}

__global__ void __launch_bounds__(kGroup* kGroups, 2)
    Strip(Planes planes, const __grid_constant__ CurveTable curve) {
  extern __shared__ __align__(128) unsigned char shared[];
  auto* table = reinterpret_cast<float*>(shared);
  FillTable<kGroup * kGroups>(table, curve);
  const int x =
      (static_cast<int>(blockIdx.x) * kGroup + static_cast<int>(threadIdx.x) % kGroup) * kPixels;
  const DirectStore store{.pixels = static_cast<std::int64_t>(planes.height) * planes.width,
                          .active = x < planes.width};
  WalkStrip(planes, table, store);
}

__global__ void __launch_bounds__(kGroup* kGroups, 2)
    Bulk(Planes planes, const __grid_constant__ CurveTable curve) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char shared[];
  auto* table = reinterpret_cast<float*>(shared);
  FillTable<kGroup * kGroups>(table, curve);
  const int group = static_cast<int>(threadIdx.x) / kGroup;
  const int wide = min(kStrip, planes.width - static_cast<int>(blockIdx.x) * kStrip);
  const BulkStore store{.pixels = static_cast<std::int64_t>(planes.height) * planes.width,
                        .stages = shared + kTableBytes + group * 2 * kStageBytes,
                        .bytes = static_cast<std::uint32_t>(wide * 2),
                        .group = group,
                        .thread = static_cast<int>(threadIdx.x) % kGroup};
  WalkStrip(planes, table, store);
#endif
}

using StripKernel = void (*)(Planes, CurveTable);

cudaError_t LaunchStrip(StripKernel kernel, int shared, const Planes& planes, std::int64_t images,
                        cudaStream_t stream) {
  static const CurveTable kTable = MakeTable();
  const cudaError_t raised =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  if (raised != cudaSuccess) return raised;
  const int band = kRows * kGroups;
  const dim3 grid((planes.width + kStrip - 1) / kStrip, (planes.height + band - 1) / band,
                  static_cast<unsigned>(images));
  kernel<<<grid, kGroup * kGroups, shared, stream>>>(planes, kTable);
  return cudaGetLastError();
}
}  // namespace

cudaError_t LaunchStrips(const Planes& planes, std::int64_t images, cudaStream_t stream) {
  return LaunchStrip(Strip, kTableBytes, planes, images, stream);
}

cudaError_t LaunchBulkStrips(const Planes& planes, std::int64_t images, cudaStream_t stream) {
  return LaunchStrip(Bulk, kTableBytes + kGroups * 2 * kStageBytes, planes, images, stream);
}

}  // namespace sibyl::lab::texture
