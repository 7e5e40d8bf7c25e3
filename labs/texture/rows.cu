// SPDX-License-Identifier: Apache-2.0
// Rows: every thread makes the three rows of luma it needs, and no warp waits for another. Side by
// side, so that what the device writes at any moment lies together.
#include <algorithm>

#include "texture/pixels.cuh"

namespace sibyl::lab::texture {
namespace {

constexpr int kRowThreads = 256;
constexpr int kRowBlocks = 3;                     // A multiprocessor's, of those that stay.
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
__global__ void __launch_bounds__(kRowThreads, kRowBlocks)
    Rows(RowWork work, const __grid_constant__ CurveTable curve) {
  extern __shared__ __align__(128) unsigned char shared[];
  auto* table = reinterpret_cast<float*>(shared);
  const float* lane_table = table + threadIdx.x % kLanes;
  const Planes& planes = work.planes;
  const std::int64_t pixels = static_cast<std::int64_t>(planes.height) * planes.width;
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
    std::uint32_t words[6];
#pragma unroll
    for (int i = 0; i < 6; ++i) words[i] = raw[1].words[i];
    // The next rows travel while the colours of this one are computed.
    if (place + static_cast<int>(gridDim.x) < work.places) {
      spot = SpotOf(work, place + static_cast<int>(gridDim.x));
#pragma unroll
      for (int i = 0; i < 3; ++i) LoadRaw(planes, spot, spot.y + i - 1, raw[i]);
    }
    store.Put(out, 0, PackUnits(words, kPairs));
    store.Put(out, 3, PackLab<kLanes>(words, lane_table, kPairs));
  }
}

constexpr int kCopies =
    8;  // Of the small table: lanes that share one collide about twice, not 3.4 times.
/// One pair of rows a block, and a block for every pair: the hardware starts them in order, and
/// blocks that live as long as the kernel drift apart, until what is written at one moment lies all
/// over the memory. The table is an eighth as large, since every block fills it anew.
__global__ void __launch_bounds__(kRowThreads, 5)
    RowsOnce(RowWork work, const __grid_constant__ CurveTable curve) {
  __shared__ float table[256 * kCopies];
  const Planes& planes = work.planes;
  const std::int64_t pixels = static_cast<std::int64_t>(planes.height) * planes.width;
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
  store.Put(spot.out, 0, PackUnits(raw[1].words, kPairs));
  store.Put(spot.out, 3, PackLab<kCopies>(raw[1].words, table + thread % kCopies, kPairs));
}

RowWork Divide(const Planes& planes, std::int64_t images) {
  RowWork work = {.planes = planes,
                  .chunks = (planes.width + kStrip - 1) / kStrip,
                  .bands = (planes.height + kRowGroups - 1) / kRowGroups,
                  .places = 0};
  work.places = work.chunks * work.bands * static_cast<int>(images);
  return work;
}

}  // namespace

cudaError_t LaunchOnce(const Planes& planes, std::int64_t images, cudaStream_t stream) {
  static const CurveTable kTable = MakeTable();
  const RowWork work = Divide(planes, images);
  RowsOnce<<<static_cast<unsigned>(work.places), kRowThreads, 0, stream>>>(work, kTable);
  return cudaGetLastError();
}

cudaError_t LaunchRows(const Planes& planes, std::int64_t images, cudaStream_t stream) {
  static const CurveTable kTable = MakeTable();
  const cudaError_t raised =
      cudaFuncSetAttribute(Rows, cudaFuncAttributeMaxDynamicSharedMemorySize, kTableBytes);
  if (raised != cudaSuccess) return raised;
  const RowWork work = Divide(planes, images);
  int device = 0;
  int processors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const auto blocks = static_cast<unsigned>(std::min(processors * kRowBlocks, work.places));
  Rows<<<blocks, kRowThreads, kTableBytes, stream>>>(work, kTable);
  return cudaGetLastError();
}

}  // namespace sibyl::lab::texture
