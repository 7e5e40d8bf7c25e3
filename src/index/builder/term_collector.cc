// SPDX-License-Identifier: Apache-2.0
#include "index/builder/term_collector.h"

#include <algorithm>

#include "index/impact.h"

namespace sibyl::index {

void TermCollector::BeginPassage() {
  finder_.Pause();
  terms_.Begin();
  word_count_ = 0;
}

std::size_t TermCollector::AddText(const char* text, std::span<const std::uint32_t> edges,
                                   std::uint32_t end) {
  words_.Begin(text, edges);
  for (;;) {
    words_.CountUpTo(end);
    const std::size_t next = words_.next();
    if (next == edges.size() || edges[next] >= end) break;
    if (words_.text(next).size() > kMaxWordBytes) {
      AddLongWord(words_.text(next));
      words_.Skip();
    } else {
      SpreadOverTerms();
    }
  }
  word_count_ += static_cast<std::uint32_t>(words_.next() / 2);
  return words_.next();
}

void TermCollector::AddLongWord(std::string_view word) {
  constexpr std::size_t kStep = kMaxWordBytes - kMaxSubstringBytes;
  for (std::size_t at = 0;; at += kStep) {
    const std::string_view piece = word.substr(at, kMaxWordBytes);
    const WordKey key = WordKey::Of(piece.data(), piece.size());
    words_.Fold(key.Hash());
    counted_.clear();
    finder_.table().ForEach(finder_.Find(key, key.Hash(), piece),
                            [&](WeightedTerm term) { counted_.emplace_back(term.bits(), 1); });
    terms_.Count(counted_);
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
    finder_.table().ForEach(finder_.FindRecent(key, word), [&](WeightedTerm term) {
      terms.push_back(
          {.term = term, .bonus = term.eighths() == kWholeEighths ? bonus.whole : bonus.part});
    });
  }
}

void TermCollector::AddField(std::span<const FieldTerm> terms) {
  for (const FieldTerm& field : terms) terms_.Raise(field.term, field.bonus);
}

namespace {

// Always writes three terms and returns the place after the valid ones. Branch-free, because
// their number is unpredictable.
inline PassageTerms::Counted* Write(const WordTable::Terms& terms, std::uint32_t count,
                                    std::size_t is_wanted, PassageTerms::Counted* out) {
  const auto second = static_cast<std::uint32_t>(terms.first >> 32);
  out[0] = {static_cast<std::uint32_t>(terms.first), count};
  out[1] = {second, count};
  out[2] = {terms.third, count};
  // A term has nonzero eighths in its lowest bits; an absent one is 0.
  const std::size_t there = 1 + (((second & 15) + 15) >> 4) + (((terms.third & 15) + 15) >> 4);
  return out + (there & (0 - is_wanted));
}

}  // namespace

void TermCollector::SpreadOverTerms() {
  const std::span<const PassageWords::Word> words = words_.words();
  if (unknown_.size() <= words.size()) {
    unknown_.resize(2 * words.size() + 1);
    records_.resize(2 * words.size() + 1);
    counted_.resize(6 * words.size() + 3);
  }
  std::uint32_t* unknown = unknown_.data();
  RecordOfWord* records = records_.data();
  PassageTerms::Counted* out = counted_.data();
  const WordFinder::Recent* const recents = finder_.recent();
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    const WordKey& key = words[i].key;
    const WordFinder::Recent& recent = recents[WordFinder::RecentPlace(key.Hash())];
    const std::uint64_t unlike = (recent.key.low ^ key.low) | (recent.key.high ^ key.high);
    const std::size_t is_known = unlike == 0 ? 1 : 0;
    *unknown = i;
    unknown += 1 - is_known;
    *records = {recent.terms.first, i};
    const std::size_t has_record = recent.terms.has_record() & is_known;
    records += has_record;
    out = Write(recent.terms, words[i].count, is_known - has_record, out);
  }
  for (const std::uint32_t* at = unknown_.data(); at < unknown; ++at) {
    finder_.Prefetch(words[*at].key.Hash());
  }
  for (const std::uint32_t* at = unknown_.data(); at < unknown; ++at) {
    const PassageWords::Word& word = words[*at];
    const std::uint64_t hash = word.key.Hash();
    const WordTable::Terms terms = finder_.Find(word.key, hash, words_.text(word.edge));
    finder_.Remember(word.key, terms);
    *records = {terms.first, *at};
    const std::size_t has_record = terms.has_record();
    records += has_record;
    out = Write(terms, word.count, 1 - has_record, out);
  }
  terms_.Count({counted_.data(), out});
  SpreadOverRecords(static_cast<std::size_t>(records - records_.data()));
  words_.Clear();
}

void TermCollector::SpreadOverRecords(std::size_t count) {
  const WordTable& table = finder_.table();
  for (std::size_t k = 0; k < count; ++k) {
    __builtin_prefetch(table.RecordOf(records_[k].first).head);
  }
  for (std::size_t k = 0; k < count; ++k) {
    const PassageWords::Word& word = words_.words()[records_[k].word];
    const std::string_view text = words_.text(word.edge);
    WordTable::Record record = table.RecordOf(records_[k].first);
    if (text.size() > WordKey::kExactBytes && record.text() != text) {
      record = table.RecordOf(finder_.Find(word.key, word.key.Hash(), text).first);
    }
    const std::span<const WeightedTerm> terms = record.terms();
    if (counted_.size() < terms.size()) counted_.resize(terms.size());
    for (std::size_t i = 0; i < terms.size(); ++i) counted_[i] = {terms[i].bits(), word.count};
    terms_.Count({counted_.data(), terms.size()});
  }
}

void TermCollector::EndPassage(float prior, PostingStreams& streams) {
  SpreadOverTerms();
  const ImpactScale scale(word_count_, prior);
  streams.AddPassage(terms_.ids(), terms_.Impacts(scale), terms_.size());
}

}  // namespace sibyl::index
