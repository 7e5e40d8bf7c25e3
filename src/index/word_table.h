// SPDX-License-Identifier: Apache-2.0
// From a word as it is written to the terms it counts for. Identifiers repeat:
// a word is lowered, cut and stemmed when a thread first meets it, and only
// looked up from then on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/huge_array.h"
#include "index/term_forms.h"
#include "index/vocabulary.h"
#include "index/word_key.h"

namespace sibyl::index {

/// A term and what one occurrence of a word counts for it (never 0), in a
/// number.
class WeightedTerm {
 public:
  WeightedTerm() = default;
  WeightedTerm(TermId id, std::uint32_t eighths)
      : bits_(id.partition << 28 | id.local << 4 | eighths) {}
  static WeightedTerm FromBits(std::uint32_t bits) {
    WeightedTerm term;
    term.bits_ = bits;
    return term;
  }

  std::uint32_t bits() const { return bits_; }
  bool is_nothing() const { return bits_ == 0; }

  std::uint32_t partition() const { return bits_ >> 28; }
  std::uint32_t local() const { return bits_ >> 4 & 0xFFFFFF; }
  std::uint32_t eighths() const { return bits_ & 15; }
  bool IsSameTerm(WeightedTerm other) const { return bits_ >> 4 == other.bits_ >> 4; }

 private:
  static_assert(kPartitions <= 16 && Vocabulary::kMaxTerms < 1U << 24);
  std::uint32_t bits_ = 0;
};

class WordTable {
 public:
  struct Cell {
    WordKey key;
    std::uint32_t first_term = 0;  ///< Into terms().
    std::uint32_t term_count = 0;  ///< 0: the cell is empty.
    std::uint32_t stamp = 0;       ///< The passage that last counted the word…
    std::uint32_t place = 0;       ///< …and where it did.
  };
  static_assert(sizeof(Cell) == 32, "two cells share a cache line");

  /// What the current passage adds up for a term.
  struct Sum {
    std::uint32_t stamp = 0;
    std::uint16_t eighths = 0;
    std::uint16_t bonus = 0;
  };

  explicit WordTable(Vocabulary& vocabulary);

  /// Words that are new from now on occur in this batch; batches ascend.
  void BeginBatch(std::uint32_t batch) { batch_ = batch; }

  void Prefetch(std::uint64_t hash) const { __builtin_prefetch(cells_.data() + (hash & mask_), 1); }

  /// The cell of a word, made if need be; valid until the next call. The word
  /// has at most kMaxWordBytes and is followed by 16 readable bytes.
  Cell& Find(const WordKey& key, std::uint64_t hash, std::string_view word) {
    Cell& cell = cells_[hash & mask_];
    if (cell.key == key && word.size() <= WordKey::kExactBytes) [[likely]]
      return cell;
    return FindFurther(key, hash, word);
  }

  const WeightedTerm* terms() const { return terms_.data(); }
  using Sums = std::array<Sum*, kPartitions>;
  const Sums& sums() const { return sums_; }

 private:
  Cell& FindFurther(const WordKey& key, std::uint64_t hash, std::string_view word);
  bool Holds(const Cell& cell, std::string_view word) const;
  void Grow();
  void Fill(Cell& cell, const WordKey& key, std::string_view word);
  void AddTerm(std::size_t first, WeightedTerm added);
  WeightedTerm Intern(const Vocabulary::Wanted& term, std::uint32_t whole_in,
                      std::uint32_t eighths);

  // What is known of a part of an identifier. There are far fewer of them than
  // of identifiers. Goes by the key alone: should two long parts ever have the
  // same one, they count for each other, as parts only.
  struct Part {
    WordKey key;
    WeightedTerm whole;  // nothing if the place is free
    WeightedTerm stem;   // nothing if it has none
  };
  const Part& FindPart(const WordKey& key, std::string_view part);
  void GrowParts();

  Vocabulary& vocabulary_;
  TermForms term_forms_;
  std::uint32_t batch_ = 0;
  HugeArray<Cell> cells_;
  std::uint64_t mask_ = 0;
  std::size_t used_ = 0;
  HugeArray<Part> parts_;
  std::size_t used_parts_ = 0;
  HugeList<WeightedTerm> terms_;  // before those of a long word, its text and length
  std::array<HugeList<Sum>, kPartitions> sum_lists_;
  Sums sums_{};
  std::string lower_;
  std::vector<WordKey> part_keys_;
};

}  // namespace sibyl::index
