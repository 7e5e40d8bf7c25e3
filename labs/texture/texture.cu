// SPDX-License-Identifier: Apache-2.0
// The pass moves 21 bytes a pixel, 18 of them out. Two things stand between a kernel and that
// floor. Arithmetic: the sRGB curve and three cube roots a pixel would keep the special-function
// units busy for two thirds of the floor; so the curve is a table in shared memory, copied so often
// that lanes seldom meet in a bank, and only the roots are computed. Where the writes lie: nine
// planes are written at once, and the memory is fast only while the blocks that run at one moment
// write next to each other. Strips, and blocks that live as long as the kernel, cost 11 to 13 % for
// that reason alone (README.md), whatever else they save.
#include "texture/pixels.cuh"

namespace sibyl::lab::texture {
namespace {

__device__ float LumaAt(const Planes& planes, const std::uint8_t* image, int y, int x) {
  y = min(max(y, 0), planes.height - 1);
  x = min(max(x, 0), planes.width - 1);
  const std::uint8_t* p = image + (static_cast<std::int64_t>(y) * planes.width + x) * 3;
  return (0.299f * p[0] + 0.587f * p[1] + 0.114f * p[2]) / (255.0f * 8.0f);
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
  const bool rows = *WhyNot(Variant::kOnce, shape, compute_capability) == '\0';
  return rows ? Variant::kOnce : Variant::kPlain;
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
      return LaunchStrips(planes, shape.images, stream);
    case Variant::kBulk:
      return LaunchBulkStrips(planes, shape.images, stream);
    case Variant::kRows:
      return LaunchRows(planes, shape.images, stream);
    case Variant::kOnce:
      return LaunchOnce(planes, shape.images, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace sibyl::lab::texture