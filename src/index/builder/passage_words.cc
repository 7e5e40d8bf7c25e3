// SPDX-License-Identifier: Apache-2.0
#include "index/builder/passage_words.h"

#include <algorithm>
#include <bit>

#include "index/words/term_forms.h"

// Keeps gcc from combining the two halves of a key in a vector register, from which they come
// back slowly.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

namespace sibyl::index {

// Branch-free, because whether a word is new is unpredictable: the data of a known word is
// written again, and element 0 is a copy of the word being searched, so that a free slot looks
// like a match.
void PassageWords::CountUpTo(std::uint32_t end) {
  MakeRoom();
  const std::uint32_t* const edges = edges_.data();
  // At least this many words fit, even if all are distinct.
  const std::size_t stop = std::min(edges_.size(), next_ + 2 * (slots_.size() / 2 - count_));
  std::uint16_t* const slots = slots_.data();
  const unsigned shift = shift_;
  Word* const words = words_.data();
  const char* const text = text_;
  std::size_t count = count_;
  std::uint64_t fold = fold_;
  std::size_t at = next_;
  for (; at < stop && edges[at] < end; at += 2) {
    const char* const word = text + edges[at];
    const std::size_t bytes = edges[at + 1] - edges[at];
    WordKey key;
    std::uint16_t* slot = nullptr;
    if (bytes <= WordKey::kExactBytes) [[likely]] {
      key = WordKey::OfShort(word, bytes);
      slot = slots + (key.Hash() >> shift);
      words[0].key.low = key.low;
      words[0].key.high = key.high;
      if (words[*slot].key != key) [[unlikely]]
        slot = SeekSlot(key, {word, bytes});
    } else {
      if (bytes > kMaxWordBytes) break;
      key = WordKey::Of(word, bytes);
      slot = SeekSlot(key, {word, bytes});
    }
    fold = fold * kFoldFactor + key.Hash();
    std::size_t place = *slot;
    const std::size_t is_new = (place - 1) >> 63;  // 1 only if place is 0
    count += is_new;
    place |= count & (0 - is_new);
    *slot = static_cast<std::uint16_t>(place);
    Word& found = words[place];
    found.key.low = key.low;
    found.key.high = key.high;
    found.edge = static_cast<std::uint32_t>(at);
    ++found.count;
  }
  count_ = count;
  fold_ = fold;
  next_ = at;
}

std::uint16_t* PassageWords::SeekSlot(WordKey key, std::string_view word) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = key.Hash() >> shift_;; at = (at + 1) & mask) {
    const std::size_t place = slots_[at];
    if (place == 0) return &slots_[at];
    if (words_[place].key != key) continue;
    if (word.size() <= WordKey::kExactBytes || text(words_[place].edge) == word) return &slots_[at];
  }
}

void PassageWords::Resize(std::size_t slots) {
  slots_.assign(slots, 0);
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots));
  words_.resize(slots / 2 + 1);
}

// Long passages get larger tables, up to a limit.
void PassageWords::MakeRoom() {
  const std::size_t size = 2 * slots_.size();
  if (count_ < slots_.size() / 4 || size > kMostSlots) return;
  Resize(size);
  for (std::size_t place = 1; place <= count_; ++place) {
    std::size_t at = words_[place].key.Hash() >> shift_;
    while (slots_[at] != 0) at = (at + 1) & (size - 1);
    slots_[at] = static_cast<std::uint16_t>(place);
  }
}

void PassageWords::Clear() {
  for (std::size_t place = 1; place <= count_; ++place) words_[place].count = 0;
  if (slots_.size() == kFirstSlots) {
    std::fill(slots_.begin(), slots_.end(), 0);
  } else {
    Resize(kFirstSlots);
  }
  count_ = 0;
}

}  // namespace sibyl::index
