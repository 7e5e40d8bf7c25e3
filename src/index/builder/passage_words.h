// SPDX-License-Identifier: Apache-2.0
// Counts the distinct words of one passage. Most words repeat within a passage, so a small
// table counts them, and the large table of all words is searched once per distinct word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/builder/word_key.h"

namespace sibyl::index {

class PassageWords {
 public:
  struct Word {
    WordKey key;
    std::uint32_t edge = 0;  ///< The edge where one of its occurrences begins.
    std::uint32_t count = 0;
  };

  PassageWords() { Resize(kFirstSlots); }

  /// Starts with the words of `text`. Both arguments must stay valid while the words are used;
  /// at least 16 readable bytes follow each word.
  void Begin(const char* text, std::span<const std::uint32_t> edges) {
    text_ = text;
    edges_ = edges;
    next_ = 0;
    fold_ = 0;
  }

  /// Counts words that begin before `end`. Stops early at a word longer than kMaxWordBytes, or
  /// when the table may be full.
  void CountUpTo(std::uint32_t end);

  /// The edge of the first word not yet counted.
  std::size_t next() const { return next_; }
  /// Skips a word that the caller has handled.
  void Skip() { next_ += 2; }

  std::span<const Word> words() const { return {words_.data() + 1, count_}; }
  std::string_view text(std::size_t edge) const {
    return {text_ + edges_[edge], edges_[edge + 1] - edges_[edge]};
  }
  void Clear();

  /// A hash of the words in order.
  std::uint64_t fold() const { return fold_; }
  void Fold(std::uint64_t hash) { fold_ = fold_ * kFoldFactor + hash; }

 private:
  static constexpr std::uint64_t kFoldFactor = 0x9E3779B97F4A7C15U;
  static constexpr std::size_t kFirstSlots = 512;
  static constexpr std::size_t kMostSlots = std::size_t{1} << 16;

  /// The slot of the word, or the free slot where it belongs.
  std::uint16_t* SeekSlot(WordKey key, std::string_view word);
  void MakeRoom();
  void Resize(std::size_t slots);

  const char* text_ = nullptr;
  std::span<const std::uint32_t> edges_;
  std::size_t next_ = 0;
  std::uint64_t fold_ = 0;
  std::vector<std::uint16_t> slots_;  // index of a word; 0: free
  unsigned shift_ = 0;                // slots are chosen by the highest bits of the hash
  std::vector<Word> words_;           // the first is at 1; half as many as slots
  std::size_t count_ = 0;
};

}  // namespace sibyl::index
