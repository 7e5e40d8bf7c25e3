// SPDX-License-Identifier: Apache-2.0
#include "index/builder/inverter.h"

#include <algorithm>
#include <cstring>

#include "index/segment/posting_codec.h"

namespace sibyl::index {
namespace {

// A few huge pages.
constexpr std::size_t kStoreWords = std::size_t{2} << 20;

bool IsMarker(std::uint32_t word) { return word >= PostingStreams::kMarker; }

// The first bytes of a term as a number with the same order.
std::uint64_t SortKey(std::string_view text) {
  std::uint64_t key = 0;
  std::memcpy(&key, text.data(), std::min<std::size_t>(8, text.size()));
  return __builtin_bswap64(key);
}

// A term with the bytes that decide most comparisons.
struct SortedTerm {
  std::uint64_t key = 0;
  std::uint64_t next = 0;
  std::uint32_t local = 0;
  std::uint32_t place = 0;  // in the vocabulary
};

// The terms that occur, in byte order.
std::vector<SortedTerm> SortTerms(std::size_t partition, const Vocabulary& vocabulary,
                                  std::span<const std::uint32_t> counts) {
  std::vector<SortedTerm> terms;
  terms.reserve(counts.size());
  const std::span<const std::uint32_t> places = vocabulary.places(partition);
  for (std::uint32_t local = 0; local < counts.size(); ++local) {
    if (counts[local] == 0) continue;
    const std::string_view text = vocabulary.text(partition, places[local]);
    terms.push_back({.key = SortKey(text),
                     .next = text.size() > 8 ? SortKey(text.substr(8)) : 0,
                     .local = local,
                     .place = places[local]});
  }
  std::sort(terms.begin(), terms.end(), [&](const SortedTerm& a, const SortedTerm& b) {
    if (a.key != b.key) return a.key < b.key;
    if (a.next != b.next) return a.next < b.next;
    return vocabulary.text(partition, a.place) < vocabulary.text(partition, b.place);
  });
  return terms;
}

template <typename Posting>
void Scatter(std::size_t partition, std::span<const PlacedBatch> batches,
             std::vector<std::uint32_t>& cursors, Posting* scattered) {
  for (const PlacedBatch& batch : batches) {
    std::uint32_t passage = batch.first_passage;
    for (const std::uint32_t word : batch.postings.stream(partition)) {
      if (IsMarker(word)) {
        ++passage;
        continue;
      }
      scattered[cursors[word >> 8]++] = MakePosting<Posting>(passage, word & 0xFF);
    }
  }
}

}  // namespace

BatchPostings PostingStore::Keep(const PostingStreams& streams) {
  BatchPostings kept;
  std::size_t total = 0;
  for (std::size_t p = 0; p < kPartitions; ++p) {
    kept.begins_[p] = total;
    total += streams.stream(p).size();
  }
  kept.begins_[kPartitions] = total;
  if (memory_ == nullptr || memory_->size() - used_ < total) {
    memory_ = std::make_shared<HugeArray<std::uint32_t>>(std::max(kStoreWords, total));
    used_ = 0;
  }
  kept.memory_ = memory_;
  kept.words_ = memory_->data() + used_;
  for (std::size_t p = 0; p < kPartitions; ++p) {
    std::copy(streams.stream(p).begin(), streams.stream(p).end(), memory_->data() + used_);
    used_ += streams.stream(p).size();
  }
  return kept;
}

template <typename Posting>
InvertedPartition Inverter::InvertInto(const PartitionOfBatches& work,
                                       HugeArray<Posting>& scattered) {
  const std::size_t partition = work.partition;
  const Vocabulary& vocabulary = work.vocabulary;
  const std::span<const PlacedBatch> batches = work.batches;
  counts_.assign(vocabulary.places(partition).size(), 0);
  for (const PlacedBatch& batch : batches) {
    for (const std::uint32_t word : batch.postings.stream(partition)) {
      if (!IsMarker(word)) ++counts_[word >> 8];
    }
  }
  const std::vector<SortedTerm> sorted = SortTerms(partition, vocabulary, counts_);
  cursors_.resize(counts_.size());
  std::uint32_t total = 0;
  for (const SortedTerm& term : sorted) {
    cursors_[term.local] = total;
    total += counts_[term.local];
  }
  if (scattered.size() < total) scattered = HugeArray<Posting>(total + total / 4);
  Scatter(partition, batches, cursors_, scattered.data());

  InvertedPartition inverted;
  inverted.is_done = true;
  inverted.lists.reserve(std::size_t{2} * total);  // an estimate
  const Posting* postings = scattered.data();
  constexpr std::size_t kAhead = 8;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i + kAhead < sorted.size()) vocabulary.Prefetch(partition, sorted[i + kAhead].place);
    const std::size_t count = counts_[sorted[i].local];
    const std::size_t lists_before = inverted.lists.size();
    if (count > 1) EncodePostings(std::span(postings, count), inverted.lists);
    inverted.terms.Add(
        {.term = vocabulary.text(partition, sorted[i].place),
         .occurs_whole = (work.is_whole[sorted[i].local / 64] >> sorted[i].local % 64 & 1) != 0,
         .passage_count = static_cast<std::uint32_t>(count),
         .list_bytes = static_cast<std::uint32_t>(inverted.lists.size() - lists_before),
         .passage = PassageOf(*postings),
         .impact = ImpactOf(*postings)});
    postings += count;
  }
  return inverted;
}

InvertedPartition Inverter::Invert(const PartitionOfBatches& work) {
  return work.passage_count <= kMaxNarrowPassages ? InvertInto(work, narrow_)
                                                  : InvertInto(work, wide_);
}

}  // namespace sibyl::index
