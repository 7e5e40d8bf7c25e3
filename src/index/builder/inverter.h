// SPDX-License-Identifier: Apache-2.0
// Inverts the postings of one partition, from passage → terms to term → passages; sorts and
// encodes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/builder/huge_array.h"
#include "index/builder/posting_streams.h"
#include "index/builder/vocabulary.h"
#include "index/segment/posting_codec.h"
#include "index/segment/term_dictionary.h"

namespace sibyl::index {

/// The postings of one batch, as PostingStreams recorded them.
class BatchPostings {
 public:
  std::span<const std::uint32_t> stream(std::size_t partition) const {
    return {words_ + begins_[partition], begins_[partition + 1] - begins_[partition]};
  }

 private:
  friend class PostingStore;

  // Shared with the other batches stored in it.
  std::shared_ptr<HugeArray<std::uint32_t>> memory_;
  const std::uint32_t* words_ = nullptr;
  std::array<std::size_t, kPartitions + 1> begins_{};
};

/// Stores the postings of many batches in large allocations. One per build thread.
class PostingStore {
 public:
  BatchPostings Keep(const PostingStreams& streams);

 private:
  std::shared_ptr<HugeArray<std::uint32_t>> memory_;
  std::size_t used_ = 0;
};

struct PlacedBatch {
  BatchPostings postings;
  std::uint32_t first_passage = 0;
};

struct InvertedPartition {
  bool is_done = false;
  std::string lists;
  TermDictionaryWriter terms;
};

struct PartitionOfBatches {
  std::size_t partition = 0;
  const Vocabulary& vocabulary;
  /// One bit per term of the partition: whether it also occurs as a whole word.
  std::span<const std::uint64_t> is_whole;
  std::span<const PlacedBatch> batches;  ///< In ascending order of passages.
  std::size_t passage_count = 0;         ///< In all batches.
};

/// One per thread. Keeps its buffers for the next partition, because the kernel must zero new
/// memory.
class Inverter {
 public:
  /// Terms that occur in none of the batches are omitted.
  InvertedPartition Invert(const PartitionOfBatches& work);

 private:
  template <typename Posting>
  InvertedPartition InvertInto(const PartitionOfBatches& work, HugeArray<Posting>& scattered);

  std::vector<std::uint32_t> counts_;  // number of postings per term
  std::vector<std::uint32_t>
      cursors_;  // where each term's postings begin; after scattering, where they end
  // Only one of the two is used at a time.
  HugeArray<NarrowPosting> narrow_;
  HugeArray<WidePosting> wide_;
};

}  // namespace sibyl::index
