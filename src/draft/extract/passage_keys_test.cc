// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/passage_keys.h"

#include "draft/receipts.h"
#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

class KeysTest : public PassageTest {
 protected:
  const Excerpt passage_ = Passage("docs/a.md", "markdown", "one\ntwo\nthree\nfour\n", 10);
  const Excerpt other_ = Passage("docs/b.md", "markdown", "five\n");
  PassageKeys keys_{"page 1"};
};

TEST_F(KeysTest, APassageHasOneKeyAndTheSameInEveryRun) {
  const std::string key = keys_.Issue(passage_);
  EXPECT_EQ(keys_.Issue(passage_), key);
  EXPECT_EQ(PassageKeys("page 1").Issue(passage_), key);
  EXPECT_NE(PassageKeys("page 2").Issue(passage_), key);
  EXPECT_NE(keys_.Issue(other_), key);
  EXPECT_TRUE(PassageKeys::LooksLikeKey(key));
}

TEST_F(KeysTest, AKeyMeansTheWholePassage) {
  const auto cited = keys_.Find(keys_.Issue(passage_));
  ASSERT_TRUE(cited.has_value());
  EXPECT_EQ(cited->excerpt, &passage_);
  EXPECT_EQ(cited->first_line, 10U);
  EXPECT_EQ(cited->last_line, 13U);
}

TEST_F(KeysTest, LinesAreCutToThoseOfThePassage) {
  const std::string key = keys_.Issue(passage_);
  struct Case {
    const char* lines;
    std::uint32_t first;
    std::uint32_t last;
  };
  for (const Case& each : {Case{":11", 11, 11}, Case{":11-12", 11, 12}, Case{":1-11", 10, 11},
                           Case{":12-900", 12, 13}, Case{":12-99999999999", 12, 13}}) {
    const auto cited = keys_.Find(key + each.lines);
    ASSERT_TRUE(cited.has_value()) << each.lines;
    EXPECT_EQ(cited->first_line, each.first) << each.lines;
    EXPECT_EQ(cited->last_line, each.last) << each.lines;
  }
}

TEST_F(KeysTest, WordsAreThoseInQuotationMarks) {
  const auto cited = keys_.Find(keys_.Issue(passage_) + ":11-12 \"the cache: 4\"");
  ASSERT_TRUE(cited.has_value());
  EXPECT_EQ(cited->first_line, 11U);
  EXPECT_EQ(cited->last_line, 12U);
  EXPECT_EQ(cited->words, "the cache: 4");
}

TEST_F(KeysTest, LinesThatMakeNoSenseMeanAllOfIt) {
  const std::string key = keys_.Issue(passage_);
  for (const char* lines :
       {":", ":-", ":12-", ":-12", ":13-11", ":90-95", ":99999999999", ":1:2"}) {
    const auto cited = keys_.Find(key + lines);
    ASSERT_TRUE(cited.has_value()) << lines;
    EXPECT_EQ(cited->first_line, 10U) << lines;
    EXPECT_EQ(cited->last_line, 13U) << lines;
  }
}

TEST_F(KeysTest, WhatWasNeverIssuedMeansNothing) {
  const std::string key = PassageKeys("page 1").Issue(other_);
  EXPECT_TRUE(PassageKeys::LooksLikeKey(key));
  EXPECT_FALSE(keys_.Find(key).has_value());
  EXPECT_FALSE(keys_.Find("").has_value());
  EXPECT_FALSE(keys_.Find(":3").has_value());
}

TEST(Keys, LookLikeNothingElse) {
  EXPECT_TRUE(PassageKeys::LooksLikeKey("kbcdfghjk"));
  EXPECT_TRUE(PassageKeys::LooksLikeKey("kbcdfghjk:3-5"));
  for (const char* other : {"", "k", "kbcdfghj", "kbcdfghjkl", "abcdfghjk", "kaeiouaei",
                            "Kbcdfghjk", "kbcdfghjk:x", "1.2.3", "deadbeef0"}) {
    EXPECT_FALSE(PassageKeys::LooksLikeKey(other)) << other;
  }
}

class ReceiptsTest : public KeysTest {
 protected:
  Receipts receipts_{"p3"};
};

TEST_F(ReceiptsTest, APlaceHasOneNumberHoweverOftenItIsCited) {
  EXPECT_EQ(receipts_.Mark(passage_, 10, 11), "[^p3-1]");
  EXPECT_EQ(receipts_.Mark(other_, 1, 1), "[^p3-2]");
  EXPECT_EQ(receipts_.Mark(passage_, 10, 11), "[^p3-1]");
  EXPECT_EQ(receipts_.Mark(passage_, 10, 12), "[^p3-3]") << "other lines are another place";
  EXPECT_EQ(receipts_.size(), 3U);
}

TEST_F(ReceiptsTest, DefinitionsCiteTheCommitInTheOrderOfTheMarks) {
  receipts_.Mark(other_, 1, 1);
  receipts_.Mark(passage_, 10, 11);
  const std::vector<std::string> lines = receipts_.Definitions();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with("[^p3-1]: gadget ")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("[^p3-2]: gadget ")) << lines[1];
  const auto footnote = evidence::ParseFootnote(lines[1]);
  ASSERT_TRUE(footnote.ok()) << lines[1];
  const auto* citation = std::get_if<evidence::SourceCitation>(&footnote->citation);
  ASSERT_NE(citation, nullptr);
  EXPECT_EQ(citation->path, "docs/a.md");
  EXPECT_EQ(citation->lines, (sibyl::LineRange{10, 11}));
  EXPECT_EQ(citation->anchor, evidence::SourceCitation::Anchor::kCommit);
  EXPECT_EQ(citation->anchor_id, index::BlobOf(77));
}

TEST_F(ReceiptsTest, SourcesAreCountedByTheirCitations) {
  EXPECT_TRUE(receipts_.Sources().empty());
  receipts_.Mark(passage_, 10, 11);
  receipts_.Mark(passage_, 10, 11);
  receipts_.Mark(other_, 1, 1);
  const std::vector<UsedSource> sources = receipts_.Sources();
  ASSERT_EQ(sources.size(), 1U);
  EXPECT_EQ(sources[0].name, "gadget");
  EXPECT_EQ(sources[0].origin, "https://example.org/gadget");
  EXPECT_EQ(sources[0].citations, 2U);
}

}  // namespace
}  // namespace sibyl::draft
