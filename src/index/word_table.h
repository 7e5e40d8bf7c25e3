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
#include "index/mix.h"
#include "index/term_forms.h"
#include "index/vocabulary.h"

namespace sibyl::index {

class WordTable {
 public:
  /// Words of up to 16 bytes are their own key; longer ones are hashed, and
  /// compared where they are stored.
  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const Key&) const = default;
    std::uint64_t Hash() const { return Mix(low, high); }
  };

  struct Cell {
    Key key;
    std::uint32_t forms = 0;  ///< Into forms(): how many, then as many Forms.
    std::uint32_t stamp = 0;  ///< The passage that last counted the word…
    std::uint32_t place = 0;  ///< …and where it did.
    std::uint32_t bytes = 0;  ///< Where a long word is stored.
  };
  static_assert(sizeof(Cell) == 32, "two cells share a cache line");

  /// A term as this thread knows it, with what the current passage adds up.
  struct Slot {
    std::uint32_t stamp = 0;
    std::uint16_t eighths = 0;
    std::uint8_t bonus = 0;
    std::uint8_t partition = 0;
    std::uint32_t local = 0;
  };

  /// Slot and weight of one form: slot << 4 | eighths.
  using Form = std::uint32_t;

  explicit WordTable(Vocabulary& vocabulary);

  /// `word` has at most kMaxWordBytes and is followed by 16 readable bytes.
  static Key KeyOf(const char* word, std::size_t bytes);

  void Prefetch(std::uint64_t hash) const { __builtin_prefetch(cells_.data() + (hash & mask_), 1); }

  /// The cell of a word, made if need be; valid until the next call.
  Cell& Find(const Key& key, std::uint64_t hash, std::string_view word);

  const std::vector<Form>& forms() const { return forms_; }
  std::vector<Slot>& slots() { return slots_; }

 private:
  void Grow();
  void Fill(Cell& cell, const Key& key, std::string_view word);
  std::uint32_t SlotOf(const TermForm& form);
  std::uint32_t FindSlot(const TermForm& form);

  Vocabulary& vocabulary_;
  TermForms term_forms_;
  HugeArray<Cell> cells_;
  std::uint64_t mask_ = 0;
  std::size_t used_ = 0;
  std::vector<Form> forms_;
  std::vector<Slot> slots_;
  std::string long_words_;
  std::array<std::vector<std::uint32_t>, kPartitions> slot_of_term_;  // plus one

  // Most parts and stems have been met many times: a small table in the cache
  // spares the walk through the vocabulary. It goes by hashes alone; two terms
  // with one hash would count for each other as parts, never as whole words.
  struct Recent {
    std::uint64_t hash = 0;
    std::uint32_t slot = 0;
  };
  static constexpr std::size_t kRecent = std::size_t{1} << 14;
  std::vector<Recent> recent_ = std::vector<Recent>(kRecent);
};

}  // namespace sibyl::index
