// SPDX-License-Identifier: Apache-2.0
// From a word as it is written to the terms it counts for, shared by all
// threads of a build: a word is lowered, cut and stemmed when the first of them
// meets it, and only looked up from then on.
//
// Who looks up takes no lock and writes nothing, so that the lines of the table
// stay in the caches of all processors. A place is claimed by exchanging the first
// half of its key and published by storing its terms. Only growing keeps everybody
// out: whoever uses the table holds a WordTable::Use and lets go of it now and then.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <shared_mutex>
#include <span>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "index/builder/huge_array.h"
#include "index/builder/vocabulary.h"
#include "index/builder/weighted_term.h"
#include "index/builder/word_key.h"

namespace sibyl::index {

class WordTable {
 public:
  /// The batch of words that were only met as parts of others.
  static constexpr std::uint32_t kNever = ~0U;

  /// For the words of about so many documents; it grows when there are more.
  explicit WordTable(std::size_t documents);

  class Use;

  /// The terms of a word. Three lie in its cell; more, or the text of a word that is
  /// longer than its key, lie in a record. Stays valid when cells do not.
  struct Terms {
    std::uint64_t first = 0;  ///< Two, or one and where the record is.
    std::uint32_t third = 0;

    // A term always has eighths in its lowest bits; the place of a record has not.
    std::size_t has_record() const {
      const std::uint64_t second = first >> 32;
      return second != 0 && (second & 15) == 0 ? 1 : 0;
    }
  };

  class Cell {
   public:
    /// Notes that the word occurs in that batch.
    void See(std::uint32_t batch) {
      std::uint64_t rest = __atomic_load_n(&rest_, __ATOMIC_RELAXED);
      while (rest >> 32 > batch) [[unlikely]] {
          const std::uint64_t earlier = (rest & 0xFFFFFFFF) | std::uint64_t{batch} << 32;
          if (__atomic_compare_exchange_n(&rest_, &rest, earlier, true, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED)) {
            return;
          }
        }
    }

   private:
    friend class WordTable;

    std::uint64_t low_ = 0;    // of the key; 0: nobody has claimed the cell
    std::uint64_t high_ = 0;   // of the key
    std::uint64_t terms_ = 0;  // two, or one and a record; 0: not yet published
    std::uint64_t rest_ = 0;   // a third, and the first batch with the word
  };
  static_assert(sizeof(Cell) == 32, "two cells share a cache line");

  /// Two lines: every fourth word or so is in the second.
  void Prefetch(std::uint64_t hash) const {
    __builtin_prefetch(cells_.data() + FirstOf(hash));
    __builtin_prefetch(cells_.data() + FirstOf(hash) + 2);
  }

  /// The cell of a word, or null. The word has at most kMaxWordBytes.
  Cell* Find(const WordKey& key, std::uint64_t hash, std::string_view word) {
    Cell* cells = cells_.data() + FirstOf(hash);
    // Which of the two it is cannot be foreseen: no branch for it.
    const bool is_second = __atomic_load_n(&cells[0].low_, __ATOMIC_RELAXED) != key.low;
    Cell* cell = cells + (is_second ? 1 : 0);
    if (Holds(*cell, key, word)) [[likely]]
      return cell;
    return FindFurther(key, hash, word);
  }

  /// Of a cell that was found.
  static Terms TermsOf(const Cell& cell) {
    return {.first = __atomic_load_n(&cell.terms_, __ATOMIC_RELAXED),
            .third = static_cast<std::uint32_t>(__atomic_load_n(&cell.rest_, __ATOMIC_RELAXED))};
  }

  /// What the record of terms that have one holds.
  struct Record {
    const WeightedTerm* head = nullptr;  ///< Two numbers: of terms, and of bytes of text.
    std::span<const WeightedTerm> terms() const { return {head + 1, head->bits() & 0xFFFF}; }
    std::string_view text() const {
      const std::uint32_t sizes = head->bits();
      return {reinterpret_cast<const char*>(head + 1 + (sizes & 0xFFFF)), sizes >> 16};
    }
  };
  Record RecordOf(std::uint64_t first) const {
    const std::uint64_t place = first >> 36;
    return {chunks_[place / kChunkUnits].load(std::memory_order_relaxed) +
            place % kChunkUnits * kUnitTerms};
  }

  template <typename Visit>
  void ForEach(const Terms& terms, const Visit& visit) const {
    if (terms.has_record() != 0) {
      for (const WeightedTerm term : RecordOf(terms.first).terms()) visit(term);
      return;
    }
    visit(WeightedTerm::FromBits(static_cast<std::uint32_t>(terms.first)));
    if (terms.first >> 32 == 0) return;
    visit(WeightedTerm::FromBits(static_cast<std::uint32_t>(terms.first >> 32)));
    if (terms.third != 0) visit(WeightedTerm::FromBits(terms.third));
  }

  /// A word to be added, and its terms, none twice, the whole word's first.
  struct New {
    WordKey key;
    std::uint64_t hash = 0;
    std::string_view word;
    std::span<const WeightedTerm> terms;
  };

  /// Adds a word that was not found, unless another thread did so meanwhile.
  /// No cell that was found before is valid after.
  Cell& Add(const New& word, Use& use);

  /// For each partition one bit for each term: whether it occurs as a word of
  /// its own in a batch before `batch_end`. When nobody uses the table.
  std::array<std::vector<std::uint64_t>, kPartitions> WholeTerms(std::uint32_t batch_end,
                                                                 const Vocabulary& vocabulary);

 private:
  // Records are allocated by each thread from chunks of its own, in units of
  // four terms.
  static constexpr std::size_t kUnitTerms = 4;
  static constexpr std::size_t kChunkUnits = std::size_t{1} << 17;  // a huge page
  static constexpr std::size_t kMaxChunks = std::size_t{1} << 11;

  bool Holds(const Cell& cell, const WordKey& key, std::string_view word) const {
    if (__atomic_load_n(&cell.low_, __ATOMIC_RELAXED) != key.low) return false;
    const std::uint64_t terms = Published(cell);
    if (__atomic_load_n(&cell.high_, __ATOMIC_RELAXED) != key.high) return false;
    return word.size() <= WordKey::kExactBytes || RecordOf(terms).text() == word;
  }
  // The terms of a claimed cell, which are there in a moment.
  static std::uint64_t Published(const Cell& cell) {
    std::uint64_t terms = __atomic_load_n(&cell.terms_, __ATOMIC_ACQUIRE);
    while (terms == 0) terms = __atomic_load_n(&cell.terms_, __ATOMIC_ACQUIRE);
    return terms;
  }
  Cell* FindFurther(const WordKey& key, std::uint64_t hash, std::string_view word);

  // A line holds two cells, and both are looked at before the next line is.
  std::size_t FirstOf(std::uint64_t hash) const { return hash >> shift_ << 1; }

  std::uint64_t MakeRecord(const New& word, Use& use);
  void Grow(Use& use);
  bool IsFull() const {
    // The table is large and its cells are fetched ahead: rather a longer walk
    // now and then than twice the memory.
    return used_.load(std::memory_order_relaxed) * 5 >= cells_.size() * 4;
  }

  // Held shared by who uses the table, alone by who makes it grow.
  std::shared_mutex growth_;
  std::atomic<std::uint32_t> growers_ = 0;  // who wait to make it grow
  HugeArray<Cell> cells_;
  unsigned shift_ = 0;  // lines go by the highest bits of their hashes
  std::atomic<std::size_t> used_ = 0;
  std::array<std::atomic<WeightedTerm*>, kMaxChunks> chunks_{};
  Mutex chunk_mutex_;
  std::vector<HugeArray<WeightedTerm>> chunk_memory_ SIBYL_GUARDED_BY(chunk_mutex_);
};

/// A thread at the table. Nobody else can make the table grow while it is
/// held.
class WordTable::Use {
 public:
  explicit Use(WordTable& table) : table_(table), lock_(table.growth_) {}

  /// Lets others make the table grow if they want to; cells that were found are not
  /// valid after.
  void Pause() {
    if (table_.growers_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      WaitForGrowers();
  }

  /// Between batches, when the thread may wait for others.
  void Leave() { lock_.unlock(); }
  void Enter() { lock_.lock(); }

 private:
  friend class WordTable;
  void WaitForGrowers();

  WordTable& table_;
  std::shared_lock<std::shared_mutex> lock_;
  // Where the thread's next record goes.
  WeightedTerm* chunk_ = nullptr;
  std::size_t chunk_number_ = 0;
  std::size_t used_units_ = kChunkUnits;
};

}  // namespace sibyl::index
