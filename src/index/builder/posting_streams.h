// SPDX-License-Identifier: Apache-2.0
// The postings of a batch in passage order, split by partition. A posting is 24 bits of term id
// and 8 bits of impact; a marker ends each passage.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/builder/vocabulary.h"

namespace sibyl::index {

class PostingStreams {
 public:
  /// Not a valid term id.
  static constexpr std::uint32_t kMarker = 0xFFFFFF00U;
  static_assert(Vocabulary::kMaxTerms <= kMarker >> 8);

  /// Adds one passage: term ids (see WeightedTerm) and one impact for each.
  void AddPassage(const std::uint32_t* ids, const std::uint8_t* impacts, std::size_t count);

  std::span<const std::uint32_t> stream(std::size_t partition) const {
    return {streams_[partition].words.data(), streams_[partition].size};
  }
  void Clear();

 private:
  struct Stream {
    std::vector<std::uint32_t> words;
    std::size_t size = 0;
  };
  std::array<Stream, kPartitions> streams_;
};

}  // namespace sibyl::index
