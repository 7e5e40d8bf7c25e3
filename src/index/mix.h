// SPDX-License-Identifier: Apache-2.0
// Fast hashes for tables in memory; they may differ between versions. Files on disk use
// base/hash.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sibyl::index {

/// Folds the high and low halves of a 128-bit product.
inline std::uint64_t Mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a ^ 0x9E3779B97F4A7C15U) * (b ^ 0xD1B54A32D192ED03U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t Load64(const char* bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

inline std::uint64_t HashBytes(std::string_view bytes, std::uint64_t seed = 0) {
  std::uint64_t hash = Mix(seed, bytes.size());
  while (bytes.size() >= 8) {
    hash = Mix(hash, Load64(bytes.data()));
    bytes.remove_prefix(8);
  }
  std::uint64_t rest = 0;
  if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
  return Mix(hash, rest);
}

}  // namespace sibyl::index
