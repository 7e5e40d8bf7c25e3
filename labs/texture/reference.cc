// SPDX-License-Identifier: Apache-2.0
#include "texture/reference.h"

#include <algorithm>
#include <cmath>

namespace sibyl::lab::texture {
namespace {

double Linear(double u) { return u <= 0.04045 ? u / 12.92 : std::pow((u + 0.055) / 1.055, 2.4); }

// CIE 15: the cube root, continued by its tangent's line below (6/29)^3.
double LabCurve(double t) {
  return t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
}

double Luma(const std::uint8_t* rgb, const Shape& shape, std::int64_t y, std::int64_t x) {
  y = std::clamp<std::int64_t>(y, 0, shape.height - 1);
  x = std::clamp<std::int64_t>(x, 0, shape.width - 1);
  const std::uint8_t* p = rgb + (y * shape.width + x) * 3;
  return (0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2]) / 255.0;
}

}  // namespace

std::array<double, kChannels> ReferencePixel(const std::uint8_t* rgb, const Shape& shape,
                                             std::int64_t y, std::int64_t x) {
  const std::uint8_t* p = rgb + (y * shape.width + x) * 3;
  const double r = Linear(p[0] / 255.0);
  const double g = Linear(p[1] / 255.0);
  const double b = Linear(p[2] / 255.0);
  const double fx = LabCurve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const double fy = LabCurve(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  const double fz = LabCurve((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  double gx = 0;
  double gy = 0;
  for (int i = -1; i <= 1; ++i) {
    const int weight = i == 0 ? 2 : 1;
    gx += weight * (Luma(rgb, shape, y + i, x + 1) - Luma(rgb, shape, y + i, x - 1));
    gy += weight * (Luma(rgb, shape, y + 1, x + i) - Luma(rgb, shape, y - 1, x + i));
  }
  gx /= 8;
  gy /= 8;
  return {p[0] / 255.0,    p[1] / 255.0, p[2] / 255.0, 116 * fy - 16,     500 * (fx - fy),
          200 * (fy - fz), gx,           gy,           std::hypot(gx, gy)};
}

}  // namespace sibyl::lab::texture
