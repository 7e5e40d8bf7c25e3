// SPDX-License-Identifier: Apache-2.0
// What vectors of words are learned from: pairs of texts of the sources that are about the
// same thing, such as a comment and the code below it, a heading and its section, or the
// message of a commit and the passage it changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "index/manifest.h"
#include "index/vectors/word_bag.h"

namespace sibyl::index {

struct TextPair {
  WordBag one;
  WordBag other;
};

struct LearnedTexts {
  std::vector<std::string> words;  ///< Ascending; their numbers are their places.
  std::vector<float> rarity;       ///< Of each word: about log2 of how many texts there are for
                                   ///< one that has it.
  /// Of every passage, all parts of all indexes after each other; those of dead documents
  /// are empty.
  std::vector<WordBag> passages;
  std::vector<TextPair> pairs;
};

struct LearnLimits {
  std::size_t pairs = 400'000;
  std::size_t words = 60'000;
};

/// The same for the same documents, however they are spread over segments. Without a history
/// the passages alone give pairs. Empty if `cancelled`.
LearnedTexts ReadLearnedTexts(const std::vector<const Index*>& indexes, const LearnLimits& limits,
                              const std::function<bool()>& cancelled);

}  // namespace sibyl::index
