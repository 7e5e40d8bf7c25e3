// SPDX-License-Identifier: Apache-2.0
// Maps a word as written to its terms; shared by all threads of a build. A word is lower-cased,
// split and stemmed once, by the first thread that finds it.
//
// Lookups take no lock and write nothing, so that cache lines stay shared between processors. A
// cell is claimed by exchanging the first half of its key and published by storing its terms.
// Growing excludes all users: a thread holds a WordTable::Use and releases it now and then.
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
  /// The batch of words that occur only as parts of others.
  static constexpr std::uint32_t kNever = ~0U;

  /// Sized for about `documents` documents; grows if there are more.
  explicit WordTable(std::size_t documents);

  class Use;

  /// The terms of a word. The cell holds up to three; further terms, and the text of a word
  /// longer than its key, are in a record. Stays valid when the table grows.
  struct Terms {
    std::uint64_t first = 0;  ///< Two terms, or one and the place of the record.
    std::uint32_t third = 0;

    // A term has nonzero eighths in its lowest bits; a record's place has zeros there.
    std::size_t has_record() const {
      const std::uint64_t second = first >> 32;
      return second != 0 && (second & 15) == 0 ? 1 : 0;
    }
  };

  class Cell {
   public:
    /// Records that the word occurs in `batch`.
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

    std::uint64_t low_ = 0;    // of the key; 0: cell not claimed
    std::uint64_t high_ = 0;   // of the key
    std::uint64_t terms_ = 0;  // two terms, or one and a record; 0: not yet published
    std::uint64_t rest_ = 0;   // a third term, and the first batch with the word
  };
  static_assert(sizeof(Cell) == 32, "two cells share a cache line");

  /// Fetches two cache lines: about every fourth word is in the second.
  void Prefetch(std::uint64_t hash) const {
    __builtin_prefetch(cells_.data() + FirstOf(hash));
    __builtin_prefetch(cells_.data() + FirstOf(hash) + 2);
  }

  /// The cell of a word, or null. The word has at most kMaxWordBytes.
  Cell* Find(const WordKey& key, std::uint64_t hash, std::string_view word) {
    Cell* cells = cells_.data() + FirstOf(hash);
    // Unpredictable, hence computed without a branch.
    const bool is_second = __atomic_load_n(&cells[0].low_, __ATOMIC_RELAXED) != key.low;
    Cell* cell = cells + (is_second ? 1 : 0);
    if (Holds(*cell, key, word)) [[likely]]
      return cell;
    return FindFurther(key, hash, word);
  }

  /// The terms of a cell returned by Find.
  static Terms TermsOf(const Cell& cell) {
    return {.first = __atomic_load_n(&cell.terms_, __ATOMIC_RELAXED),
            .third = static_cast<std::uint32_t>(__atomic_load_n(&cell.rest_, __ATOMIC_RELAXED))};
  }

  /// The record of terms that has_record().
  struct Record {
    const WeightedTerm* head = nullptr;  ///< The number of terms, then of bytes of text.
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

  /// A word to add, with its terms: no duplicates, the whole word's first.
  struct New {
    WordKey key;
    std::uint64_t hash = 0;
    std::string_view word;
    std::span<const WeightedTerm> terms;
  };

  /// Adds a word that was not found, unless another thread has added it meanwhile. Invalidates
  /// all cells found before.
  Cell& Add(const New& word, Use& use);

  /// One bit per term of each partition: whether it occurs as a whole word in a batch before
  /// `batch_end`. Call when no thread uses the table.
  std::array<std::vector<std::uint64_t>, kPartitions> WholeTerms(std::uint32_t batch_end,
                                                                 const Vocabulary& vocabulary);

 private:
  // Each thread allocates records from its own chunk, in units of four terms.
  static constexpr std::size_t kUnitTerms = 4;
  static constexpr std::size_t kChunkUnits = std::size_t{1} << 17;  // a huge page
  static constexpr std::size_t kMaxChunks = std::size_t{1} << 11;

  bool Holds(const Cell& cell, const WordKey& key, std::string_view word) const {
    if (__atomic_load_n(&cell.low_, __ATOMIC_RELAXED) != key.low) return false;
    const std::uint64_t terms = Published(cell);
    if (__atomic_load_n(&cell.high_, __ATOMIC_RELAXED) != key.high) return false;
    return word.size() <= WordKey::kExactBytes || RecordOf(terms).text() == word;
  }
  // Waits for the terms of a claimed cell, which are published very soon.
  static std::uint64_t Published(const Cell& cell) {
    std::uint64_t terms = __atomic_load_n(&cell.terms_, __ATOMIC_ACQUIRE);
    while (terms == 0) terms = __atomic_load_n(&cell.terms_, __ATOMIC_ACQUIRE);
    return terms;
  }
  Cell* FindFurther(const WordKey& key, std::uint64_t hash, std::string_view word);

  // A line holds two cells; both are checked before the next line.
  std::size_t FirstOf(std::uint64_t hash) const { return hash >> shift_ << 1; }

  std::uint64_t MakeRecord(const New& word, Use& use);
  void Grow(Use& use);
  bool IsFull() const {
    // The table is large and cells are prefetched, so an occasional longer probe is better than
    // twice the memory.
    return used_.load(std::memory_order_relaxed) * 5 >= cells_.size() * 4;
  }

  // Shared by users, exclusive while growing.
  std::shared_mutex growth_;
  std::atomic<std::uint32_t> growers_ = 0;  // threads that wait to grow the table
  HugeArray<Cell> cells_;
  unsigned shift_ = 0;  // lines are chosen by the highest bits of the hash
  std::atomic<std::size_t> used_ = 0;
  std::array<std::atomic<WeightedTerm*>, kMaxChunks> chunks_{};
  Mutex chunk_mutex_;
  std::vector<HugeArray<WeightedTerm>> chunk_memory_ SIBYL_GUARDED_BY(chunk_mutex_);
};

/// A thread's access to the table. No other thread can grow the table while this is held.
class WordTable::Use {
 public:
  explicit Use(WordTable& table) : table_(table), lock_(table.growth_) {}

  /// Lets waiting threads grow the table; invalidates cells found before.
  void Pause() {
    if (table_.growers_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      WaitForGrowers();
  }

  /// Releases the table between batches, when the thread may wait for others.
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
