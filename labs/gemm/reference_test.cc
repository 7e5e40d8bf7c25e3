// SPDX-License-Identifier: Apache-2.0
#include "gemm/reference.h"

#include <cmath>

#include "harness/expect.h"

int main() {
  using namespace sibyl::lab::gemm;
  sibyl::lab::Expectations expect;
  expect.Near(E4m3ToDouble(0x38), 1, 0, "38 is one in E4M3");
  expect.Near(E4m3ToDouble(0x7e), 448, 0, "7e is the largest E4M3");
  expect.Near(E4m3ToDouble(0x01), 0x1p-9, 0, "01 is the smallest E4M3");
  expect.True(std::isnan(E4m3ToDouble(0xff)), "ff is NaN in E4M3");
  for (const Type type : {Type::kFloat, Type::kTf32, Type::kHalf, Type::kBf16, Type::kE4m3}) {
    const auto matrix = RandomMatrix(type, 4096, 5);
    double sum = 0;
    bool inside = true;
    for (std::int64_t i = 0; i < 4096; ++i) {
      const double value = ElementOf(type, matrix, i);
      inside = inside && std::abs(value) >= 0.25 && std::abs(value) < 2;
      sum += value;
    }
    expect.True(inside, "random elements lie between 1/4 and 2");
    expect.Near(sum / 4096, 0, 0.1, "random elements have mean zero");
    const Dot dot = ReferenceDot(type, {matrix, 0}, {matrix, 0}, 4);
    double square = 0;
    for (std::int64_t i = 0; i < 4; ++i) square += std::pow(ElementOf(type, matrix, i), 2);
    expect.Near(dot.sum, square, 1e-12, "a row times itself is its square");
  }
  return expect.Finish();
}
