// SPDX-License-Identifier: Apache-2.0
#include "index/word_table.h"

#include <algorithm>
#include <cstring>

namespace sibyl::index {
namespace {

constexpr std::size_t kFirstCells = std::size_t{1} << 16;
constexpr std::size_t kFirstParts = std::size_t{1} << 14;

// As many as have room for that many bytes.
constexpr std::size_t TermsFor(std::size_t bytes) {
  return (bytes + sizeof(WeightedTerm) - 1) / sizeof(WeightedTerm);
}

// Both tables are large and their cells are fetched ahead: rather a longer
// walk now and then than twice the memory.
bool IsFull(std::size_t used, std::size_t size) { return used * 5 >= size * 4; }

}  // namespace

WordTable::WordTable(Vocabulary& vocabulary)
    : vocabulary_(vocabulary), cells_(kFirstCells), mask_(kFirstCells - 1), parts_(kFirstParts) {}

bool WordTable::Holds(const Cell& cell, std::string_view word) const {
  if (word.size() <= WordKey::kExactBytes) return true;
  // Right before the terms, which are looked at soon: one wait for both.
  const WeightedTerm* length = terms_.data() + cell.first_term - 1;
  return length->bits() == word.size() &&
         std::memcmp(length - TermsFor(word.size()), word.data(), word.size()) == 0;
}

WordTable::Cell& WordTable::FindFurther(const WordKey& key, std::uint64_t hash,
                                        std::string_view word) {
  for (std::uint64_t at = hash & mask_;; at = (at + 1) & mask_) {
    Cell& cell = cells_[at];
    if (cell.key == key && cell.term_count != 0) {
      if (Holds(cell, word)) return cell;
    } else if (cell.term_count == 0) {
      if (IsFull(used_, cells_.size())) {
        Grow();
        return FindFurther(key, hash, word);
      }
      Fill(cell, key, word);
      return cell;
    }
  }
}

void WordTable::Grow() {
  HugeArray<Cell> old(cells_.size() * 2);
  std::swap(old, cells_);
  mask_ = cells_.size() - 1;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i].term_count == 0) continue;
    std::uint64_t at = old[i].key.Hash() & mask_;
    while (cells_[at].term_count != 0) at = (at + 1) & mask_;
    cells_[at] = old[i];
  }
}

// As TermForms::Derive has it, but for terms instead of texts.
void WordTable::Fill(Cell& cell, const WordKey& key, std::string_view word) {
  if (word.size() > WordKey::kExactBytes) {
    void* text = terms_.AppendRoom(TermsFor(word.size()));
    std::memcpy(text, word.data(), word.size());
    terms_.Append(WeightedTerm::FromBits(static_cast<std::uint32_t>(word.size())));
  }
  const std::size_t first = terms_.size();
  lower_.clear();
  AppendLower(word, lower_);
  // Whatever has to come from far away is sent for before it is needed.
  const Vocabulary::Wanted whole(lower_);
  vocabulary_.Prefetch(whole);
  const std::span<const std::string_view> parts = term_forms_.Parts(word);
  part_keys_.clear();
  for (const std::string_view part : parts) {
    part_keys_.push_back(WordKey::Of(part.data(), part.size()));
    __builtin_prefetch(parts_.data() + (part_keys_.back().Hash() & (parts_.size() - 1)));
  }
  const std::string_view stem = term_forms_.Stem(lower_);
  AddTerm(first, Intern(whole, batch_, kWholeEighths));
  if (stem != lower_) {
    AddTerm(first, Intern(Vocabulary::Wanted(stem), Vocabulary::kNever, kStemEighths));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& known = FindPart(part_keys_[i], parts[i]);
    AddTerm(first, known.whole);
    if (!known.stem.is_nothing()) AddTerm(first, known.stem);
  }
  cell.key = key;
  cell.first_term = static_cast<std::uint32_t>(first);
  cell.term_count = static_cast<std::uint32_t>(terms_.size() - first);
  ++used_;
}

// None twice; what a term counts for as the whole word stands, otherwise the
// most it counts for.
void WordTable::AddTerm(std::size_t first, WeightedTerm added) {
  for (std::size_t i = first; i < terms_.size(); ++i) {
    if (!terms_[i].IsSameTerm(added)) continue;
    if (i > first && added.eighths() > terms_[i].eighths()) terms_[i] = added;
    return;
  }
  terms_.Append(added);
}

WeightedTerm WordTable::Intern(const Vocabulary::Wanted& term, std::uint32_t whole_in,
                               std::uint32_t eighths) {
  const TermId id = vocabulary_.Intern(term, whole_in);
  HugeList<Sum>& sums = sum_lists_[id.partition];
  if (sums.size() <= id.local) {
    sums.GrowTo(id.local + 1);
    sums_[id.partition] = sums.data();
  }
  return {id, eighths};
}

const WordTable::Part& WordTable::FindPart(const WordKey& key, std::string_view part) {
  if (IsFull(used_parts_, parts_.size())) GrowParts();
  const std::size_t mask = parts_.size() - 1;
  std::size_t at = key.Hash() & mask;
  for (; !parts_[at].whole.is_nothing(); at = (at + 1) & mask) {
    if (parts_[at].key == key) return parts_[at];
  }
  lower_.clear();
  AppendLower(part, lower_);
  Part& made = parts_[at];
  made.key = key;
  made.whole = Intern(Vocabulary::Wanted(lower_), Vocabulary::kNever, kPartEighths);
  if (const std::string_view stem = term_forms_.Stem(lower_); stem != lower_) {
    made.stem = Intern(Vocabulary::Wanted(stem), Vocabulary::kNever, kPartStemEighths);
  }
  ++used_parts_;
  return made;
}

void WordTable::GrowParts() {
  HugeArray<Part> old(parts_.size() * 2);
  std::swap(old, parts_);
  const std::size_t mask = parts_.size() - 1;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i].whole.is_nothing()) continue;
    std::size_t at = old[i].key.Hash() & mask;
    while (!parts_[at].whole.is_nothing()) at = (at + 1) & mask;
    parts_[at] = old[i];
  }
}

}  // namespace sibyl::index
