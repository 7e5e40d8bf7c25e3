// SPDX-License-Identifier: Apache-2.0
// What every texture kernel is made of: eight pixels a thread, the colour arithmetic, packing and
// storing.
#pragma once

#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include "texture/texture.h"

namespace sibyl::lab::texture {

constexpr int kLanes = 32;
constexpr int kPixels = 8;   // A thread's share of a row: one 16-byte store a channel.
constexpr int kGroup = 128;  // Threads side by side, 1024 pixels wide.
constexpr int kStrip = kGroup * kPixels;
constexpr int kTableBytes = 256 * kLanes * 4;
constexpr auto kPairs = std::make_integer_sequence<int, kPixels / 2>();
constexpr auto kAll = std::make_integer_sequence<int, kPixels>();

/// The sRGB curve of every byte. It travels as a kernel argument: nothing must be set up before.
struct CurveTable {
  float value[256];
};

inline CurveTable MakeTable() {
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

__device__ __forceinline__ float Magnitude(float gx, float gy) {
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(fmaf(gx, gx, gy * gy)));
  return root;
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

/// The curve of byte kByte, from a table of which each lane reads one of kCopies copies.
template <int kByte, int kCopies>
__device__ __forceinline__ float Looked(const std::uint32_t (&words)[6], const float* lane_table) {
  const std::uint32_t byte = __byte_perm(words[kByte / 4], 0, 0x4440 + kByte % 4);
  return lane_table[byte * kCopies];
}

template <int kPair, int kCopies>
__device__ __forceinline__ void PackLabPair(const std::uint32_t (&words)[6],
                                            const float* lane_table, Packed& packed) {
  constexpr int kFirst = 6 * kPair;
  float low[3];
  float high[3];
  ToLab(Looked<kFirst, kCopies>(words, lane_table), Looked<kFirst + 1, kCopies>(words, lane_table),
        Looked<kFirst + 2, kCopies>(words, lane_table), low);
  ToLab(Looked<kFirst + 3, kCopies>(words, lane_table),
        Looked<kFirst + 4, kCopies>(words, lane_table),
        Looked<kFirst + 5, kCopies>(words, lane_table), high);
#pragma unroll
  for (int c = 0; c < 3; ++c) packed.words[c][kPair] = Pack(low[c], high[c]);
}

template <int kCopies, int... kPair>
__device__ __forceinline__ Packed PackLab(const std::uint32_t (&words)[6], const float* lane_table,
                                          std::integer_sequence<int, kPair...>) {
  Packed packed;
  (PackLabPair<kPair, kCopies>(words, lane_table, packed), ...);
  return packed;
}

/// A copy for every lane. Ends with a barrier.
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

/// The families of kernels; texture.cu chooses.
cudaError_t LaunchStrips(const Planes& planes, std::int64_t images, cudaStream_t stream);
cudaError_t LaunchBulkStrips(const Planes& planes, std::int64_t images, cudaStream_t stream);
cudaError_t LaunchRows(const Planes& planes, std::int64_t images, cudaStream_t stream);
cudaError_t LaunchOnce(const Planes& planes, std::int64_t images, cudaStream_t stream);

}  // namespace sibyl::lab::texture
