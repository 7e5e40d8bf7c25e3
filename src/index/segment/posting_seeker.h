// SPDX-License-Identifier: Apache-2.0
// Looks up single passages in a posting list, in ascending order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "index/segment/segment.h"

namespace sibyl::index {

class PostingSeeker {
 public:
  explicit PostingSeeker(const TermPostings& postings) : postings_(postings) {}

  /// 0 if the term is not in the passage. Passages must be requested in ascending order.
  std::uint8_t Impact(std::uint32_t passage) {
    const PostingListView& list = postings_.list;
    if (list.block_count() == 0) return passage == postings_.passage ? postings_.impact : 0;
    block_ = list.SeekBlock(block_, passage);
    if (block_ == list.block_count()) return 0;
    if (decoded_ != block_ + 1) {
      list.Decode(block_, here_);
      decoded_ = block_ + 1;
      at_ = here_.Seek(passage);
    }
    at_ = here_.SeekFrom(at_, passage);
    return at_ < here_.size && here_.passages[at_] == passage ? here_.impacts[at_] : 0;
  }

 private:
  TermPostings postings_;
  std::size_t block_ = 0;
  std::size_t decoded_ = 0;  // the block in here_, plus one
  std::uint32_t at_ = 0;
  PostingBlock here_;
};

}  // namespace sibyl::index
