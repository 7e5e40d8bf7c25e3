// SPDX-License-Identifier: Apache-2.0
#include "index/inverter.h"

#include <algorithm>
#include <cstring>

#include "index/posting_codec.h"

namespace sibyl::index {
namespace {

// A few huge pages.
constexpr std::size_t kStoreWords = std::size_t{2} << 20;

bool IsMarker(std::uint32_t word) { return word >= PostingStreams::kMarker; }

// The first bytes of a term as a number that sorts as they do.
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

// Terms that occur, in byte order.
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

// `cursors` holds where each term's postings begin, and then where they end.
template <typename Posting>
HugeArray<Posting> Scatter(std::size_t partition, std::span<const PlacedBatch> batches,
                           std::vector<std::uint32_t>& cursors, std::size_t total) {
  HugeArray<Posting> scattered(total);
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
  return scattered;
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

namespace {

template <typename Posting>
InvertedPartition InvertInto(const PartitionOfBatches& work) {
  const std::size_t partition = work.partition;
  const Vocabulary& vocabulary = work.vocabulary;
  const std::span<const PlacedBatch> batches = work.batches;
  std::vector<std::uint32_t> counts(vocabulary.places(partition).size());
  for (const PlacedBatch& batch : batches) {
    for (const std::uint32_t word : batch.postings.stream(partition)) {
      if (!IsMarker(word)) ++counts[word >> 8];
    }
  }
  const std::vector<SortedTerm> sorted = SortTerms(partition, vocabulary, counts);
  std::vector<std::uint32_t> cursors(counts.size());
  std::uint32_t total = 0;
  for (const SortedTerm& term : sorted) {
    cursors[term.local] = total;
    total += counts[term.local];
  }
  const HugeArray<Posting> scattered = Scatter<Posting>(partition, batches, cursors, total);

  InvertedPartition inverted;
  inverted.is_done = true;
  inverted.lists.reserve(std::size_t{2} * total);  // about what they need
  const Posting* postings = scattered.data();
  constexpr std::size_t kAhead = 8;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i + kAhead < sorted.size()) vocabulary.Prefetch(partition, sorted[i + kAhead].place);
    const std::size_t count = counts[sorted[i].local];
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

}  // namespace

InvertedPartition Invert(const PartitionOfBatches& work) {
  return work.passage_count <= kMaxNarrowPassages ? InvertInto<NarrowPosting>(work)
                                                  : InvertInto<WidePosting>(work);
}

}  // namespace sibyl::index
