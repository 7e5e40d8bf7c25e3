// SPDX-License-Identifier: Apache-2.0
// The pass moves 21 bytes a pixel, 18 of them out. What stands between a kernel and that floor is
// arithmetic: the sRGB curve and three cube roots a pixel keep the special-function units busy for
// two thirds of the floor if both are computed there. So the curve is a table, copied 32 times into
// shared memory so that each lane reads its own bank, and only the roots are computed.
#include <cuda_fp16.h>

#include <cmath>
#include <utility>

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

/// A thread's eight pixels of a row, as they came, and the luma of the pixel beyond the warp's end
/// (lanes 0 and 31 only).
struct Row {
  std::uint32_t words[6];
  float beyond;
};

/// Byte 3 * pixel + channel of the row. Building the float 2^23 + byte and subtracting 2^23 takes
/// two full-rate instructions; the conversion instruction runs at a quarter of the rate.
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
  Row row;
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    const uint2 two = __ldg(words + i);
    row.words[2 * i] = two.x;
    row.words[2 * i + 1] = two.y;
  }
  row.beyond = 0;
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  if (lane == 0 || lane == kLanes - 1) {
    const int beside = lane == 0 ? max(x - 1, 0) : min(x + kPixels, planes.width - 1);
    const std::uint8_t* p = line + beside * 3;
    row.beyond = Luma(__ldg(p), __ldg(p + 1), __ldg(p + 2));
  }
  return row;
}

/// Along the row: the smoothed luma and its difference, of which Sobel's filters are made.
struct Slopes {
  float smooth[kPixels];
  float difference[kPixels];
};

template <int... kIndex>
__device__ __forceinline__ void LumaOf(const Row& row, float* luma,
                                       std::integer_sequence<int, kIndex...>) {
  ((luma[kIndex + 1] =
        Luma(ByteOf<3 * kIndex>(row), ByteOf<3 * kIndex + 1>(row), ByteOf<3 * kIndex + 2>(row))),
   ...);
}

__device__ __forceinline__ Slopes SlopesOf(const Row& row, bool last) {
  float luma[kPixels + 2];
  LumaOf(row, luma, std::make_integer_sequence<int, kPixels>());
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const float left = __shfl_up_sync(~0u, luma[kPixels], 1);
  const float right = __shfl_down_sync(~0u, luma[1], 1);
  luma[0] = lane == 0 ? row.beyond : left;
  luma[kPixels + 1] = last ? luma[kPixels] : lane == kLanes - 1 ? row.beyond : right;
  Slopes slopes;
#pragma unroll
  for (int i = 0; i < kPixels; ++i) {
    slopes.smooth[i] = fmaf(2.0f, luma[i + 1], luma[i] + luma[i + 2]);
    slopes.difference[i] = luma[i + 2] - luma[i];
  }
  return slopes;
}

__device__ __forceinline__ std::uint32_t Pack(float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  return *reinterpret_cast<const std::uint32_t*>(&pair);
}

/// The nine channels of eight pixels, ready to store.
struct Packed {
  uint4 channel[kChannels];
};

template <int kPair>
__device__ __forceinline__ void PackColours(const Row& row, const float* lane_table,
                                            Packed& packed) {
  constexpr int kFirst = 6 * kPair;
  constexpr float kUnit = 1.0f / 255.0f;
  std::uint32_t* words[6];
#pragma unroll
  for (int c = 0; c < 6; ++c) words[c] = &packed.channel[c].x + kPair;
  *words[0] = Pack(ByteOf<kFirst>(row) * kUnit, ByteOf<kFirst + 3>(row) * kUnit);
  *words[1] = Pack(ByteOf<kFirst + 1>(row) * kUnit, ByteOf<kFirst + 4>(row) * kUnit);
  *words[2] = Pack(ByteOf<kFirst + 2>(row) * kUnit, ByteOf<kFirst + 5>(row) * kUnit);
  float low[3];
  float high[3];
  ToLab(Looked<kFirst>(row, lane_table), Looked<kFirst + 1>(row, lane_table),
        Looked<kFirst + 2>(row, lane_table), low);
  ToLab(Looked<kFirst + 3>(row, lane_table), Looked<kFirst + 4>(row, lane_table),
        Looked<kFirst + 5>(row, lane_table), high);
#pragma unroll
  for (int c = 0; c < 3; ++c) *words[3 + c] = Pack(low[c], high[c]);
}

template <int kPair>
__device__ __forceinline__ void PackGradient(const Slopes& above, const Slopes& here,
                                             const Slopes& below, Packed& packed) {
  float gx[2];
  float gy[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int p = 2 * kPair + i;
    gx[i] = fmaf(2.0f, here.difference[p], above.difference[p] + below.difference[p]);
    gy[i] = below.smooth[p] - above.smooth[p];
  }
  (&packed.channel[6].x)[kPair] = Pack(gx[0], gx[1]);
  (&packed.channel[7].x)[kPair] = Pack(gy[0], gy[1]);
  (&packed.channel[8].x)[kPair] = Pack(Magnitude(gx[0], gy[0]), Magnitude(gx[1], gy[1]));
}

template <int... kPair>
__device__ __forceinline__ Packed PackRow(const Row& row, const float* lane_table,
                                          const Slopes& above, const Slopes& here,
                                          const Slopes& below,
                                          std::integer_sequence<int, kPair...>) {
  Packed packed;
  (PackColours<kPair>(row, lane_table, packed), ...);
  (PackGradient<kPair>(above, here, below, packed), ...);
  return packed;
}

__device__ __forceinline__ void FillTable(float* table, const CurveTable& curve) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread / kLanes; i < 256; i += kGroup * kGroups / kLanes) {
    table[i * kLanes + thread % kLanes] = curve.value[i];
  }
  __syncthreads();
}

/// Leaves a row by ordinary stores.
struct DirectStore {
  __device__ void operator()(const Planes&, std::uint16_t* out, const Packed& packed,
                             std::int64_t pixels, bool active) {
    if (!active) return;
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
      __stcs(reinterpret_cast<uint4*>(out + c * pixels), packed.channel[c]);
    }
  }
  __device__ void Finish() {}
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/// Leaves a row through one of two stages in shared memory: nine threads each send one channel's
/// two kilobytes with a bulk copy, so that the memory sees long bursts and the warps no store
/// latency.
struct BulkStore {
  unsigned char* stages;  // This group's, two of them.
  int group;
  int thread;  // In the group.
  int turn = 0;

  __device__ void Barrier() const {
    asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(kGroup) : "memory");
  }
  __device__ void operator()(const Planes& planes, std::uint16_t* out, const Packed& packed,
                             std::int64_t pixels, bool) {
    unsigned char* stage = stages + (turn & 1) * kStageBytes;
    ++turn;
    // The copy of two rows ago must have read its stage; the copy of one row ago may still run.
    if (thread < kChannels) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    Barrier();
#pragma unroll
    for (int c = 0; c < kChannels; ++c) {
      reinterpret_cast<uint4*>(stage + c * kStrip * 2)[thread] = packed.channel[c];
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    Barrier();
    if (thread < kChannels) {
      const int first = static_cast<int>(blockIdx.x) * kStrip;
      const int bytes = min(kStrip, planes.width - first) * 2;
      const std::uint16_t* to = out - thread * kPixels + thread * pixels;
      const auto from =
          static_cast<std::uint32_t>(__cvta_generic_to_shared(stage + thread * kStrip * 2));
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                   "r"(from), "r"(bytes)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  __device__ void Finish() {
    if (thread < kChannels) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
};
#endif

template <int kRows, typename Store>
__device__ __forceinline__ void WalkStrip(const Planes& planes, const float* table, Store store) {
  const int thread = static_cast<int>(threadIdx.x) % kGroup;
  const int group = static_cast<int>(threadIdx.x) / kGroup;
  const int wanted_x = (static_cast<int>(blockIdx.x) * kGroup + thread) * kPixels;
  const bool active = wanted_x < planes.width;
  const int x = min(wanted_x, planes.width - kPixels);
  const bool last = x + kPixels >= planes.width;
  const float* lane_table = table + thread % kLanes;
  const std::int64_t pixels = static_cast<std::int64_t>(planes.height) * planes.width;
  const std::uint8_t* image = planes.rgb + blockIdx.z * pixels * 3;
  const int first = (static_cast<int>(blockIdx.y) * kGroups + group) * kRows;
  const int end = min(first + kRows, planes.height);
  std::uint16_t* out = planes.out + blockIdx.z * pixels * kChannels +
                       static_cast<std::int64_t>(first) * planes.width + wanted_x;

  Slopes above = SlopesOf(LoadRow(planes, image, first - 1, x), last);
  Row row = LoadRow(planes, image, first, x);
  Slopes here = SlopesOf(row, last);
  Row next = LoadRow(planes, image, first + 1, x);
  for (int y = first; y < end; ++y) {
    const Row after = LoadRow(planes, image, y + 2, x);
    const Slopes below = SlopesOf(next, last);
    const Packed packed = PackRow(row, lane_table, above, here, below,
                                  std::make_integer_sequence<int, kPixels / 2>());
    store(planes, out, packed, pixels, active);
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
  FillTable(table, curve);
  WalkStrip<kRows>(planes, table, DirectStore());
}

template <int kRows>
__global__ void __launch_bounds__(kGroup* kGroups, 2)
    Bulk(Planes planes, const __grid_constant__ CurveTable curve) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char shared[];
  auto* table = reinterpret_cast<float*>(shared);
  FillTable(table, curve);
  const int group = static_cast<int>(threadIdx.x) / kGroup;
  BulkStore store{.stages = shared + kTableBytes + group * 2 * kStageBytes,
                  .group = group,
                  .thread = static_cast<int>(threadIdx.x) % kGroup};
  WalkStrip<kRows>(planes, table, store);
#endif
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
  if (variant >= Variant::kBulk8 && compute_capability < 90) return "bulk copies need sm_90";
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
    case Variant::kStrip8:
      return LaunchStrip(Strip<16, 3>, 16, kTableBytes, planes, shape.images, stream);
    case Variant::kStrip:
      return LaunchStrip(Strip<16, 2>, 16, kTableBytes, planes, shape.images, stream);
    case Variant::kStrip32:
      return LaunchStrip(Strip<32, 2>, 32, kTableBytes, planes, shape.images, stream);
    case Variant::kBulk8:
      return LaunchStrip(Bulk<8>, 8, kTableBytes + kGroups * 2 * kStageBytes, planes, shape.images,
                         stream);
    case Variant::kBulk:
      return LaunchStrip(Bulk<16>, 16, kTableBytes + kGroups * 2 * kStageBytes, planes,
                         shape.images, stream);
    case Variant::kBulk32:
      return LaunchStrip(Bulk<32>, 32, kTableBytes + kGroups * 2 * kStageBytes, planes,
                         shape.images, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace sibyl::lab::texture
