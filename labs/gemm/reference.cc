// SPDX-License-Identifier: Apache-2.0
#include "gemm/reference.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "harness/narrow.h"
#include "harness/parallel.h"
#include "harness/random.h"

namespace sibyl::lab::gemm {
namespace {

/// A number in (-2, 2) with a random sign, three binades and random fraction, as bits of the type.
std::uint32_t RandomBits(Type type, std::uint64_t draw) {
  const auto sign = static_cast<std::uint32_t>(draw & 1);
  const auto binade = static_cast<std::uint32_t>(draw >> 1 & 0xffff) % 3;
  const auto fraction = static_cast<std::uint32_t>(draw >> 32);
  switch (type) {
    case Type::kE4m3:
      return sign << 7 | (5 + binade) << 3 | (fraction & 7);
    case Type::kHalf:
      return sign << 15 | (13 + binade) << 10 | (fraction & 1023);
    case Type::kBf16:
      return sign << 15 | (125 + binade) << 7 | (fraction & 127);
    case Type::kTf32:
      return sign << 31 | (125 + binade) << 23 | (fraction & 0x7fe000);
    case Type::kFloat:
      break;
  }
  return sign << 31 | (125 + binade) << 23 | (fraction & 0x7fffff);
}

}  // namespace

double E4m3ToDouble(std::uint8_t bits) {
  const int exponent = bits >> 3 & 15;
  const int fraction = bits & 7;
  const double sign = (bits & 128) != 0 ? -1 : 1;
  if ((bits & 127) == 127) return std::numeric_limits<double>::quiet_NaN();
  if (exponent == 0) return sign * std::ldexp(fraction, -9);
  return sign * std::ldexp(8 + fraction, exponent - 10);
}

std::vector<unsigned char> RandomMatrix(Type type, std::int64_t elements, std::uint64_t seed) {
  const auto width = static_cast<std::size_t>(InputBytes(type));
  std::vector<unsigned char> matrix(static_cast<std::size_t>(elements) * width);
  constexpr std::int64_t kPiece = 1 << 16;
  ParallelFor((elements + kPiece - 1) / kPiece, [&](std::int64_t piece) {
    const std::int64_t end = std::min(elements, (piece + 1) * kPiece);
    for (std::int64_t i = piece * kPiece; i < end; ++i) {
      const std::uint32_t bits = RandomBits(type, Mix(seed, static_cast<std::uint64_t>(i)));
      std::memcpy(matrix.data() + static_cast<std::size_t>(i) * width, &bits, width);
    }
  });
  return matrix;
}

double ElementOf(Type type, const std::vector<unsigned char>& matrix, std::int64_t index) {
  const auto width = static_cast<std::size_t>(InputBytes(type));
  std::uint32_t bits = 0;
  std::memcpy(&bits, matrix.data() + static_cast<std::size_t>(index) * width, width);
  if (type == Type::kE4m3) return E4m3ToDouble(static_cast<std::uint8_t>(bits));
  if (type == Type::kHalf) return HalfToDouble(static_cast<std::uint16_t>(bits));
  if (type == Type::kBf16) return Bf16ToFloat(static_cast<std::uint16_t>(bits));
  return std::bit_cast<float>(bits);
}

Dot ReferenceDot(Type type, const RowOf& a, const RowOf& b, std::int64_t k) {
  Dot dot;
  for (std::int64_t i = 0; i < k; ++i) {
    const double product =
        ElementOf(type, a.matrix, a.row * k + i) * ElementOf(type, b.matrix, b.row * k + i);
    dot.sum += product;
    dot.scale += product * product;
  }
  dot.scale = std::sqrt(dot.scale);
  return dot;
}

}  // namespace sibyl::lab::gemm
