// SPDX-License-Identifier: Apache-2.0
// Random inputs. A counter and a mixing function (splitmix64) instead of <random>: every element is
// a function of the seed and its index, so that threads can fill parts of a buffer independently.
#pragma once

#include <cmath>
#include <cstdint>

namespace sibyl::lab {

inline std::uint64_t Mix(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// In [0, 1).
inline double Uniform(std::uint64_t seed, std::uint64_t index) {
  return static_cast<double>(Mix(seed, index) >> 11) * 0x1p-53;
}

/// Standard normal (Box-Muller, one of the pair).
inline double Normal(std::uint64_t seed, std::uint64_t index) {
  const double radius = std::sqrt(-2 * std::log(1 - Uniform(seed, 2 * index)));
  return radius * std::cos(6.283185307179586 * Uniform(seed, 2 * index + 1));
}

}  // namespace sibyl::lab
