// SPDX-License-Identifier: Apache-2.0
// Vectors of words and texts, and their arithmetic. Sums are made in the same order with
// every instruction set, so that all machines learn and find the same.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sibyl::index {

inline constexpr std::size_t kDimensions = 128;

using Vector = std::array<float, kDimensions>;
/// Eight-bit numbers and what they are multiplied with.
using SmallVector = std::array<std::int8_t, kDimensions>;

// Sums of eight, which fill a register of AVX and two of SSE.
inline constexpr std::size_t kLanes = 8;
static_assert(kDimensions % kLanes == 0);

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

/// From any address.
[[gnu::always_inline]] inline void Load(const float* from, Lanes& lanes) {
  std::memcpy(&lanes, from, sizeof(lanes));
}

[[gnu::always_inline]] inline float Dot(const float* a, const float* b) {
  Lanes sums{};
  Lanes left;
  Lanes right;
  for (std::size_t i = 0; i < kDimensions; i += kLanes) {
    Load(a + i, left);
    Load(b + i, right);
    sums += left * right;
  }
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

/// sum += factor * a
[[gnu::always_inline]] inline void AddTo(float* sum, float factor, const float* a) {
  Lanes sums;
  Lanes added;
  for (std::size_t i = 0; i < kDimensions; i += kLanes) {
    Load(sum + i, sums);
    Load(a + i, added);
    sums += added * factor;
    std::memcpy(sum + i, &sums, sizeof(sums));
  }
}

/// Scales to a length of one, and returns the length before. An empty text stays zero.
[[gnu::always_inline]] inline float Normalise(float* vector) {
  constexpr float kAlmostNothing = 1e-6F;
  const float length = std::sqrt(Dot(vector, vector)) + kAlmostNothing;
  for (std::size_t i = 0; i < kDimensions; ++i) vector[i] /= length;
  return length;
}

/// The numbers of a vector as multiples of the returned scale.
inline float MakeSmall(const float* vector, std::int8_t* small) {
  constexpr float kMost = 127;
  float greatest = 0;
  for (std::size_t i = 0; i < kDimensions; ++i) {
    greatest = std::fmax(greatest, std::fabs(vector[i]));
  }
  if (!(greatest > 0)) {
    for (std::size_t i = 0; i < kDimensions; ++i) small[i] = 0;
    return 0;
  }
  const float scale = greatest / kMost;
  for (std::size_t i = 0; i < kDimensions; ++i) {
    small[i] = static_cast<std::int8_t>(std::lrint(vector[i] / scale));
  }
  return scale;
}

}  // namespace sibyl::index
