// SPDX-License-Identifier: Apache-2.0
// Keys of words in memory tables. The key of a short word is the word itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "index/mix.h"

namespace sibyl::index {

struct WordKey {
  /// Longer words are hashed, and must be compared with the stored text.
  static constexpr std::size_t kExactBytes = 16;

  std::uint64_t low = 0;
  std::uint64_t high = 0;

  bool operator==(const WordKey&) const = default;
  /// Only the highest bits are well mixed. Kept cheap: computed for every word of a build.
  std::uint64_t Hash() const { return (low + high * 0xD1B54A32D192ED03U) * 0x9E3779B97F4A7C15U; }

  /// 16 bytes after the word must be readable.
  static WordKey Of(const char* word, std::size_t bytes) {
    if (bytes <= kExactBytes) [[likely]]
      return OfShort(word, bytes);
    // The text is compared in the end, so collisions of `high` are harmless if rare.
    const std::uint64_t low = HashBytes({word, bytes});
    const std::uint64_t high = Load64(word) * kHighFactor + Load64(word + bytes - 8) + low;
    return {low | 1, (high & kLongBits) | kLongMark};
  }
  /// The key of a word of at most kExactBytes. No key has a `low` of 0.
  static WordKey OfShort(const char* word, std::size_t bytes) {
    return {Load64(word) & kMasks[bytes].low, Load64(word + 8) & kMasks[bytes].high};
  }

 private:
  // Not a word byte, so it cannot be the last byte of a short word.
  static constexpr std::uint64_t kLongMark = std::uint64_t{1} << 56;
  static constexpr std::uint64_t kHighFactor = 0xA0761D6478BD642FU;
  static constexpr std::uint64_t kLongBits = (std::uint64_t{1} << 56) - 1;

  struct Mask {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };
  // Masks the first n bytes of a little-endian number.
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
