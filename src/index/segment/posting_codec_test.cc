// SPDX-License-Identifier: Apache-2.0
#include "index/segment/posting_codec.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace sibyl::index {
namespace {

struct Decoded {
  std::vector<std::uint32_t> passages;
  std::vector<std::uint8_t> impacts;
};

Decoded DecodeAll(const PostingListView& list) {
  Decoded decoded;
  PostingBlock block;
  for (std::size_t at = 0; at < list.block_count(); ++at) {
    if (!list.Decode(at, block)) return decoded;
    decoded.passages.insert(decoded.passages.end(), block.passages.begin(),
                            block.passages.begin() + block.size);
    decoded.impacts.insert(decoded.impacts.end(), block.impacts, block.impacts + block.size);
  }
  return decoded;
}

template <typename Posting>
void Encode(const std::vector<std::uint32_t>& passages, const std::vector<std::uint8_t>& impacts,
            std::string& bytes) {
  std::vector<Posting> postings;
  for (std::size_t i = 0; i < passages.size(); ++i) {
    postings.push_back(MakePosting<Posting>(passages[i], impacts[i]));
  }
  EncodePostings(std::span<const Posting>(postings), bytes);
}

TEST(PostingCodec, GivesBackWhatItWasGiven) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 700);
    const auto bits = *rc::gen::inRange(0, 22);
    std::vector<std::uint32_t> passages;
    std::vector<std::uint8_t> impacts;
    std::uint32_t at = *rc::gen::inRange<std::uint32_t>(0, 1000);
    for (std::size_t i = 0; i < count; ++i) {
      passages.push_back(at);
      impacts.push_back(static_cast<std::uint8_t>(1 + (at * 31 + i) % 255));
      at += 1 + *rc::gen::inRange<std::uint32_t>(0, (1U << bits) + 1);
    }
    std::string bytes = "before";
    Encode<WidePosting>(passages, impacts, bytes);
    std::string narrow = "before";
    if (at < kMaxNarrowPassages) Encode<NarrowPosting>(passages, impacts, narrow);
    RC_ASSERT(at >= kMaxNarrowPassages || narrow == bytes);
    const PostingListView list(std::string_view(bytes).substr(6),
                               static_cast<std::uint32_t>(count));
    const Decoded decoded = DecodeAll(list);
    RC_ASSERT(decoded.passages == passages);
    RC_ASSERT(decoded.impacts == impacts);
    for (std::size_t block = 0; block < list.block_count(); ++block) {
      const std::span<const std::uint8_t> of_block = list.impacts(block);
      RC_ASSERT(list.max_impact(block) == *std::max_element(of_block.begin(), of_block.end()));
    }
  }));
}

TEST(PostingCodec, WritesTheExampleOfTheFormatPage) {
  std::string bytes;
  Encode<NarrowPosting>({3, 5}, {80, 9}, bytes);
  EXPECT_EQ(bytes, std::string("\x50\x02\x07\x50\x09"));
}

TEST(PostingCodec, PacksEveryWidthOfGap) {
  for (unsigned bits = 0; bits < 25; ++bits) {
    std::vector<std::uint32_t> passages;
    for (std::uint32_t i = 0; i < 128; ++i) {
      const std::uint32_t gap = i == 77 ? (1U << bits) : 1;
      passages.push_back(passages.empty() ? 5 : passages.back() + gap);
    }
    const std::vector<std::uint8_t> impacts(passages.size(), 9);
    std::string bytes;
    Encode<WidePosting>(passages, impacts, bytes);
    EXPECT_EQ(DecodeAll(PostingListView(bytes, 128)).passages, passages) << bits << " bits";
  }
}

TEST(PostingCodec, StaysInsideItsBytesWhateverTheyAre) {
  std::vector<std::uint32_t> passages(300);
  std::iota(passages.begin(), passages.end(), 7);
  const std::vector<std::uint8_t> impacts(passages.size(), 3);
  std::string bytes;
  Encode<WidePosting>(passages, impacts, bytes);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    // A separate copy, so that a sanitizer detects reads past the end.
    const std::vector<char> copy(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut));
    DecodeAll(PostingListView({copy.data(), copy.size()}, 300));
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::vector<char> copy(bytes.begin(), bytes.end());
    copy[at] = static_cast<char>(copy[at] ^ 0xFF);
    DecodeAll(PostingListView({copy.data(), copy.size()}, 300));
  }
}

}  // namespace
}  // namespace sibyl::index
