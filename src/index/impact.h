// SPDX-License-Identifier: Apache-2.0
// The weight of a term in a passage, in one byte: BM25's saturated, length-normalised count,
// plus the bonus of its fields, times the passage's prior. Depends only on the passage, so that
// segments built at different times can be searched together; the query adds how rare a term
// is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sibyl::index {

class ImpactScale {
 public:
  /// Impact of a saturated count, without bonus, at prior 1.
  static constexpr float kSaturated = 160;

  ImpactScale(std::uint32_t word_count, float prior)
      : half_eighths_(8 * kK1 * (1 - kB + kB * Length(word_count) / kPivotWords)), prior_(prior) {}

  /// The array size that Impacts needs for `count` elements.
  static constexpr std::size_t RoomFor(std::size_t count) {
    return (count + kLanes - 1) / kLanes * kLanes;
  }

  /// Computes impacts from counts (in eighths) and bonuses. Never 0. Vectorised, because it
  /// runs for every posting of a build.
  void Impacts(const std::uint32_t* eighths, const std::uint16_t* bonuses, std::uint8_t* impacts,
               std::size_t count) const {
    for (std::size_t i = 0; i < count; i += kLanes) {
      Ints eighth;
      Shorts bonus;
      std::memcpy(&eighth, eighths + i, sizeof(eighth));
      std::memcpy(&bonus, bonuses + i, sizeof(bonus));
      const Floats counted = __builtin_convertvector(Within(eighth, 0, 0xFFFF), Floats);
      const Floats text = kSaturated * counted / (counted + half_eighths_);
      const Floats impact = prior_ * (text + __builtin_convertvector(bonus, Floats)) + 0.5F;
      const Ints whole = Within(__builtin_convertvector(impact, Ints), 1, 255);
      const Bytes bytes = __builtin_convertvector(whole, Bytes);
      std::memcpy(impacts + i, &bytes, sizeof(bytes));
    }
  }

 private:
  static constexpr std::size_t kLanes = 4;
  using Floats = float __attribute__((vector_size(4 * kLanes)));
  using Ints = std::int32_t __attribute__((vector_size(4 * kLanes)));
  using Shorts = std::uint16_t __attribute__((vector_size(2 * kLanes)));
  using Bytes = std::uint8_t __attribute__((vector_size(kLanes)));

  static constexpr float kK1 = 1.2F;
  static constexpr float kB = 0.6F;
  static constexpr float kPivotWords = 150;
  // Keeps very short passages from scoring too high: two words alone on a line do not make it
  // ten times as relevant as a paragraph.
  static constexpr std::uint32_t kShortest = 40;

  static Ints Within(Ints values, std::int32_t least, std::int32_t most) {
    const Ints below = values < least;
    values = (values & ~below) | (below & least);
    const Ints above = values > most;
    return (values & ~above) | (above & most);
  }

  static float Length(std::uint32_t words) {
    return static_cast<float>(std::max(words, kShortest));
  }

  float half_eighths_;
  float prior_;
};

}  // namespace sibyl::index
