// SPDX-License-Identifier: Apache-2.0
// Finds the terms of words for one thread: looks words up in the shared table and derives the
// terms of new ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/builder/vocabulary.h"
#include "index/builder/word_key.h"
#include "index/builder/word_table.h"
#include "index/words/term_forms.h"

namespace sibyl::index {

class WordFinder {
 public:
  WordFinder(WordTable& table, Vocabulary& vocabulary)
      : table_(table), vocabulary_(vocabulary), use_(table) {
    use_.Leave();
  }

  /// Words found after this call occur in `batch`.
  void BeginBatch(std::uint32_t batch) {
    batch_ = batch;
    use_.Enter();
  }
  void EndBatch() { use_.Leave(); }

  /// Call often: other threads can grow the table only then.
  void Pause() { use_.Pause(); }

  /// The terms of a word in the current batch. The word has at most kMaxWordBytes and is
  /// followed by 16 readable bytes.
  WordTable::Terms Find(const WordKey& key, std::uint64_t hash, std::string_view word) {
    WordTable::Cell* cell = table_.Find(key, hash, word);
    if (cell == nullptr) [[unlikely]]
      cell = &Derive(key, hash, word);
    cell->See(batch_);
    return WordTable::TermsOf(*cell);
  }

  /// A small cache of the words that this thread found last. The table of all words exceeds the
  /// caches and the TLB; this cache does not, and contains most words. Compares keys only: for
  /// a word longer than its key, the caller must compare the text in the record.
  struct Recent {
    WordKey key;
    WordTable::Terms terms;
  };
  /// Like Find, but caches the word.
  WordTable::Terms FindRecent(const WordKey& key, std::string_view word) {
    const Recent& recent = recent_[RecentPlace(key.Hash())];
    if (recent.key == key && word.size() <= WordKey::kExactBytes) return recent.terms;
    const WordTable::Terms terms = Find(key, key.Hash(), word);
    Remember(key, terms);
    return terms;
  }
  static std::size_t RecentPlace(std::uint64_t hash) { return hash >> (64 - kRecentBits); }
  const Recent* recent() const { return recent_.data(); }
  void Remember(const WordKey& key, const WordTable::Terms& terms) {
    recent_[RecentPlace(key.Hash())] = {key, terms};
  }
  void Prefetch(std::uint64_t hash) const { table_.Prefetch(hash); }

  const WordTable& table() const { return table_; }

  /// The terms of a part of an identifier.
  struct PartTerms {
    WeightedTerm whole;
    WeightedTerm stem;  ///< Empty if it has none.
  };

 private:
  static constexpr unsigned kRecentBits = 13;

  WordTable::Cell& Derive(const WordKey& key, std::uint64_t hash, std::string_view word);
  PartTerms FindPart(const WordKey& key, std::string_view part);

  WordTable& table_;
  Vocabulary& vocabulary_;
  WordTable::Use use_;
  std::uint32_t batch_ = 0;
  HugeArray<Recent> recent_{std::size_t{1} << kRecentBits};
  TermForms term_forms_;
  std::string lower_;
  std::vector<WordKey> part_keys_;
  std::vector<WeightedTerm> terms_;
  std::vector<WeightedTerm> part_terms_;
};

}  // namespace sibyl::index
