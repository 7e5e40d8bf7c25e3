// SPDX-License-Identifier: Apache-2.0
// Turns the postings of one partition around: from "this passage has these
// terms" to "this term is in these passages", sorted and encoded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/term_collector.h"
#include "index/term_dictionary.h"
#include "index/vocabulary.h"

namespace sibyl::index {

/// The postings of one batch, as PostingStreams had them, in exactly the
/// memory they need.
class BatchPostings {
 public:
  BatchPostings() = default;
  explicit BatchPostings(const PostingStreams& streams);

  std::span<const std::uint32_t> stream(std::size_t partition) const {
    return {words_.get() + begins_[partition], begins_[partition + 1] - begins_[partition]};
  }
  std::size_t bytes() const { return begins_[kPartitions] * sizeof(std::uint32_t); }

 private:
  std::unique_ptr<std::uint32_t[]> words_;
  std::array<std::size_t, kPartitions + 1> begins_{};
};

struct PlacedBatch {
  BatchPostings postings;
  std::uint32_t first_passage = 0;
};

struct InvertedPartition {
  std::string lists;
  TermDictionaryWriter terms;
};

/// Batches in ascending order of their passages. Terms that occur in none of
/// them are left out.
InvertedPartition Invert(std::size_t partition, const Vocabulary& vocabulary,
                         std::span<const PlacedBatch> batches);

}  // namespace sibyl::index
