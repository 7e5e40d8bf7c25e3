// SPDX-License-Identifier: Apache-2.0
#include "index/inverter.h"

#include <algorithm>
#include <cstring>

#include "index/posting_codec.h"

namespace sibyl::index {
namespace {

bool IsMarker(std::uint32_t word) { return word >= PostingStreams::kMarker; }

// The first bytes of a term as a number that sorts as they do.
std::uint64_t SortKey(std::string_view text) {
  std::uint64_t key = 0;
  std::memcpy(&key, text.data(), std::min<std::size_t>(8, text.size()));
  return __builtin_bswap64(key);
}

// Terms that occur, in byte order. Most comparisons are decided by the first
// sixteen bytes, which stand beside the number.
std::vector<std::uint32_t> SortedTerms(std::size_t partition, const Vocabulary& vocabulary,
                                       std::span<const std::uint32_t> counts) {
  struct Keyed {
    std::uint64_t key = 0;
    std::uint64_t next = 0;
    std::uint32_t local = 0;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(counts.size());
  for (std::uint32_t local = 0; local < counts.size(); ++local) {
    if (counts[local] == 0) continue;
    const std::string_view text = vocabulary.term(partition, local).text_view;
    keyed.push_back({.key = SortKey(text),
                     .next = text.size() > 8 ? SortKey(text.substr(8)) : 0,
                     .local = local});
  }
  std::sort(keyed.begin(), keyed.end(), [&](const Keyed& a, const Keyed& b) {
    if (a.key != b.key) return a.key < b.key;
    if (a.next != b.next) return a.next < b.next;
    return vocabulary.term(partition, a.local).text_view <
           vocabulary.term(partition, b.local).text_view;
  });
  std::vector<std::uint32_t> sorted;
  sorted.reserve(keyed.size());
  for (const Keyed& term : keyed) sorted.push_back(term.local);
  return sorted;
}

struct Scattered {
  std::vector<std::uint32_t> passages;
  std::vector<std::uint8_t> impacts;
};

// `cursors` holds where each term's postings begin, and then where they end.
Scattered Scatter(std::size_t partition, std::span<const PlacedBatch> batches,
                  std::vector<std::uint32_t>& cursors, std::size_t total) {
  Scattered scattered;
  scattered.passages.resize(total);
  scattered.impacts.resize(total);
  for (const PlacedBatch& batch : batches) {
    std::uint32_t passage = batch.first_passage;
    for (const std::uint32_t word : batch.postings.stream(partition)) {
      if (IsMarker(word)) {
        passage += word & 0xFF;
        continue;
      }
      const std::uint32_t at = cursors[word >> 8]++;
      scattered.passages[at] = passage;
      scattered.impacts[at] = static_cast<std::uint8_t>(word & 0xFF);
    }
  }
  return scattered;
}

}  // namespace

BatchPostings::BatchPostings(const PostingStreams& streams) {
  std::size_t total = 0;
  for (std::size_t p = 0; p < kPartitions; ++p) {
    begins_[p] = total;
    total += streams.stream(p).size();
  }
  begins_[kPartitions] = total;
  words_ = std::make_unique_for_overwrite<std::uint32_t[]>(total);
  for (std::size_t p = 0; p < kPartitions; ++p) {
    std::copy(streams.stream(p).begin(), streams.stream(p).end(), words_.get() + begins_[p]);
  }
}

InvertedPartition Invert(std::size_t partition, const Vocabulary& vocabulary,
                         std::span<const PlacedBatch> batches) {
  std::vector<std::uint32_t> counts(vocabulary.size(partition));
  for (const PlacedBatch& batch : batches) {
    for (const std::uint32_t word : batch.postings.stream(partition)) {
      if (!IsMarker(word)) ++counts[word >> 8];
    }
  }
  const std::vector<std::uint32_t> sorted = SortedTerms(partition, vocabulary, counts);
  std::vector<std::uint32_t> cursors(counts.size());
  std::uint32_t total = 0;
  for (const std::uint32_t local : sorted) {
    cursors[local] = total;
    total += counts[local];
  }
  const Scattered scattered = Scatter(partition, batches, cursors, total);

  InvertedPartition inverted;
  for (const std::uint32_t local : sorted) {
    const Vocabulary::Term term = vocabulary.term(partition, local);
    const std::size_t count = counts[local];
    const std::size_t begin = cursors[local] - count;
    const std::size_t lists_before = inverted.lists.size();
    if (count > 1) {
      EncodePostings(std::span(scattered.passages).subspan(begin, count),
                     std::span(scattered.impacts).subspan(begin, count), inverted.lists);
    }
    inverted.terms.Add(
        {.term = term.text_view,
         .occurs_whole = term.occurs_whole,
         .passage_count = static_cast<std::uint32_t>(count),
         .list_bytes = static_cast<std::uint32_t>(inverted.lists.size() - lists_before),
         .passage = scattered.passages[begin],
         .impact = scattered.impacts[begin]});
  }
  return inverted;
}

}  // namespace sibyl::index
