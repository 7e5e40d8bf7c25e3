// SPDX-License-Identifier: Apache-2.0
// Known colours and edges: the reference must be right before anything is held against it.
#include "texture/reference.h"

#include <vector>

#include "harness/expect.h"

namespace sibyl::lab::texture {
namespace {

std::array<double, kChannels> OnePixel(std::uint8_t r, std::uint8_t g, std::uint8_t b) {
  const std::vector<std::uint8_t> rgb = {r, g, b};
  return ReferencePixel(rgb.data(), {.images = 1, .height = 1, .width = 1}, 0, 0);
}

void TestColours(Expectations& expect) {
  const auto white = OnePixel(255, 255, 255);
  expect.Near(white[3], 100, 1e-4, "white has L 100");
  expect.Near(white[4], 0, 1e-2, "white has a 0");
  expect.Near(white[5], 0, 1e-2, "white has b 0");
  expect.Near(OnePixel(0, 0, 0)[3], 0, 1e-9, "black has L 0");
  const auto red = OnePixel(255, 0, 0);
  expect.Near(red[3], 53.24, 0.01, "red has L 53.24");
  expect.Near(red[4], 80.09, 0.01, "red has a 80.09");
  expect.Near(red[5], 67.20, 0.01, "red has b 67.20");
  const auto blue = OnePixel(0, 0, 255);
  expect.Near(blue[3], 32.30, 0.01, "blue has L 32.30");
  expect.Near(blue[5], -107.86, 0.01, "blue has b -107.86");
}

void TestEdges(Expectations& expect) {
  // Black on the left, white on the right: the step of 1 shows as 4/8 on both sides of it.
  const Shape shape = {.images = 1, .height = 3, .width = 4};
  std::vector<std::uint8_t> rgb(3 * 4 * 3, 0);
  for (int y = 0; y < 3; ++y) {
    for (int i = 6; i < 12; ++i) rgb[static_cast<std::size_t>(y * 12 + i)] = 255;
  }
  for (int y = 0; y < 3; ++y) {
    expect.Near(ReferencePixel(rgb.data(), shape, y, 1)[6], 0.5, 1e-12, "a step has gx one half");
    expect.Near(ReferencePixel(rgb.data(), shape, y, 1)[7], 0, 1e-12, "a vertical edge has no gy");
    expect.Near(ReferencePixel(rgb.data(), shape, y, 0)[8], 0, 1e-12, "the border makes no edge");
  }
}

}  // namespace
}  // namespace sibyl::lab::texture

int main() {
  sibyl::lab::Expectations expect;
  sibyl::lab::texture::TestColours(expect);
  sibyl::lab::texture::TestEdges(expect);
  return expect.Finish();
}
