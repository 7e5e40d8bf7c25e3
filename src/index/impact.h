// SPDX-License-Identifier: Apache-2.0
// What one term says for one passage, in a byte: BM25's saturated, length-
// normalised count, plus the bonus of its fields, times the passage's prior.
// A function of the passage alone, so that segments built at different times
// can be searched together; how rare a term is enters at the query.
#pragma once

#include <algorithm>
#include <cstdint>

namespace sibyl::index {

class ImpactScale {
 public:
  /// Impact of a count that is saturated, without bonus, at prior 1.
  static constexpr float kSaturated = 160;

  ImpactScale(std::uint32_t word_count, float prior)
      : half_eighths_(8 * kK1 * (1 - kB + kB * Length(word_count) / kPivotWords)), prior_(prior) {}

  /// Never 0: a posting always says something.
  std::uint8_t Impact(std::uint32_t eighths, std::uint32_t bonus) const {
    const auto count = static_cast<float>(eighths);
    const float text = kSaturated * count / (count + half_eighths_);
    const float impact = prior_ * (text + static_cast<float>(bonus)) + 0.5F;
    return static_cast<std::uint8_t>(std::clamp(impact, 1.0F, 255.0F));
  }

 private:
  static constexpr float kK1 = 1.2F;
  static constexpr float kB = 0.6F;
  static constexpr float kPivotWords = 150;
  // A line with two words on it is not ten times as much about them as a
  // paragraph is.
  static constexpr std::uint32_t kShortest = 40;

  static float Length(std::uint32_t words) {
    return static_cast<float>(std::max(words, kShortest));
  }

  float half_eighths_;
  float prior_;
};

}  // namespace sibyl::index
