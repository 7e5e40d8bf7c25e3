// SPDX-License-Identifier: Apache-2.0
#include "index/segment/segment.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/files/files.h"
#include "index/segment/checksum.h"
#include "index/segment/segment_writer.h"
#include "index/test_index.h"

namespace sibyl::index {
namespace {

MemorySource SmallSource() {
  MemorySource source;
  for (int i = 0; i < 40; ++i) {
    std::string text;
    for (int line = 0; line < 30; ++line) text += "word" + std::to_string(line * i) + " common\n";
    source.Add({.path = "f" + std::to_string(i),
                .text = text,
                .language = {},
                .passages = {},
                .blob = {}});
  }
  return source;
}

// Reads everything, as searches would.
void ReadAll(const Segment& segment) {
  PassageText text(segment);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < segment.passage_count(); ++i) {
    const PassageRecord& passage = segment.passage(i);
    bytes += text.Get(passage).size() + segment.heading(passage).size();
    if (const DocumentRecord* document = segment.document_of(i)) {
      for (const std::string_view path : segment.paths(*document)) bytes += path.size();
      bytes += segment.language(*document).size();
    }
  }
  const auto read = [&](std::string_view, const TermEntry& entry) {
    const TermPostings postings = segment.PostingsOf(entry);
    PostingBlock block;
    for (std::size_t at = 0; at < postings.list.block_count(); ++at) {
      if (postings.list.Decode(at, block)) bytes += block.impacts[block.size - 1];
    }
  };
  segment.terms().VisitPrefix("", 1'000'000, read);
  segment.terms().VisitContaining("word", read);
  segment.Find("common");
  EXPECT_GE(bytes, 0U);
}

class SegmentTest : public testing::Test {
 protected:
  void SetUp() override {
    MemorySource source = SmallSource();
    test_.Build(source);
    path_ = SegmentPath(test_.folder(), test_.Open().manifest().segments[0].id);
    bytes_ = ReadFile(path_).value();
  }

  // Aligned like a mapping.
  Result<Segment> FromCopy(std::string_view bytes) {
    copy_.assign(bytes.size() / 8 + 1, 0);
    std::memcpy(copy_.data(), bytes.data(), bytes.size());
    return Segment::FromBytes({reinterpret_cast<const char*>(copy_.data()), bytes.size()});
  }

  TestIndex test_;
  std::filesystem::path path_;
  std::string bytes_;
  std::vector<std::uint64_t> copy_;
};

TEST_F(SegmentTest, OpensAndChecks) {
  const Result<Segment> segment = Segment::Open(path_);
  ASSERT_TRUE(segment.ok());
  EXPECT_TRUE(segment->Check().ok());
  EXPECT_EQ(segment->document_count(), 40U);
  EXPECT_EQ(segment->Find("common")->passage_count, 40U);
  EXPECT_FALSE(segment->Find("absent"));
  ReadAll(*segment);
}

TEST_F(SegmentTest, IsRefusedWhereverItIsCut) {
  for (std::size_t cut = 0; cut < bytes_.size(); cut += 37) {
    EXPECT_FALSE(FromCopy(std::string_view(bytes_).substr(0, cut)).ok()) << "cut at " << cut;
  }
}

TEST_F(SegmentTest, NoticesEveryFlippedBit) {
  for (std::size_t at = 0; at < bytes_.size(); at += at < sizeof(SegmentHeader) ? 1 : 53) {
    if (at >= sizeof(SegmentHeader) && at < kHeaderBytes) continue;  // not used
    std::string broken = bytes_;
    broken[at] = static_cast<char>(broken[at] ^ 0x10);
    const Result<Segment> segment = FromCopy(broken);
    EXPECT_FALSE(segment.ok() && segment->Check().ok()) << "byte " << at;
  }
}

TEST_F(SegmentTest, IsSafeToReadWithAnyByteFlipped) {
  for (std::size_t at = kHeaderBytes; at < bytes_.size(); at += 11) {
    std::string broken = bytes_;
    broken[at] = static_cast<char>(broken[at] ^ 0xFF);
    const Result<Segment> segment = FromCopy(broken);
    if (segment.ok()) ReadAll(*segment);
  }
}

TEST_F(SegmentTest, SaysWhatAForeignFileIs) {
  const Result<Segment> text = FromCopy(std::string(8000, 'x'));
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(text.error().message, "not an index segment");
  std::string newer = bytes_;
  newer[8] = 99;
  EXPECT_EQ(FromCopy(newer).error().message, "version 99, not " + std::to_string(kSegmentVersion));
}

TEST(Checksum, IsTheCastagnoliOneEitherWay) {
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(Crc32cPortably("123456789"), 0xE3069283U);
  EXPECT_EQ(Crc32c("6789", Crc32c("12345")), 0xE3069283U);
}

}  // namespace
}  // namespace sibyl::index
