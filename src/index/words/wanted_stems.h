// SPDX-License-Identifier: Apache-2.0
// Stems that are looked for in a table of words. Taking the stem of every word of the table would
// be most of the work: only words that begin like a wanted one are looked at any closer, so that
// tables can be read where they lie and nothing has to be made of them first.
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

  /// Its place; places count from 0 in the order in which stems come. Not empty.
  std::size_t Add(std::string_view stem);
  std::size_t size() const { return stems_.size(); }

  /// Whether anything begins as the word does.
  bool MayHave(std::string_view word) const { return is_wanted_[BucketOf(word)]; }

  /// The place of the stem of a word in lower case, or kNone if nobody wants it. Misses the few
  /// words that begin otherwise than their stems (tying); a test finds them in our tables.
  std::size_t Find(std::string_view word, TermForms& forms) const {
    for (const std::uint32_t place : by_beginning_[BucketOf(word)]) {
      if (IsStemOf(stems_[place], word, forms)) return place;
    }
    return kNone;
  }

 private:
  // By the first two bytes, which a word has in common with its stem.
  static constexpr std::size_t kBuckets = 1024;
  static std::size_t BucketOf(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    const auto second = static_cast<unsigned char>(text.size() > 1 ? text[1] : '\0');
    return (first * 31U + second) % kBuckets;
  }
  static bool IsStemOf(std::string_view stem, std::string_view word, TermForms& forms);

  std::vector<std::string> stems_;
  std::array<bool, kBuckets> is_wanted_{};  // what has a bucket that is not empty
  std::array<std::vector<std::uint32_t>, kBuckets> by_beginning_;
};

/// What is looked for of a question: its words in lower case, as they come.
std::vector<std::string> LowerWords(std::string_view text);

}  // namespace sibyl::index
