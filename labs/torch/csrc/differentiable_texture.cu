// SPDX-License-Identifier: Apache-2.0
// For training: exact in the type it is given, one pixel a thread. Inference on bytes takes
// labs/texture.
#include "differentiable_texture.h"

namespace sibyl::vision {
namespace {

template <typename T>
struct Image {
  const T* rgb;
  ImageShape shape;

  __device__ std::int64_t pixels() const {
    return static_cast<std::int64_t>(shape.height) * shape.width;
  }
  __device__ T Luma(int y, int x) const {
    y = min(max(y, 0), shape.height - 1);
    x = min(max(x, 0), shape.width - 1);
    const T* p = rgb + (static_cast<std::int64_t>(y) * shape.width + x) * 3;
    return T(0.299) * p[0] + T(0.587) * p[1] + T(0.114) * p[2];
  }
};

__constant__ double kToXyz[3][3] = {
    {0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047},
    {0.2126729, 0.7151522, 0.0721750},
    {0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883}};

/// Weight of Sobel's horizontal filter, an eighth folded in, at offsets in -1..1.
__device__ inline int SobelX(int dy, int dx) { return dx * (dy == 0 ? 2 : 1); }
__device__ inline int SobelY(int dy, int dx) { return dy * (dx == 0 ? 2 : 1); }

template <typename T>
__device__ void Gradient(const Image<T>& image, int y, int x, T& gx, T& gy) {
  gx = 0;
  gy = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const T luma = image.Luma(y + dy, x + dx);
      gx += T(SobelX(dy, dx)) / 8 * luma;
      gy += T(SobelY(dy, dx)) / 8 * luma;
    }
  }
}

template <typename T>
__device__ T Linear(T u, T& slope) {
  if (u <= T(0.04045)) {
    slope = T(1 / 12.92);
    return u * slope;
  }
  const T base = (u + T(0.055)) / T(1.055);
  const T power = pow(base, T(1.4));
  slope = T(2.4 / 1.055) * power;
  return base * power;
}

template <typename T>
__device__ T Curve(T t, T& slope) {
  if (t > T(216.0 / 24389.0)) {
    const T root = cbrt(t);
    slope = 1 / (3 * root * root);
    return root;
  }
  slope = T(24389.0 / 27.0 / 116.0);
  return t * slope + T(16.0 / 116.0);
}

/// The values of the Lab curve, and the derivative of each by each of red, green and blue.
template <typename T>
__device__ void LabOf(const T* p, T (&f)[3], T (&jacobian)[3][3]) {
  T linear[3];
  T slope[3];
  for (int c = 0; c < 3; ++c) linear[c] = Linear(p[c], slope[c]);
  for (int i = 0; i < 3; ++i) {
    T t = 0;
    for (int c = 0; c < 3; ++c) t += T(kToXyz[i][c]) * linear[c];
    T curve_slope;
    f[i] = Curve(t, curve_slope);
    for (int c = 0; c < 3; ++c) jacobian[i][c] = curve_slope * T(kToXyz[i][c]) * slope[c];
  }
}

/// The pixel of this thread; false beyond the last one.
__device__ bool Locate(const ImageShape& shape, std::int64_t& image, int& y, int& x) {
  const std::int64_t pixels = static_cast<std::int64_t>(shape.height) * shape.width;
  const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  image = at / pixels;
  y = static_cast<int>(at % pixels / shape.width);
  x = static_cast<int>(at % shape.width);
  return image < shape.images;
}

template <typename T>
__global__ void Forward(const T* rgb, T* out, ImageShape shape) {
  std::int64_t n;
  int y;
  int x;
  if (!Locate(shape, n, y, x)) return;
  Image<T> image{rgb, shape};
  image.rgb += n * image.pixels() * 3;
  const std::int64_t at = static_cast<std::int64_t>(y) * shape.width + x;
  const T* p = image.rgb + at * 3;
  T f[3];
  T unused[3][3];
  LabOf(p, f, unused);
  T gx;
  T gy;
  Gradient(image, y, x, gx, gy);
  const T values[9] = {p[0],
                       p[1],
                       p[2],
                       116 * f[1] - 16,
                       500 * (f[0] - f[1]),
                       200 * (f[1] - f[2]),
                       gx,
                       gy,
                       sqrt(gx * gx + gy * gy)};
  for (int c = 0; c < 9; ++c) out[(n * 9 + c) * image.pixels() + at] = values[c];
}

/// What each pixel's gx and gy are worth: their own share and the magnitude's.
template <typename T>
__global__ void SlopesBackward(const T* rgb, const T* grad, T* slopes, ImageShape shape) {
  std::int64_t n;
  int y;
  int x;
  if (!Locate(shape, n, y, x)) return;
  Image<T> image{rgb, shape};
  const std::int64_t pixels = image.pixels();
  image.rgb += n * pixels * 3;
  T gx;
  T gy;
  Gradient(image, y, x, gx, gy);
  const T length = sqrt(gx * gx + gy * gy);
  const std::int64_t at = static_cast<std::int64_t>(y) * shape.width + x;
  const T* g = grad + n * 9 * pixels + at;
  const T share = length > 0 ? g[8 * pixels] / length : T(0);
  slopes[(n * 2) * pixels + at] = g[6 * pixels] + share * gx;
  slopes[(n * 2 + 1) * pixels + at] = g[7 * pixels] + share * gy;
}

/// Gathers instead of scattering, so that two runs give the same bits: pixel p receives from every
/// neighbour q each tap of q's filters that the repeated border brings to p.
template <typename T>
__global__ void Backward(const T* rgb, const T* grad, const T* slopes, T* drgb, ImageShape shape) {
  std::int64_t n;
  int y;
  int x;
  if (!Locate(shape, n, y, x)) return;
  const std::int64_t pixels = static_cast<std::int64_t>(shape.height) * shape.width;
  const T* sx = slopes + n * 2 * pixels;
  const T* sy = sx + pixels;
  T dluma = 0;
  for (int qy = max(y - 1, 0); qy <= min(y + 1, shape.height - 1); ++qy) {
    for (int qx = max(x - 1, 0); qx <= min(x + 1, shape.width - 1); ++qx) {
      const std::int64_t q = static_cast<std::int64_t>(qy) * shape.width + qx;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const bool here = min(max(qy + dy, 0), shape.height - 1) == y &&
                            min(max(qx + dx, 0), shape.width - 1) == x;
          if (!here) continue;
          dluma += T(SobelX(dy, dx)) / 8 * sx[q] + T(SobelY(dy, dx)) / 8 * sy[q];
        }
      }
    }
  }
  const std::int64_t at = static_cast<std::int64_t>(y) * shape.width + x;
  const T* p = rgb + (n * pixels + at) * 3;
  const T* g = grad + n * 9 * pixels + at;
  T f[3];
  T jacobian[3][3];
  LabOf(p, f, jacobian);
  const T df[3] = {500 * g[4 * pixels],
                   116 * g[3 * pixels] - 500 * g[4 * pixels] + 200 * g[5 * pixels],
                   -200 * g[5 * pixels]};
  const T luma[3] = {T(0.299), T(0.587), T(0.114)};
  for (int c = 0; c < 3; ++c) {
    T sum = g[c * pixels] + luma[c] * dluma;
    for (int i = 0; i < 3; ++i) sum += df[i] * jacobian[i][c];
    drgb[(n * pixels + at) * 3 + c] = sum;
  }
}

unsigned Blocks(const ImageShape& shape) {
  const std::int64_t pixels = shape.images * shape.height * shape.width;
  return static_cast<unsigned>((pixels + 255) / 256);
}

}  // namespace

template <typename T>
cudaError_t TextureForward(const T* rgb, T* out, const ImageShape& shape, cudaStream_t stream) {
  Forward<<<Blocks(shape), 256, 0, stream>>>(rgb, out, shape);
  return cudaGetLastError();
}

template <typename T>
cudaError_t TextureBackward(const T* rgb, const T* grad, T* slopes, T* drgb,
                            const ImageShape& shape, cudaStream_t stream) {
  SlopesBackward<<<Blocks(shape), 256, 0, stream>>>(rgb, grad, slopes, shape);
  Backward<<<Blocks(shape), 256, 0, stream>>>(rgb, grad, slopes, drgb, shape);
  return cudaGetLastError();
}

template cudaError_t TextureForward(const float*, float*, const ImageShape&, cudaStream_t);
template cudaError_t TextureForward(const double*, double*, const ImageShape&, cudaStream_t);
template cudaError_t TextureBackward(const float*, const float*, float*, float*, const ImageShape&,
                                     cudaStream_t);
template cudaError_t TextureBackward(const double*, const double*, double*, double*,
                                     const ImageShape&, cudaStream_t);

}  // namespace sibyl::vision
