// SPDX-License-Identifier: Apache-2.0
// Encodes posting lists: passages in ascending order, with one impact each.
// docs/formats/index.md has the layout.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace sibyl::index {

inline constexpr std::size_t kBlockPostings = 128;

/// One decoded block. Impacts are not packed and are read in place.
struct PostingBlock {
  std::array<std::uint32_t, kBlockPostings> passages;
  const std::uint8_t* impacts = nullptr;
  std::uint32_t size = 0;
  /// Whether passages are certain to ascend. False only for damaged bytes whose gaps overflow.
  bool ascends = false;

  /// The first posting whose passage is not less; `size` if there is none.
  std::uint32_t Seek(std::uint32_t passage) const {
    // Without branches, which would mispredict.
    std::uint32_t first = 0;
    for (std::uint32_t left = size; left > 0;) {
      const std::uint32_t half = left / 2;
      first += passages[first + half] < passage ? left - half : 0;
      left = half;
    }
    return first;
  }

  /// Like Seek, for callers that know that the posting is at or shortly after `from`.
  std::uint32_t SeekFrom(std::uint32_t from, std::uint32_t passage) const {
    constexpr std::uint32_t kStride = 8;
    if (from < size && passages[from] >= passage) return from;
    while (from + kStride <= size && passages[from + kStride - 1] < passage) from += kStride;
    if (from + kStride > size) {
      while (from < size && passages[from] < passage) ++from;
      return from;
    }
    // The last of the eight is not less; finds the first one without branches.
    from += passages[from + 3] < passage ? 4 : 0;
    from += passages[from + 1] < passage ? 2 : 0;
    return from + (passages[from] < passage ? 1 : 0);
  }
};

/// Passage and impact in one number; half the size if there are few passages.
using NarrowPosting = std::uint32_t;
using WidePosting = std::uint64_t;
inline constexpr std::size_t kMaxNarrowPassages = std::size_t{1} << 24;

template <typename Posting>
constexpr Posting MakePosting(std::uint32_t passage, std::uint32_t impact) {
  return static_cast<Posting>(Posting{passage} << 8 | impact);
}
template <typename Posting>
constexpr std::uint32_t PassageOf(Posting posting) {
  return static_cast<std::uint32_t>(posting >> 8);
}
template <typename Posting>
constexpr std::uint8_t ImpactOf(Posting posting) {
  return static_cast<std::uint8_t>(posting & 0xFF);
}

/// Appends a list of at least one posting; passages must ascend strictly.
template <typename Posting>
void EncodePostings(std::span<const Posting> postings, std::string& out);

/// An untrusted list in mapped memory. Opening checks that the skip table fits; decoding checks
/// each block. A damaged list ends early; reads never leave its bytes.
class PostingListView {
 public:
  PostingListView() = default;
  PostingListView(std::string_view bytes, std::uint32_t count);

  std::uint32_t count() const { return count_; }
  std::string_view bytes() const { return {data_, bytes_}; }
  std::size_t block_count() const { return blocks_; }

  /// ~0 in a list of one block, which has no skip table.
  std::uint32_t last_passage(std::size_t block) const {
    std::uint32_t last = ~0U;
    if (blocks_ > 1) std::memcpy(&last, data_ + 4 * block, sizeof(last));
    return last;
  }
  std::uint8_t max_impact(std::size_t block) const {
    return static_cast<std::uint8_t>(data_[blocks_ > 1 ? 8 * blocks_ + block : 0]);
  }

  /// The first block at or after `block` that does not end before `passage`; block_count() if
  /// there is none.
  std::size_t SeekBlock(std::size_t block, std::uint32_t passage) const {
    if (block >= blocks_ || last_passage(block) >= passage) return block;
    std::size_t step = 1;  // usually near
    while (block + step < blocks_ && last_passage(block + step) < passage) {
      block += step;
      step *= 2;
    }
    std::size_t end = block + step < blocks_ ? block + step : blocks_;
    while (end - block > 1) {
      const std::size_t middle = block + (end - block) / 2;
      (last_passage(middle) < passage ? block : end) = middle;
    }
    return end;
  }

  /// False if the bytes are damaged; `out` is then empty.
  bool Decode(std::size_t block, PostingBlock& out) const;

  /// Only the impacts of a block; empty if the bytes are damaged.
  std::span<const std::uint8_t> impacts(std::size_t block) const;

 private:
  struct Place {
    const char* gaps = nullptr;  ///< Null if the block does not fit the list.
    std::size_t packed_bytes = 0;
    std::size_t size = 0;
    unsigned bits = 0;
  };
  std::size_t offset(std::size_t block) const;
  Place Locate(std::size_t block) const;

  const char* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint32_t count_ = 0;
  std::size_t blocks_ = 0;  // the last may be shorter than kBlockPostings
};

}  // namespace sibyl::index
