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

void PostingStreams::Reserve(std::uint32_t passage, std::size_t count) {
  for (Stream& stream : streams_) {
    const std::size_t markers = (passage - stream.passage) / kMaxStep + 1;
    const std::size_t wanted = stream.size + markers + count;
    if (stream.words.size() < wanted) stream.words.resize(2 * wanted);
  }
}

void PostingStreams::StepTo(Stream& stream, std::uint32_t passage) {
  for (std::uint32_t left = passage - stream.passage; left > 0;) {
    const std::uint32_t step = std::min(left, kMaxStep);
    stream.words[stream.size++] = kMarker | step;
    left -= step;
  }
  stream.passage = passage;
}

void PostingStreams::Clear() {
  for (Stream& stream : streams_) {
    stream.size = 0;
    stream.passage = 0;
  }
}

void TermCollector::BeginPassage() {
  ++serial_;
  counted_.clear();
  counted_terms_ = 0;
  touched_count_ = 0;
  word_count_ = 0;
  fold_ = 0;
}

inline void TermCollector::Count(WordTable::Cell& cell) {
  if (cell.stamp == serial_) {
    ++counted_[cell.place].count;
    return;
  }
  cell.stamp = serial_;
  cell.place = static_cast<std::uint32_t>(counted_.size());
  counted_terms_ += cell.term_count;
  counted_.push_back({.first_term = cell.first_term, .term_count = cell.term_count, .count = 1});
}

void TermCollector::AddText(const char* text, std::span<const std::uint32_t> edges) {
  struct Pending {
    WordKey key;
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
      next.key = WordKey::Of(word.data(), word.size());
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
    const WordKey key = WordKey::Of(piece.data(), piece.size());
    fold_ = fold_ * 0x9E3779B97F4A7C15U + key.Hash();
    Count(table_.Find(key, key.Hash(), piece));
    if (at + kMaxWordBytes >= word.size()) return;
  }
}

void TermCollector::FindFieldTerms(std::string_view field, FieldBonus bonus,
                                   std::vector<FieldTerm>& terms) {
  field_text_.assign(field);
  field_text_.append(16, ' ');
  const std::span<const std::uint32_t> edges = field_scanner_.Scan(field);
  for (std::size_t at = 0; at < edges.size(); at += 2) {
    const std::string_view word(field_text_.data() + edges[at], edges[at + 1] - edges[at]);
    if (word.size() > kMaxWordBytes) continue;
    const WordKey key = WordKey::Of(word.data(), word.size());
    const WordTable::Cell& cell = table_.Find(key, key.Hash(), word);
    for (std::uint32_t i = 0; i < cell.term_count; ++i) {
      const WeightedTerm term = table_.terms()[cell.first_term + i];
      terms.push_back(
          {.term = term, .bonus = term.eighths() == kWholeEighths ? bonus.whole : bonus.part});
    }
  }
}

namespace {

/// The sum of a term in the current passage; the first time that it is asked
/// for, it is cleared and the term noted at `touched`.
inline WordTable::Sum& SumOf(WeightedTerm term, const WordTable::Sums& sums, std::uint32_t serial,
                             WeightedTerm*& touched) {
  WordTable::Sum& sum = sums[term.partition()][term.local()];
  if (sum.stamp != serial) {
    sum = {.stamp = serial, .eighths = 0, .bonus = 0};
    *touched++ = term;
  }
  return sum;
}

}  // namespace

void TermCollector::AddField(std::span<const FieldTerm> terms) {
  if (touched_.size() < touched_count_ + terms.size()) {
    touched_.resize(2 * (touched_count_ + terms.size()));
  }
  WeightedTerm* touched = touched_.data() + touched_count_;
  for (const FieldTerm& field : terms) {
    WordTable::Sum& sum = SumOf(field.term, table_.sums(), serial_, touched);
    sum.bonus = std::max<std::uint16_t>(sum.bonus, field.bonus);
  }
  touched_count_ = static_cast<std::size_t>(touched - touched_.data());
}

// First all terms are looked up and their sums fetched, then added to: one at a
// time, each would wait for memory.
void TermCollector::SpreadOverTerms() {
  if (spread_.size() < counted_terms_) spread_.resize(2 * counted_terms_);
  const WeightedTerm* terms = table_.terms();
  const WordTable::Sums sums = table_.sums();
  constexpr std::size_t kAhead = 12;
  Spread* spread = spread_.data();
  const std::size_t words = counted_.size();
  for (std::size_t i = 0; i < words; ++i) {
    __builtin_prefetch(terms + counted_[std::min(i + kAhead, words - 1)].first_term);
    const Counted& counted = counted_[i];
    for (std::uint32_t k = 0; k < counted.term_count; ++k) {
      const WeightedTerm term = terms[counted.first_term + k];
      __builtin_prefetch(sums[term.partition()] + term.local(), 1);
      *spread++ = {.term = term, .eighths = counted.count * term.eighths()};
    }
  }
  if (touched_.size() < touched_count_ + counted_terms_) {
    touched_.resize(2 * (touched_count_ + counted_terms_));
  }
  WeightedTerm* touched = touched_.data() + touched_count_;
  const std::uint32_t serial = serial_;
  for (const Spread* at = spread_.data(); at < spread; ++at) {
    WordTable::Sum& sum = SumOf(at->term, sums, serial, touched);
    sum.eighths =
        static_cast<std::uint16_t>(std::min<std::uint32_t>(sum.eighths + at->eighths, 0xFFFF));
  }
  touched_count_ = static_cast<std::size_t>(touched - touched_.data());
}

void TermCollector::EndPassage(std::uint32_t passage, float prior, PostingStreams& streams) {
  SpreadOverTerms();
  const std::size_t count = touched_count_;
  const std::size_t room = ImpactScale::RoomFor(count);
  if (impacts_.size() < room) {
    eighths_.resize(2 * room);
    bonuses_.resize(2 * room);
    impacts_.resize(2 * room);
  }
  const WordTable::Sums& sums = table_.sums();
  for (std::size_t i = 0; i < count; ++i) {
    const WordTable::Sum& sum = sums[touched_[i].partition()][touched_[i].local()];
    eighths_[i] = sum.eighths;
    bonuses_[i] = sum.bonus;
  }
  const ImpactScale scale(word_count_, prior);
  scale.Impacts(eighths_.data(), bonuses_.data(), impacts_.data(), count);
  streams.Reserve(passage, count);
  for (std::size_t i = 0; i < count; ++i) {
    streams.Add(touched_[i].partition(), passage, touched_[i].local() << 8 | impacts_[i]);
  }
}

}  // namespace sibyl::index
