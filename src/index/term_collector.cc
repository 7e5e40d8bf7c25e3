// SPDX-License-Identifier: Apache-2.0
#include "index/term_collector.h"

#include <algorithm>
#include <array>

#include "index/impact.h"

namespace sibyl::index {
namespace {

// Words whose cells are fetched together: enough to hide a miss, few enough
// to stay in the first-level cache.
constexpr std::size_t kGroup = 32;

}  // namespace

void PostingStreams::Clear() {
  for (std::vector<std::uint32_t>& stream : streams_) stream.clear();
  at_.fill(0);
}

void TermCollector::BeginPassage() {
  ++serial_;
  counted_.clear();
  touched_.clear();
  word_count_ = 0;
  fold_ = 0;
}

void TermCollector::Count(WordTable::Cell& cell) {
  if (cell.stamp == serial_) {
    ++counted_[cell.place].count;
    return;
  }
  cell.stamp = serial_;
  cell.place = static_cast<std::uint32_t>(counted_.size());
  counted_.push_back({.forms = cell.forms, .count = 1});
}

void TermCollector::AddText(const char* text, std::span<const std::uint32_t> edges) {
  struct Pending {
    WordTable::Key key;
    std::uint64_t hash = 0;
    std::string_view word;
  };
  std::array<Pending, kGroup> group;
  word_count_ += static_cast<std::uint32_t>(edges.size() / 2);
  for (std::size_t at = 0; at < edges.size();) {
    std::size_t pending = 0;
    for (; at < edges.size() && pending < kGroup; at += 2) {
      const std::string_view word(text + edges[at], edges[at + 1] - edges[at]);
      if (word.size() > kMaxWordBytes) {
        CountLongWord(word);
        continue;
      }
      Pending& next = group[pending++];
      next.key = WordTable::KeyOf(word.data(), word.size());
      next.hash = next.key.Hash();
      next.word = word;
      table_.Prefetch(next.hash);
    }
    for (std::size_t i = 0; i < pending; ++i) {
      fold_ = fold_ * 0x9E3779B97F4A7C15U + group[i].hash;
      Count(table_.Find(group[i].key, group[i].hash, group[i].word));
    }
  }
}

void TermCollector::CountLongWord(std::string_view word) {
  constexpr std::size_t kStep = kMaxWordBytes - kMaxSubstringBytes;
  for (std::size_t at = 0;; at += kStep) {
    const std::string_view piece = word.substr(at, kMaxWordBytes);
    const WordTable::Key key = WordTable::KeyOf(piece.data(), piece.size());
    fold_ = fold_ * 0x9E3779B97F4A7C15U + key.Hash();
    Count(table_.Find(key, key.Hash(), piece));
    if (at + kMaxWordBytes >= word.size()) return;
  }
}

void TermCollector::AddField(std::string_view field, FieldBonus bonus) {
  field_text_.assign(field);
  field_text_.append(16, ' ');
  const std::span<const std::uint32_t> edges = field_scanner_.Scan(field);
  for (std::size_t at = 0; at < edges.size(); at += 2) {
    const std::string_view word(field_text_.data() + edges[at], edges[at + 1] - edges[at]);
    if (word.size() > kMaxWordBytes) continue;
    const WordTable::Key key = WordTable::KeyOf(word.data(), word.size());
    const WordTable::Cell& cell = table_.Find(key, key.Hash(), word);
    const WordTable::Form* form = table_.forms().data() + cell.forms;
    for (std::uint32_t left = *form++; left > 0; --left, ++form) {
      WordTable::Slot& slot = table_.slots()[*form >> 4];
      if (slot.stamp != serial_) {
        slot.stamp = serial_;
        slot.eighths = 0;
        slot.bonus = 0;
        touched_.push_back(*form >> 4);
      }
      slot.bonus = std::max(slot.bonus, (*form & 15) == 8 ? bonus.whole : bonus.part);
    }
  }
}

void TermCollector::SpreadOverForms() {
  const WordTable::Form* forms = table_.forms().data();
  WordTable::Slot* slots = table_.slots().data();
  constexpr std::size_t kAhead = 8;
  for (std::size_t i = 0; i < counted_.size(); ++i) {
    if (i + 2 * kAhead < counted_.size())
      __builtin_prefetch(forms + counted_[i + 2 * kAhead].forms);
    if (i + kAhead < counted_.size()) {
      const WordTable::Form* next = forms + counted_[i + kAhead].forms;
      __builtin_prefetch(slots + (next[1] >> 4), 1);
    }
    const WordTable::Form* form = forms + counted_[i].forms;
    const std::uint32_t count = counted_[i].count;
    for (std::uint32_t left = *form++; left > 0; --left, ++form) {
      WordTable::Slot& slot = slots[*form >> 4];
      if (slot.stamp != serial_) {
        slot.stamp = serial_;
        slot.eighths = 0;
        slot.bonus = 0;
        touched_.push_back(*form >> 4);
      }
      const std::uint32_t sum = slot.eighths + count * (*form & 15);
      slot.eighths = static_cast<std::uint16_t>(std::min<std::uint32_t>(sum, 0xFFFF));
    }
  }
}

void TermCollector::EndPassage(std::uint32_t passage, float prior, PostingStreams& streams) {
  SpreadOverForms();
  const ImpactScale scale(word_count_, prior);
  for (const std::uint32_t touched : touched_) {
    const WordTable::Slot& slot = table_.slots()[touched];
    const std::uint8_t impact = scale.Impact(slot.eighths, slot.bonus);
    streams.Add(slot.partition, passage, slot.local << 8 | impact);
  }
}

}  // namespace sibyl::index
