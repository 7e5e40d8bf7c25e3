// SPDX-License-Identifier: Apache-2.0
// Finds the words of a table that have one of the wanted stems. Stemming every word would be
// most of the work, so only words that begin like a wanted stem are stemmed. Tables are
// searched in place, without building an index.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/words/term_forms.h"

namespace sibyl::index {

class WantedStems {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  /// Adds a stem, which must not be empty, and returns its place. Places count from 0 in order
  /// of insertion.
  std::size_t Add(std::string_view stem);
  std::size_t size() const { return stems_.size(); }

  /// Whether a wanted stem may begin like the word.
  bool MayHave(std::string_view word) const { return is_wanted_[BucketOf(word)]; }

  /// The place of the stem of a lower-case word, or kNone if it is not wanted. Misses the few
  /// words that do not begin like their stems (tying); a test lists those in our tables.
  std::size_t Find(std::string_view word, TermForms& forms) const {
    for (const std::uint32_t place : by_beginning_[BucketOf(word)]) {
      if (IsStemOf(stems_[place], word, forms)) return place;
    }
    return kNone;
  }

 private:
  // Hashes the first two bytes, which a word shares with its stem.
  static constexpr std::size_t kBuckets = 1024;
  static std::size_t BucketOf(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    const auto second = static_cast<unsigned char>(text.size() > 1 ? text[1] : '\0');
    return (first * 31U + second) % kBuckets;
  }
  static bool IsStemOf(std::string_view stem, std::string_view word, TermForms& forms);

  std::vector<std::string> stems_;
  std::array<bool, kBuckets> is_wanted_{};  // whether the bucket is not empty
  std::array<std::vector<std::uint32_t>, kBuckets> by_beginning_;
};

/// The words of a question in lower case, in order.
std::vector<std::string> LowerWords(std::string_view text);

}  // namespace sibyl::index
