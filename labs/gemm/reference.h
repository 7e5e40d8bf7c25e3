// SPDX-License-Identifier: Apache-2.0
// Elements of a product in float64, and random matrices of every type.
#pragma once

#include <cstdint>
#include <vector>

#include "gemm/gemm.h"

namespace sibyl::lab::gemm {

/// rows x k random elements as bytes of the type. tf32 elements are floats whose lower 13 bits are
/// zero, so that what is compared is the multiplication and not the rounding before it.
std::vector<unsigned char> RandomMatrix(Type type, std::int64_t elements, std::uint64_t seed);

/// Element index of such a matrix as a number.
double ElementOf(Type type, const std::vector<unsigned char>& matrix, std::int64_t index);

/// The value of the OCP format E4M3: bias 7, no infinity, 0x7f and 0xff are NaN.
double E4m3ToDouble(std::uint8_t bits);

struct Dot {
  double sum = 0;
  double scale = 0;  ///< The root of the sum of squared products: what rounding grows with.
};
/// A row of a matrix that outlives it.
struct RowOf {
  const std::vector<unsigned char>& matrix;
  std::int64_t row = 0;
};
Dot ReferenceDot(Type type, const RowOf& a, const RowOf& b, std::int64_t k);

}  // namespace sibyl::lab::gemm
