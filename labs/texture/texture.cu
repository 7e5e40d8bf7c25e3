// SPDX-License-Identifier: Apache-2.0
// The pass moves 21 bytes a pixel, 18 of them out. What stands between a kernel and that floor is
// arithmetic: the sRGB curve and three cube roots a pixel keep the special-function units busy for
// two thirds of the floor if both are computed there. So the curve is a table, copied 32 times into
// shared memory so that each lane reads its own bank, and only the roots are computed.
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/bulk.cuh"
#include "texture/texture.h"

namespace sibyl::lab::texture {
namespace {

constexpr int kLanes = 32;
constexpr int kPixels = 8;   // A thread's share of a row: one 16-byte store a channel.
constexpr int kGroup = 128;  // Threads that walk down one strip, 1024 pixels wide.
constexpr int kGroups = 2;   // Strips a block; they share the table.
constexpr int kStrip = kGroup * kPixels;
constexpr int kTableBytes = 256 * kLanes * 4;
constexpr int kStageBytes = kChannels * kStrip * 2;

struct CurveTable {
  float value[256];
};

CurveTable MakeTable() {
  CurveTable table{};
  for (int i = 0; i < 256; ++i) {
    const double u = i / 255.0;
    table.value[i] = static_cast<float>(u <= 0.04045 ? u / 12.92 : pow((u + 0.055) / 1.055, 2.4));
  }
  return table;
}

struct Planes {
  const std::uint8_t* rgb;
  std::uint16_t* out;
  int height;
  int width;
};

__device__ __forceinline__ float LabCurve(float t) {
  float log_t;
  float root;
  // Both approximations together are good to a few parts in 10^7; the answer is rounded to half.
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log_t) : "f"(t));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(log_t * 0.333333333f));
  const float line = fmaf(t, 7.78703704f, 0.137931034f);
  return t > 0.00885645168f ? root : line;
}

/// L, a and b of linear red, green and blue; the white point is folded into the matrix.
__device__ __forceinline__ void ToLab(float r, float g, float b, float* lab) {
  const float fx = LabCurve(fmaf(0.43395333f, r, fmaf(0.37621241f, g, 0.18984124f * b)));
  const float fy = LabCurve(fmaf(0.2126729f, r, fmaf(0.7151522f, g, 0.0721750f * b)));
  const float fz = LabCurve(fmaf(0.01775658f, r, fmaf(0.10946796f, g, 0.87277546f * b)));
  lab[0] = fmaf(116.0f, fy, -16.0f);
  lab[1] = 500.0f * (fx - fy);
  lab[2] = 200.0f * (fy - fz);
}

constexpr float kRed = 0.299f / (255.0f * 8.0f);
constexpr float kGreen = 0.587f / (255.0f * 8.0f);
constexpr float kBlue = 0.114f / (255.0f * 8.0f);

/// Sobel's eighth is folded into the luma.
__device__ __forceinline__ float Luma(float r, float g, float b) {
  return fmaf(kRed, r, fmaf(kGreen, g, kBlue * b));
}

__device__ __forceinline__ float Magnitude(float gx, float gy) {
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(fmaf(gx, gx, gy * gy)));
  return root;
}

// ------------------------------------------------------------------ plain

__device__ float LumaAt(const Planes& planes, const std::uint8_t* image, int y, int x) {
  y = min(max(y, 0), planes.height - 1);
  x = min(max(x, 0), planes.width - 1);
  const std::uint8_t* p = image + (static_cast<std::int64_t>(y) * planes.width + x) * 3;
  return Luma(p[0], p[1], p[2]);
}

__device__ float Curve(float u) {
  return u <= 0.04045f ? u / 12.92f : powf((u + 0.055f) / 1.055f, 2.4f);
}

__global__ void __launch_bounds__(256) Plain(Planes planes) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y);
  if (x >= planes.width) return;
  const std::int64_t pixels = static_cast<std::int64_t>(planes.height) * planes.width;
  const std::uint8_t* image = planes.rgb + blockIdx.z * pixels * 3;
  const std::int64_t at = static_cast<std::int64_t>(y) * planes.width + x;
  const float r = image[at * 3] / 255.0f;
  const float g = image[at * 3 + 1] / 255.0f;
  const float b = image[at * 3 + 2] / 255.0f;
  float values[kChannels] = {r, g, b};
  ToLab(Curve(r), Curve(g), Curve(b), values + 3);
  float gx = 0;
  float gy = 0;
  for (int i = -1; i <= 1; ++i) {
    const float weight = i == 0 ? 2 : 1;
    gx += weight * (LumaAt(planes, image, y + i, x + 1) - LumaAt(planes, image, y + i, x - 1));
    gy += weight * (LumaAt(planes, image, y + 1, x + i) - LumaAt(planes, image, y - 1, x + i));
  }
  values[6] = gx;
  values[7] = gy;
  values[8] = Magnitude(gx, gy);
  std::uint16_t* out = planes.out + blockIdx.z * pixels * kChannels + at;
#pragma unroll
  for (int c = 0; c < kChannels; ++c) out[c * pixels] = __half_as_ushort(__float2half(values[c]));
}

// ------------------------------------------------------------------ strips

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

template <int kByte>
__device__ __forceinline__ float Looked(const Row& row, const float* lane_table) {
  const std::uint32_t byte = __byte_perm(row.words[kByte / 4], 0, 0x4440 + kByte % 4);
  return lane_table[byte * kLanes];
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

__device__ __forceinline__ std::uint32_t Pack(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&pair);
}

/// Three channels of eight pixels, ready to store.
struct Packed {
  std::uint32_t words[3][kPixels / 2];

  __device__ uint4 channel(int c) const {
    return make_uint4(words[c][0], words[c][1], words[c][2], words[c][3]);
  }
};

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

template <int kPair>
__device__ __forceinline__ void PackLabPair(const Row& row, const float* lane_table,
                                            Packed& packed) {
  constexpr int kFirst = 6 * kPair;
  float low[3];
  float high[3];
  ToLab(Looked<kFirst>(row, lane_table), Looked<kFirst + 1>(row, lane_table),
        Looked<kFirst + 2>(row, lane_table), low);
  ToLab(Looked<kFirst + 3>(row, lane_table), Looked<kFirst + 4>(row, lane_table),
        Looked<kFirst + 5>(row, lane_table), high);
#pragma unroll
  for (int c = 0; c < 3; ++c) packed.words[c][kPair] = Pack(low[c], high[c]);
}

template <int... kPair>
__device__ __forceinline__ Packed PackRgb(const Row& row, std::integer_sequence<int, kPair...>) {
  Packed packed;
  (PackRgbPair<kPair>(row, packed), ...);
  return packed;
}

template <int... kPair>
__device__ __forceinline__ Packed PackLab(const Row& row, const float* lane_table,
                                          std::integer_sequence<int, kPair...>) {
  Packed packed;
  (PackLabPair<kPair>(row, lane_table, packed), ...);
  return packed;
}

template <int kThreads>
__device__ __forceinline__ void FillTable(float* table, const CurveTable& curve) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread / kLanes; i < 256; i += kThreads / kLanes) {
    table[i * kLanes + thread % kLanes] = curve.value[i];
  }
  __syncthreads();
}

/// Leaves a row by ordinary stores. Streaming ones: the default policy keeps lines in L2 that
/// nobody will read, and took 1.8 times as long on an H200.
struct DirectStore {
  std::int64_t pixels;
  bool active;

  __device__ void Begin() {}
  __device__ void Put(std::uint16_t* out, int first_channel, const Packed& packed) {
    if (!active) return;
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      __stcs(reinterpret_cast<uint4*>(out + (first_channel + c) * pixels), packed.channel(c));
    }
  }
  __device__ void End(std::uint16_t*) {}
  __device__ void Finish() {}
};

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

template <int kRows, typename Store>
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
  constexpr auto kPairs = std::make_integer_sequence<int, kPixels / 2>();
  for (int y = first; y < end; ++y) {
    const Row after = LoadRow(planes, image, y + 2, x);
    const LumaRow below = LumaOf(next, last);
    store.Begin();
    store.Put(out, 6, PackGradient(above, here, below));
    store.Put(out, 0, PackRgb(row, kPairs));
    store.Put(out, 3, PackLab(row, lane_table, kPairs));
    store.End(out);
    above = here;
    here = below;
    row = next;
    next = after;
    out += planes.width;
  }
  store.Finish();
}

template <int kRows, int kBlocks>
__global__ void __launch_bounds__(kGroup* kGroups, kBlocks)
    Strip(Planes planes, const __grid_constant__ CurveTable curve) {
  extern __shared__ __align__(128) unsigned char shared[];
  auto* table = reinterpret_cast<float*>(shared);
  FillTable<kGroup * kGroups>(table, curve);
  const int x =
      (static_cast<int>(blockIdx.x) * kGroup + static_cast<int>(threadIdx.x) % kGroup) * kPixels;
  const DirectStore store{.pixels = static_cast<std::int64_t>(planes.height) * planes.width,
                          .active = x < planes.width};
  WalkStrip<kRows>(planes, table, store);
}

template <int kRows, int kBlocks>
__global__ void __launch_bounds__(kGroup* kGroups, kBlocks)
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
  WalkStrip<kRows>(planes, table, store);
#endif
}

// ------------------------------------------------------------------ rows

constexpr int kRowThreads = 256;
constexpr int kRowGroups = kRowThreads / kGroup;  // Rows a block makes at a time.

/// The luma in whole numbers, of 4096ths of a byte: two multiply-add instructions a pixel instead
/// of nine. The weights are off by at most 7e-5, and all sums up to the gradient are exact.
constexpr std::uint32_t kWeightsRg = 1225u | 2404u << 16;
constexpr std::uint32_t kWeightsB = 467u;
constexpr float kLumaUnit = 1.0f / (255.0f * 4096.0f * 8.0f);

__device__ __forceinline__ int WholeLuma(std::uint32_t pixel) {
  const unsigned rg = __dp2a_lo(kWeightsRg, pixel, 0u);
  return static_cast<int>(__dp2a_hi(kWeightsB, pixel, rg));
}

/// A whole number of magnitude up to 2^22, exactly.
__device__ __forceinline__ float ToFloat(int value) {
  return __int_as_float(value + 0x4b400000) - 12582912.0f;
}

/// Red, green and blue of pixel kPixel in the lower three bytes; the fourth is somebody else's.
template <int kPixel>
__device__ __forceinline__ std::uint32_t PixelOf(const std::uint32_t (&words)[6]) {
  constexpr int kByte = 3 * kPixel;
  constexpr int kShift = kByte % 4;
  if constexpr (kShift == 0) {
    return words[kByte / 4];
  } else {
    constexpr int kNext = kByte / 4 + 1 < 6 ? kByte / 4 + 1 : 5;
    return __byte_perm(words[kByte / 4], words[kNext],
                       kShift | (kShift + 1) << 4 | (kShift + 2) << 8 | (kShift + 3) % 8 << 12);
  }
}

/// Eight pixels of a row, and, for the lanes at a warp's ends, the word with the pixel beyond.
struct RawRow {
  std::uint32_t words[6];
  std::uint32_t beyond;
};

struct WholeRow {
  int at[kPixels + 2];
};

template <int... kIndex>
__device__ __forceinline__ WholeRow WholeLumaOf(const RawRow& row, bool first, bool last,
                                                std::integer_sequence<int, kIndex...>) {
  WholeRow luma;
  ((luma.at[kIndex + 1] = WholeLuma(PixelOf<kIndex>(row.words))), ...);
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const int left = __shfl_up_sync(~0u, luma.at[kPixels], 1);
  const int right = __shfl_down_sync(~0u, luma.at[1], 1);
  // The pixel before stands in the upper three bytes of its word, the one after in the lower three.
  const int beyond = WholeLuma(lane == 0 ? row.beyond >> 8 : row.beyond);
  luma.at[0] = first ? luma.at[1] : lane == 0 ? beyond : left;
  luma.at[kPixels + 1] = last ? luma.at[kPixels] : lane == kLanes - 1 ? beyond : right;
  return luma;
}

/// Where a thread is: its eight pixels of one row of one image.
struct Spot {
  const std::uint8_t* image;
  std::uint16_t* out;
  int y;
  int x;        // Of pixels that exist.
  bool active;  // Whether they are this thread's to write.
};

struct RowWork {
  Planes planes;
  int chunks;  // Of 1024 pixels in a row.
  int bands;   // Of kRowGroups rows in an image.
  int places;
};

__device__ __forceinline__ Spot SpotOf(const RowWork& work, int place) {
  const int thread = static_cast<int>(threadIdx.x) % kGroup;
  const int chunk = place % work.chunks;
  const int band = place / work.chunks % work.bands;
  const std::int64_t image = place / work.chunks / work.bands;
  const std::int64_t pixels = static_cast<std::int64_t>(work.planes.height) * work.planes.width;
  const int y = band * kRowGroups + static_cast<int>(threadIdx.x) / kGroup;
  const int x = chunk * kStrip + thread * kPixels;
  Spot spot;
  spot.image = work.planes.rgb + image * pixels * 3;
  spot.active = y < work.planes.height && x < work.planes.width;
  spot.y = min(y, work.planes.height - 1);
  spot.x = min(x, work.planes.width - kPixels);
  spot.out = work.planes.out + image * pixels * kChannels +
             static_cast<std::int64_t>(spot.y) * work.planes.width + spot.x;
  return spot;
}

__device__ __forceinline__ void LoadRaw(const Planes& planes, const Spot& spot, int y,
                                        RawRow& row) {
  y = min(max(y, 0), planes.height - 1);
  const std::uint8_t* at = spot.image + (static_cast<std::int64_t>(y) * planes.width + spot.x) * 3;
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    const uint2 two = __ldg(reinterpret_cast<const uint2*>(at) + i);
    row.words[2 * i] = two.x;
    row.words[2 * i + 1] = two.y;
  }
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  if (lane == 0 && spot.x > 0) row.beyond = __ldg(reinterpret_cast<const unsigned*>(at - 4));
  if (lane == kLanes - 1 && spot.x + kPixels < planes.width) {
    row.beyond = __ldg(reinterpret_cast<const unsigned*>(at + 24));
  }
}

__device__ __forceinline__ Packed PackWhole(const WholeRow& above, const WholeRow& here,
                                            const WholeRow& below) {
  int down[kPixels + 2];
  int slope[kPixels + 2];
#pragma unroll
  for (int i = 0; i < kPixels + 2; ++i) {
    down[i] = above.at[i] + 2 * here.at[i] + below.at[i];
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
      gx[i] = ToFloat(down[p + 1] - down[p - 1]) * kLumaUnit;
      gy[i] = ToFloat(slope[p - 1] + 2 * slope[p] + slope[p + 1]) * kLumaUnit;
    }
    packed.words[0][pair] = Pack(gx[0], gx[1]);
    packed.words[1][pair] = Pack(gy[0], gy[1]);
    packed.words[2][pair] = Pack(Magnitude(gx[0], gy[0]), Magnitude(gx[1], gy[1]));
  }
  return packed;
}

/// Bytes 6 * kPair + kChannel and three further, over 255, as two halves. A half of 1024 + byte is
/// exact, and so is 1024 times the half nearest to 1/255, which is off by 1.5e-5; one rounding
/// follows.
template <int kPair, int kChannel>
__device__ __forceinline__ std::uint32_t PackUnit(const std::uint32_t (&words)[6]) {
  constexpr int kLow = 6 * kPair + kChannel;
  constexpr int kHigh = kLow + 3;
  const std::uint32_t two =
      __byte_perm(words[kLow / 4], words[kHigh / 4], kLow % 4 | (4 + kHigh % 4) << 8);
  const std::uint32_t biased = (two & 0x00ff00ffu) | 0x64006400u;
  const __half2 unit = __half2half2(__ushort_as_half(0x1c04));  // 1028 / 2^18
  const __half2 bias = __half2half2(__ushort_as_half(0xc404));  // -1024 of those
  const __half2 result = __hfma2(*reinterpret_cast<const __half2*>(&biased), unit, bias);
  return *reinterpret_cast<const std::uint32_t*>(&result);
}

template <int... kPair>
__device__ __forceinline__ Packed PackUnits(const std::uint32_t (&words)[6],
                                            std::integer_sequence<int, kPair...>) {
  Packed packed;
  ((packed.words[0][kPair] = PackUnit<kPair, 0>(words)), ...);
  ((packed.words[1][kPair] = PackUnit<kPair, 1>(words)), ...);
  ((packed.words[2][kPair] = PackUnit<kPair, 2>(words)), ...);
  return packed;
}

/// Every thread makes its own three rows of luma, and no warp waits for another. Blocks live as
/// long as the kernel and make whole rows next to those that their neighbours make: what the device
/// writes at any moment lies together, as the memory likes it.
template <int kBlocks>
__global__ void __launch_bounds__(kRowThreads, kBlocks)
    Rows(RowWork work, const __grid_constant__ CurveTable curve) {
  extern __shared__ __align__(128) unsigned char shared[];
  auto* table = reinterpret_cast<float*>(shared);
  const float* lane_table = table + threadIdx.x % kLanes;
  const Planes& planes = work.planes;
  const std::int64_t pixels = static_cast<std::int64_t>(planes.height) * planes.width;
  constexpr auto kPairs = std::make_integer_sequence<int, kPixels / 2>();
  constexpr auto kAll = std::make_integer_sequence<int, kPixels>();
  RawRow raw[3] = {};
  Spot spot = SpotOf(work, static_cast<int>(blockIdx.x));
#pragma unroll
  for (int i = 0; i < 3; ++i) LoadRaw(planes, spot, spot.y + i - 1, raw[i]);
  FillTable<kRowThreads>(table, curve);
  for (int place = static_cast<int>(blockIdx.x); place < work.places;
       place += static_cast<int>(gridDim.x)) {
    const bool first = spot.x == 0;
    const bool last = spot.x + kPixels >= planes.width;
    DirectStore store{.pixels = pixels, .active = spot.active};
    std::uint16_t* out = spot.out;
    {
      const WholeRow above = WholeLumaOf(raw[0], first, last, kAll);
      const WholeRow here = WholeLumaOf(raw[1], first, last, kAll);
      const WholeRow below = WholeLumaOf(raw[2], first, last, kAll);
      store.Put(out, 6, PackWhole(above, here, below));
    }
    Row row{};
#pragma unroll
    for (int i = 0; i < 6; ++i) row.words[i] = raw[1].words[i];
    // The next rows travel while the colours of this one are computed.
    if (place + static_cast<int>(gridDim.x) < work.places) {
      spot = SpotOf(work, place + static_cast<int>(gridDim.x));
#pragma unroll
      for (int i = 0; i < 3; ++i) LoadRaw(planes, spot, spot.y + i - 1, raw[i]);
    }
    store.Put(out, 0, PackUnits(row.words, kPairs));
    store.Put(out, 3, PackLab(row, lane_table, kPairs));
  }
}

constexpr int kCopies =
    8;  // Of the small table: lanes that share one collide about twice, not 3.4 times.

template <int kByte>
__device__ __forceinline__ float LookedSmall(const Row& row, const float* lane_table) {
  const std::uint32_t byte = __byte_perm(row.words[kByte / 4], 0, 0x4440 + kByte % 4);
  return lane_table[byte * kCopies];
}

template <int kPair>
__device__ __forceinline__ void PackLabPairSmall(const Row& row, const float* lane_table,
                                                 Packed& packed) {
  constexpr int kFirst = 6 * kPair;
  float low[3];
  float high[3];
  ToLab(LookedSmall<kFirst>(row, lane_table), LookedSmall<kFirst + 1>(row, lane_table),
        LookedSmall<kFirst + 2>(row, lane_table), low);
  ToLab(LookedSmall<kFirst + 3>(row, lane_table), LookedSmall<kFirst + 4>(row, lane_table),
        LookedSmall<kFirst + 5>(row, lane_table), high);
#pragma unroll
  for (int c = 0; c < 3; ++c) packed.words[c][kPair] = Pack(low[c], high[c]);
}

template <int... kPair>
__device__ __forceinline__ Packed PackLabSmall(const Row& row, const float* lane_table,
                                               std::integer_sequence<int, kPair...>) {
  Packed packed;
  (PackLabPairSmall<kPair>(row, lane_table, packed), ...);
  return packed;
}

/// One pair of rows a block, and a block for every pair: the hardware starts them in order, and
/// blocks that live as long as the kernel drift apart, until what is written at one moment lies all
/// over the memory. The table is an eighth as large, since every block fills it anew.
template <int kBlocks>
__global__ void __launch_bounds__(kRowThreads, kBlocks)
    RowsOnce(RowWork work, const __grid_constant__ CurveTable curve) {
  __shared__ float table[256 * kCopies];
  const Planes& planes = work.planes;
  const std::int64_t pixels = static_cast<std::int64_t>(planes.height) * planes.width;
  constexpr auto kPairs = std::make_integer_sequence<int, kPixels / 2>();
  constexpr auto kAll = std::make_integer_sequence<int, kPixels>();
  const Spot spot = SpotOf(work, static_cast<int>(blockIdx.x));
  RawRow raw[3] = {};
#pragma unroll
  for (int i = 0; i < 3; ++i) LoadRaw(planes, spot, spot.y + i - 1, raw[i]);
  const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int i = 0; i < kCopies; ++i) {
    const int at = i * kRowThreads + thread;
    table[at] = curve.value[at / kCopies];
  }
  __syncthreads();
  const bool first = spot.x == 0;
  const bool last = spot.x + kPixels >= planes.width;
  DirectStore store{.pixels = pixels, .active = spot.active};
  const WholeRow above = WholeLumaOf(raw[0], first, last, kAll);
  const WholeRow here = WholeLumaOf(raw[1], first, last, kAll);
  const WholeRow below = WholeLumaOf(raw[2], first, last, kAll);
  store.Put(spot.out, 6, PackWhole(above, here, below));
  Row row{};
#pragma unroll
  for (int i = 0; i < 6; ++i) row.words[i] = raw[1].words[i];
  store.Put(spot.out, 0, PackUnits(row.words, kPairs));
  store.Put(spot.out, 3, PackLabSmall(row, table + thread % kCopies, kPairs));
}

RowWork Divide(const Planes& planes, std::int64_t images) {
  RowWork work = {.planes = planes,
                  .chunks = (planes.width + kStrip - 1) / kStrip,
                  .bands = (planes.height + kRowGroups - 1) / kRowGroups,
                  .places = 0};
  work.places = work.chunks * work.bands * static_cast<int>(images);
  return work;
}

template <int kBlocks>
cudaError_t LaunchOnce(const Planes& planes, std::int64_t images, cudaStream_t stream) {
  static const CurveTable kTable = MakeTable();
  const RowWork work = Divide(planes, images);
  RowsOnce<kBlocks><<<static_cast<unsigned>(work.places), kRowThreads, 0, stream>>>(work, kTable);
  return cudaGetLastError();
}

template <int kBlocks>
cudaError_t LaunchRows(const Planes& planes, std::int64_t images, cudaStream_t stream) {
  static const CurveTable kTable = MakeTable();
  const cudaError_t raised =
      cudaFuncSetAttribute(Rows<kBlocks>, cudaFuncAttributeMaxDynamicSharedMemorySize, kTableBytes);
  if (raised != cudaSuccess) return raised;
  const RowWork work = Divide(planes, images);
  int device = 0;
  int processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const auto blocks = static_cast<unsigned>(std::min(processors * kBlocks, work.places));
  Rows<kBlocks><<<blocks, kRowThreads, kTableBytes, stream>>>(work, kTable);
  return cudaGetLastError();
}

using StripKernel = void (*)(Planes, CurveTable);

cudaError_t LaunchStrip(StripKernel kernel, int rows, int shared, const Planes& planes,
                        std::int64_t images, cudaStream_t stream) {
  static const CurveTable kTable = MakeTable();
  const cudaError_t raised =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
  if (raised != cudaSuccess) return raised;
  const int band = rows * kGroups;
  const dim3 grid((planes.width + kStrip - 1) / kStrip, (planes.height + band - 1) / band,
                  static_cast<unsigned>(images));
  kernel<<<grid, kGroup * kGroups, shared, stream>>>(planes, kTable);
  return cudaGetLastError();
}

}  // namespace

const char* WhyNot(Variant variant, const Shape& shape, int compute_capability) {
  if (shape.images > 65535 || shape.height > 65535) {
    return "more than 65535 images or rows do not fit the grid";
  }
  if (variant == Variant::kPlain) return "";
  if (shape.width % kPixels != 0) return "the width is no multiple of 8";
  if (variant == Variant::kBulk && compute_capability < 90) return "bulk copies need sm_90";
  return "";
}

Variant Best(const Shape& shape, int compute_capability) {
  if (*WhyNot(Variant::kBulk, shape, compute_capability) == '\0') return Variant::kBulk;
  if (*WhyNot(Variant::kStrip, shape, compute_capability) == '\0') return Variant::kStrip;
  return Variant::kPlain;
}

cudaError_t Extract(Variant variant, const std::uint8_t* rgb, std::uint16_t* out,
                    const Shape& shape, cudaStream_t stream) {
  const Planes planes = {.rgb = rgb,
                         .out = out,
                         .height = static_cast<int>(shape.height),
                         .width = static_cast<int>(shape.width)};
  switch (variant) {
    case Variant::kPlain: {
      const dim3 grid((planes.width + 255) / 256, planes.height,
                      static_cast<unsigned>(shape.images));
      Plain<<<grid, 256, 0, stream>>>(planes);
      return cudaGetLastError();
    }
    case Variant::kStrip:
      return LaunchStrip(Strip<16, 2>, 16, kTableBytes, planes, shape.images, stream);
    case Variant::kBulk:
      return LaunchStrip(Bulk<16, 2>, 16, kTableBytes + kGroups * 2 * kStageBytes, planes,
                         shape.images, stream);
    case Variant::kRows:
      return LaunchRows<3>(planes, shape.images, stream);
    case Variant::kOnce:
      return LaunchOnce<4>(planes, shape.images, stream);
    case Variant::kOnce5:
      return LaunchOnce<5>(planes, shape.images, stream);
    case Variant::kOnce6:
      return LaunchOnce<6>(planes, shape.images, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace sibyl::lab::texture
