// SPDX-License-Identifier: Apache-2.0
#include "index/word_table.h"

#include <algorithm>

namespace sibyl::index {
namespace {

constexpr std::size_t kFirstCells = std::size_t{1} << 16;
// Not a word byte, so that no short word can have it as its last byte.
constexpr std::uint64_t kLongMark = std::uint64_t{1} << 56;
constexpr std::uint64_t kLongBits = (std::uint64_t{1} << 56) - 1;

// Keeps the first n bytes of a little-endian word.
constexpr std::uint64_t KeepBytes(std::size_t n) {
  return n >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * n) - 1;
}

constexpr auto kLowMasks = [] {
  std::array<std::uint64_t, 17> masks{};
  for (std::size_t n = 0; n < masks.size(); ++n) masks[n] = KeepBytes(n);
  return masks;
}();
constexpr auto kHighMasks = [] {
  std::array<std::uint64_t, 17> masks{};
  for (std::size_t n = 8; n < masks.size(); ++n) masks[n] = KeepBytes(n - 8);
  return masks;
}();

}  // namespace

WordTable::WordTable(Vocabulary& vocabulary)
    : vocabulary_(vocabulary), cells_(kFirstCells), mask_(kFirstCells - 1) {
  forms_.push_back(0);       // so that no cell's forms are at 0
  long_words_.push_back(0);  // and no long word either
}

WordTable::Key WordTable::KeyOf(const char* word, std::size_t bytes) {
  if (bytes <= 16) {
    return {Load64(word) & kLowMasks[bytes], Load64(word + 8) & kHighMasks[bytes]};
  }
  const std::string_view view(word, bytes);
  return {HashBytes(view), (HashBytes(view, 1) & kLongBits) | kLongMark};
}

WordTable::Cell& WordTable::Find(const Key& key, std::uint64_t hash, std::string_view word) {
  for (std::uint64_t at = hash & mask_;; at = (at + 1) & mask_) {
    Cell& cell = cells_[at];
    if (cell.key == key) {
      if (word.size() <= 16) return cell;
      const std::string_view stored = std::string_view(long_words_).substr(cell.bytes);
      if (stored.substr(0, word.size()) == word && stored[word.size()] == '\0') return cell;
    } else if (cell.forms == 0) {
      if (used_ * 3 >= cells_.size() * 2) {
        Grow();
        return Find(key, hash, word);
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
    if (old[i].forms == 0) continue;
    std::uint64_t at = old[i].key.Hash() & mask_;
    while (cells_[at].forms != 0) at = (at + 1) & mask_;
    cells_[at] = old[i];
  }
}

void WordTable::Fill(Cell& cell, const Key& key, std::string_view word) {
  cell.key = key;
  if (word.size() > 16) {
    cell.bytes = static_cast<std::uint32_t>(long_words_.size());
    long_words_.append(word);
    long_words_.push_back('\0');
  }
  const std::span<const TermForm> derived = term_forms_.Derive(word);
  cell.forms = static_cast<std::uint32_t>(forms_.size());
  forms_.push_back(static_cast<Form>(derived.size()));
  for (const TermForm& form : derived) {
    forms_.push_back(SlotOf(form) << 4 | form.eighths);
  }
  ++used_;
}

std::uint32_t WordTable::SlotOf(const TermForm& form) {
  if (form.kind == FormKind::kWhole) return FindSlot(form);
  const std::uint64_t hash = HashBytes(form.text) | 1;  // 0 means none
  Recent& recent = recent_[hash >> 32 & (kRecent - 1)];
  if (recent.hash != hash) recent = {.hash = hash, .slot = FindSlot(form)};
  return recent.slot;
}

std::uint32_t WordTable::FindSlot(const TermForm& form) {
  const TermId id = vocabulary_.Intern(form.text, form.kind);
  std::vector<std::uint32_t>& known = slot_of_term_[id.partition];
  if (known.size() <= id.local) {
    known.resize(std::max<std::size_t>(id.local + 1, known.size() + known.size() / 2));
  }
  if (known[id.local] == 0) {
    slots_.push_back({.stamp = 0,
                      .eighths = 0,
                      .bonus = 0,
                      .partition = static_cast<std::uint8_t>(id.partition),
                      .local = id.local});
    known[id.local] = static_cast<std::uint32_t>(slots_.size());
  }
  return known[id.local] - 1;
}

}  // namespace sibyl::index
