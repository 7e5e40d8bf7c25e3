// SPDX-License-Identifier: Apache-2.0
#include "evidence/citation.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace sibyl::evidence {
namespace {

constexpr std::string_view kFull =
    "swh:1:cnt:94954abda49de8615a048f8d2e64b5de848e27a1;origin=https://github.com/owner/repo;"
    "anchor=swh:1:rev:03676b051d5a1302c8b17bb6b3325ee38acab914;path=/src/warp.c;lines=40-52";

SourceCitation Source(std::string_view text) {
  Result<Citation> citation = ParseCitation(text);
  EXPECT_TRUE(citation.ok()) << citation.error().message;
  return std::get<SourceCitation>(*citation);
}

std::string Complaint(std::string_view text) {
  const Result<Citation> citation = ParseCitation(text);
  return citation.ok() ? "" : citation.error().message;
}

TEST(CitationParse, ReadsEveryQualifierOfASourceCitation) {
  const SourceCitation citation = Source(kFull);
  EXPECT_EQ(citation.blob.Hex(), "94954abda49de8615a048f8d2e64b5de848e27a1");
  EXPECT_EQ(citation.origin, "https://github.com/owner/repo");
  EXPECT_EQ(citation.anchor, SourceCitation::Anchor::kCommit);
  EXPECT_EQ(citation.anchor_id.Hex(), "03676b051d5a1302c8b17bb6b3325ee38acab914");
  EXPECT_EQ(citation.path, "src/warp.c");
  EXPECT_EQ(citation.lines, (LineRange{40, 52}));
  EXPECT_EQ(FormatCitation(citation), kFull);
}

TEST(CitationParse, TakesQualifiersInAnyOrderAndWritesThemInOne) {
  const SourceCitation citation = Source(
      "swh:1:cnt:94954abda49de8615a048f8d2e64b5de848e27a1;lines=40-52;path=/src/warp.c;"
      "anchor=swh:1:rev:03676b051d5a1302c8b17bb6b3325ee38acab914;"
      "origin=https://github.com/owner/repo");
  EXPECT_EQ(FormatCitation(citation), kFull);
}

TEST(CitationParse, ReadsTheAbsenceOfAWord) {
  const std::string text =
      "absent:swh:1:rev:03676b051d5a1302c8b17bb6b3325ee38acab914;origin=https://github.com/o/r;"
      "word=USE_CUPTI";
  const Result<Citation> citation = ParseCitation(text);
  ASSERT_TRUE(citation.ok()) << citation.error().message;
  const auto& absent = std::get<AbsentCitation>(*citation);
  EXPECT_EQ(absent.word, "USE_CUPTI");
  EXPECT_EQ(absent.anchor, SourceCitation::Anchor::kCommit);
  EXPECT_EQ(FormatCitation(*citation), text);
  AbsentCitation odd = absent;
  odd.word = "a;b%<>\"--x";
  odd.anchor = SourceCitation::Anchor::kTree;
  EXPECT_EQ(*ParseCitation(FormatCitation(odd)), Citation(odd));
  const std::string core = "absent:swh:1:rev:03676b051d5a1302c8b17bb6b3325ee38acab914";
  EXPECT_NE(Complaint(core + ";word=a").find("needs origin"), std::string::npos);
  EXPECT_NE(Complaint(core + ";origin=o").find("needs word"), std::string::npos);
  EXPECT_NE(Complaint(core + ";origin=o;word=a%20b").find("needs word"), std::string::npos);
  EXPECT_NE(Complaint(core + ";origin=o;word=--").find("needs word"), std::string::npos);
  EXPECT_NE(Complaint(core + ";origin=o;word=a;path=/b").find("unknown"), std::string::npos);
  EXPECT_NE(Complaint("absent:swh:1:cnt:03676b051d5a1302c8b17bb6b3325ee38acab914;origin=o;word=a")
                .find("neither"),
            std::string::npos);
}

TEST(CitationParse, WritesOneLineAsOneNumber) {
  const SourceCitation citation =
      Source("swh:1:cnt:94954abda49de8615a048f8d2e64b5de848e27a1;lines=7-7");
  EXPECT_EQ(FormatCitation(citation), "swh:1:cnt:94954abda49de8615a048f8d2e64b5de848e27a1;lines=7");
}

TEST(CitationParse, RefusesWhatTheGrammarForbidsWithAWord) {
  const std::string cnt = "swh:1:cnt:94954abda49de8615a048f8d2e64b5de848e27a1";
  EXPECT_NE(Complaint("").find("is not a citation"), std::string::npos);
  EXPECT_NE(Complaint("swh:1:cnt:94954ABDA49de8615a048f8d2e64b5de848e27a1").find("40 lower-case"),
            std::string::npos);
  EXPECT_NE(Complaint(cnt + ";lines=0-3").find("not a range"), std::string::npos);
  EXPECT_NE(Complaint(cnt + ";lines=9-3").find("not a range"), std::string::npos);
  EXPECT_NE(Complaint(cnt + ";lines=L1-L3").find("not a range"), std::string::npos);
  EXPECT_NE(Complaint(cnt + ";path=src").find("start with /"), std::string::npos);
  EXPECT_NE(Complaint(cnt + ";path=/a%2").find("percent-encoding"), std::string::npos);
  EXPECT_NE(Complaint(cnt + ";path=/a;path=/b").find("twice"), std::string::npos);
  EXPECT_NE(Complaint(cnt + ";colour=red").find("unknown qualifier"), std::string::npos);
  EXPECT_NE(Complaint(cnt + ";bytes=1-2").find("bytes= needs lines="), std::string::npos);
  EXPECT_NE(Complaint(cnt + ";lines=1;bytes=2-1").find("is not a range"), std::string::npos);
  EXPECT_NE(Complaint(cnt + ";lines=1;bytes=").find("is not a range"), std::string::npos);
  EXPECT_NE(Complaint(cnt + ";anchor=swh:1:rev:03676b051d5a1302c8b17bb6b3325ee38acab914")
                .find("needs a path"),
            std::string::npos);
  EXPECT_NE(Complaint(cnt + " ;lines=1").find("space"), std::string::npos);
  EXPECT_NE(Complaint(std::string(kMaxCitationBytes + 1, 'a')).find("longer"), std::string::npos);
}

TEST(CitationParse, KeepsPathsThatNobodyShouldHaveMade) {
  SourceCitation citation = Source(kFull);
  citation.path = "a;b%c\n-->\xff é";
  const std::string text = FormatCitation(citation);
  EXPECT_EQ(text.find("-->"), std::string::npos);
  EXPECT_EQ(Source(text), citation);
}

TEST(CitationParse, ReadsPagesFactsAndLabRuns) {
  const std::string digest(64, 'a');
  for (const std::string& text :
       {"web:sha256:" + digest +
            ";url=https://example.org/p?a=1%3B2;accessed=2026-11-15T10:02:11Z;chars=120-480",
        "web:sha256:" + digest + ";url=https://example.org/",
        "fact:sha256:" + digest + ";inspector=elf;key=version",
        std::string("lab:20261115-gemm-4f2a;metric=gflops")}) {
    const Result<Citation> citation = ParseCitation(text);
    ASSERT_TRUE(citation.ok()) << text << ": " << citation.error().message;
    EXPECT_EQ(FormatCitation(*citation), text);
  }
  EXPECT_NE(Complaint("web:sha256:" + digest), "");
  EXPECT_NE(Complaint("web:sha256:" + digest + ";url=x;chars=5-5"), "");
  EXPECT_NE(Complaint("web:sha256:" + digest + ";url=x;accessed=yesterday"), "");
  EXPECT_NE(Complaint("fact:sha256:12;inspector=elf;key=version"), "");
  EXPECT_NE(Complaint("fact:sha256:" + digest + ";inspector=elf"), "");
  EXPECT_NE(Complaint("lab:;metric=x"), "");
}

TEST(CitationParse, IsTheInverseOfFormat) {
  EXPECT_TRUE(rc::check("parse(format(c)) == c", [] {
    SourceCitation citation;
    citation.blob.bytes = *rc::gen::arbitrary<std::array<std::uint8_t, 20>>();
    citation.origin = *rc::gen::arbitrary<std::string>();
    citation.path = *rc::gen::arbitrary<std::string>();
    if (!citation.path.empty() && *rc::gen::arbitrary<bool>()) {
      citation.anchor = SourceCitation::Anchor::kTree;
      citation.anchor_id.bytes = *rc::gen::arbitrary<std::array<std::uint8_t, 20>>();
    }
    const auto first = *rc::gen::inRange<std::size_t>(0, 1000);
    if (first > 0) citation.lines = {first, first + *rc::gen::inRange<std::size_t>(0, 50)};
    if (first > 0 && *rc::gen::arbitrary<bool>()) {
      const auto byte = *rc::gen::inRange<std::size_t>(0, 1000);
      citation.words = {byte, byte + *rc::gen::inRange<std::size_t>(0, 50)};
    }
    const Result<Citation> back = ParseCitation(FormatCitation(citation));
    RC_ASSERT(back.ok());
    RC_ASSERT(std::get<SourceCitation>(*back) == citation);
  }));
}

TEST(LineRangeParse, UnderstandsTheFormsPeopleWrite) {
  EXPECT_EQ(ParseLineRange("10-20"), (LineRange{10, 20}));
  EXPECT_EQ(ParseLineRange("L10-L20"), (LineRange{10, 20}));
  EXPECT_EQ(ParseLineRange("L10-20"), (LineRange{10, 20}));
  EXPECT_EQ(ParseLineRange("7"), (LineRange{7, 7}));
  for (const std::string_view bad : {"", "-", "0", "3-", "-3", "9-3", "1-2-3", "x", "01", "1 "}) {
    EXPECT_FALSE(ParseLineRange(bad)) << bad;
  }
}

}  // namespace
}  // namespace sibyl::evidence
