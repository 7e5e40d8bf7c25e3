// SPDX-License-Identifier: Apache-2.0
// Counts the words of each passage and turns the counts into impacts. One per build thread;
// most of the build time is spent here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/builder/passage_terms.h"
#include "index/builder/passage_words.h"
#include "index/builder/posting_streams.h"
#include "index/builder/vocabulary.h"
#include "index/builder/word_finder.h"
#include "index/words/words.h"

namespace sibyl::index {

/// What an occurrence in a field adds to a term's impact. Not subject to saturation, unlike
/// counts.
struct FieldBonus {
  std::uint8_t whole = 0;  ///< For the whole word.
  std::uint8_t part = 0;   ///< For parts and stems.
};

/// A term of a field, with its bonus.
struct FieldTerm {
  WeightedTerm term;
  std::uint8_t bonus = 0;
};

class TermCollector {
 public:
  TermCollector(WordTable& table, Vocabulary& vocabulary) : finder_(table, vocabulary) {}

  void BeginBatch(std::uint32_t batch) { finder_.BeginBatch(batch); }
  void EndBatch() { finder_.EndBatch(); }
  void BeginPassage();

  /// Counts the words of the passage's text that begin before `end`. `edges` comes from
  /// WordScanner and is relative to `text`. Both must stay valid until EndPassage, and at least
  /// 16 readable bytes follow the last word. Call once per passage. Returns how many edges were
  /// used.
  std::size_t AddText(const char* text, std::span<const std::uint32_t> edges, std::uint32_t end);

  /// Appends the terms of a heading or path, to be used for any number of passages.
  void FindFieldTerms(std::string_view field, FieldBonus bonus, std::vector<FieldTerm>& terms);
  void AddField(std::span<const FieldTerm> terms);

  /// Appends the postings of the passage; `prior` scales all impacts.
  void EndPassage(float prior, PostingStreams& streams);

  std::uint32_t word_count() const { return word_count_; }

  /// Equal for passages with the same words in the same order, whatever is between them.
  std::uint32_t fold_hash() const {
    return static_cast<std::uint32_t>(words_.fold() ^ words_.fold() >> 32);
  }

 private:
  void AddLongWord(std::string_view word);
  void SpreadOverTerms();
  void SpreadOverRecords(std::size_t count);

  WordFinder finder_;
  WordScanner field_scanner_;
  std::string field_text_;
  PassageWords words_;
  PassageTerms terms_;
  std::vector<PassageTerms::Counted> counted_;
  struct RecordOfWord {
    std::uint64_t first = 0;  // as in WordTable::Terms
    std::uint32_t word = 0;   // index into words_
  };
  std::vector<std::uint32_t> unknown_;  // words not found in the cache of recent words
  std::vector<RecordOfWord> records_;
  std::uint32_t word_count_ = 0;
};

}  // namespace sibyl::index
