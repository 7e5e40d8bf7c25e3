// SPDX-License-Identifier: Apache-2.0
// The features of a sentence for instruction_model.h: its words, pairs of
// words, the roles of words (instruction_roles.h), pairs of roles, and how the
// text around it is obfuscated. A feature is a hash; the model has weights for
// some.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sibyl::injection {

using Feature = std::uint32_t;

/// Whether it represents a single word, and not a combination of words or
/// roles.
bool IsWord(Feature feature);

/// Features of which only some are of interest. It may have a few others, too.
class FeatureFilter {
 public:
  explicit FeatureFilter(std::span<const Feature> features);
  bool MayContain(Feature feature) const {
    return (bits_[feature >> 20U] >> (feature >> 14U & 63U) & 1U) != 0;
  }

 private:
  std::vector<std::uint64_t> bits_;
};

struct SentenceFeatures {
  std::size_t first_line = 0;  ///< From zero in the paragraph.
  std::size_t last_line = 0;
  std::uint64_t roles = 0;        ///< Of its words (instruction_roles.h).
  std::vector<Feature> features;  ///< In order, each once.
};

struct ParagraphFeatures {
  std::vector<SentenceFeatures> sentences;
  /// Lines with invisible text (see FoldedText): refused without the model.
  std::vector<std::size_t> hidden_lines;
};

/// Includes decoded base64 or rot13 text of the paragraph. Without a filter,
/// all features.
ParagraphFeatures ReadFeatures(std::string_view paragraph, const FeatureFilter* filter);

}  // namespace sibyl::injection
