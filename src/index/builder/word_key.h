// SPDX-License-Identifier: Apache-2.0
// By what a word is found in a table in memory: short words are their own key.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "index/mix.h"

namespace sibyl::index {

struct WordKey {
  /// Longer words are hashed, and have to be compared where they are stored.
  static constexpr std::size_t kExactBytes = 16;

  std::uint64_t low = 0;
  std::uint64_t high = 0;

  bool operator==(const WordKey&) const = default;
  /// Only its highest bits are any good. One of these for every word of a build.
  std::uint64_t Hash() const { return (low + high * 0xD1B54A32D192ED03U) * 0x9E3779B97F4A7C15U; }

  /// 16 bytes after the word can be read.
  static WordKey Of(const char* word, std::size_t bytes) {
    if (bytes <= kExactBytes) [[likely]]
      return OfShort(word, bytes);
    // The text is compared in the end: the second half need only be seldom the same.
    const std::uint64_t low = HashBytes({word, bytes});
    const std::uint64_t high = Load64(word) * kHighFactor + Load64(word + bytes - 8) + low;
    return {low | 1, (high & kLongBits) | kLongMark};
  }
  /// Of a word of at most kExactBytes. Neither this nor any other has a `low` of 0.
  static WordKey OfShort(const char* word, std::size_t bytes) {
    return {Load64(word) & kMasks[bytes].low, Load64(word + 8) & kMasks[bytes].high};
  }

 private:
  // Not a word byte, so that no short word can have it as its last byte.
  static constexpr std::uint64_t kLongMark = std::uint64_t{1} << 56;
  static constexpr std::uint64_t kHighFactor = 0xA0761D6478BD642FU;
  static constexpr std::uint64_t kLongBits = (std::uint64_t{1} << 56) - 1;

  struct Mask {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };
  // Keeps the first n bytes of a little-endian number.
  static constexpr std::uint64_t KeepBytes(std::size_t n) {
    return n >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * n) - 1;
  }
  static constexpr std::array<Mask, kExactBytes + 1> MakeMasks() {
    std::array<Mask, kExactBytes + 1> masks{};
    for (std::size_t n = 0; n < masks.size(); ++n) {
      masks[n] = {KeepBytes(n), n < 8 ? 0 : KeepBytes(n - 8)};
    }
    return masks;
  }
  static const std::array<Mask, kExactBytes + 1> kMasks;
};

inline constexpr std::array<WordKey::Mask, WordKey::kExactBytes + 1> WordKey::kMasks = MakeMasks();

}  // namespace sibyl::index
