// SPDX-License-Identifier: Apache-2.0
// Counts the words of one passage after another and turns the counts into
// impacts. One for each thread of a build; its speed is the build's speed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/term_forms.h"
#include "index/vocabulary.h"
#include "index/word_table.h"
#include "index/words.h"

namespace sibyl::index {

/// What one occurrence in a field adds to a term's impact, beyond what
/// counting could: it is not subject to saturation.
struct FieldBonus {
  std::uint8_t whole = 0;  ///< For the word as it stands.
  std::uint8_t part = 0;   ///< For parts and stems.
};

/// Postings of a batch of passages, by partition: words of 24 bits term and
/// 8 bits impact, with a marker wherever the passage number moves on.
class PostingStreams {
 public:
  static constexpr std::uint32_t kMarker = 0xFFFFFF00U;
  static constexpr std::uint32_t kMaxStep = 0xFF;

  /// Makes room for that many postings of a passage, in whatever partitions.
  void Reserve(std::uint32_t passage, std::size_t count);

  /// After Reserve.
  void Add(std::size_t partition, std::uint32_t passage, std::uint32_t word) {
    Stream& stream = streams_[partition];
    if (stream.passage != passage) StepTo(stream, passage);
    stream.words[stream.size++] = word;
  }

  std::span<const std::uint32_t> stream(std::size_t partition) const {
    return {streams_[partition].words.data(), streams_[partition].size};
  }
  void Clear();

 private:
  struct Stream {
    std::vector<std::uint32_t> words;
    std::size_t size = 0;
    std::uint32_t passage = 0;
  };
  static void StepTo(Stream& stream, std::uint32_t passage);

  std::array<Stream, kPartitions> streams_;
};

/// A term of a field, with what it adds.
struct FieldTerm {
  WeightedTerm term;
  std::uint8_t bonus = 0;
};

class TermCollector {
 public:
  explicit TermCollector(Vocabulary& vocabulary) : table_(vocabulary) {}

  /// Batches ascend.
  void BeginBatch(std::uint32_t batch) { table_.BeginBatch(batch); }
  void BeginPassage();

  /// Words of the passage's text; `edges` as WordScanner gives them, relative
  /// to `text`. At least 16 readable bytes follow the last word.
  void AddText(const char* text, std::span<const std::uint32_t> edges);

  /// Appends the terms of a heading or path, for any number of passages.
  void FindFieldTerms(std::string_view field, FieldBonus bonus, std::vector<FieldTerm>& terms);
  void AddField(std::span<const FieldTerm> terms);

  /// Appends the postings of the passage, whose number in its batch is
  /// `passage`; `prior` scales all its impacts.
  void EndPassage(std::uint32_t passage, float prior, PostingStreams& streams);

  std::uint32_t word_count() const { return word_count_; }

  /// The same for passages with the same words in the same order, whatever
  /// stands between them.
  std::uint32_t fold_hash() const { return static_cast<std::uint32_t>(fold_ ^ fold_ >> 32); }

 private:
  struct Counted {
    std::uint32_t first_term = 0;
    std::uint32_t term_count = 0;
    std::uint32_t count = 0;
  };

  struct Spread {
    WeightedTerm term;
    std::uint32_t eighths = 0;
  };

  void Count(WordTable::Cell& cell);
  void CountLongWord(std::string_view word);
  void SpreadOverTerms();

  WordTable table_;
  WordScanner field_scanner_;
  std::string field_text_;
  std::vector<Counted> counted_;
  std::size_t counted_terms_ = 0;  // of all in counted_
  std::vector<Spread> spread_;
  std::vector<WeightedTerm> touched_;
  std::size_t touched_count_ = 0;
  std::vector<std::uint16_t> eighths_;  // of the touched terms…
  std::vector<std::uint16_t> bonuses_;
  std::vector<std::uint8_t> impacts_;  // …and what they come to
  std::uint32_t serial_ = 0;
  std::uint32_t word_count_ = 0;
  std::uint64_t fold_ = 0;
};

}  // namespace sibyl::index
