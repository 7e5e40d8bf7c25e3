// SPDX-License-Identifier: Apache-2.0
#include "audit/baseline.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sibyl::audit {
namespace {

statement::Judgement Known() {
  return {.verdict = statement::Verdict::kAbsent,
          .code = "ident/unknown",
          .text = "CUDA_ARCH",
          .place = {.file = "x/a.md", .line = 7, .column = 3, .text = "Set `CUDA_ARCH`  first."}};
}

TEST(Baseline, KnowsAFindingWhereverItsLineStands) {
  Baseline baseline;
  baseline.Add(Known(), "a.md");
  statement::Judgement moved = Known();
  moved.place.line = 90;
  moved.place.file = "../a.md";
  moved.place.text = "  Set `CUDA_ARCH` first.";
  EXPECT_EQ(baseline.left(), 1U);
  EXPECT_TRUE(baseline.Take(moved, "a.md"));
  EXPECT_FALSE(baseline.Take(moved, "a.md")) << "once for each time it was accepted";
  EXPECT_EQ(baseline.left(), 0U);
}

TEST(Baseline, DoesNotKnowAnotherFileTextOrLine) {
  Baseline baseline;
  baseline.Add(Known(), "a.md");
  statement::Judgement other = Known();
  other.place.text = "Set `CUDA_ARCH` last.";
  EXPECT_FALSE(baseline.Take(other, "a.md"));
  EXPECT_FALSE(baseline.Take(Known(), "b.md"));
  other = Known();
  other.text = "CUDA_ARCHS";
  EXPECT_FALSE(baseline.Take(other, "a.md"));
}

TEST(Baseline, IsWrittenAndReadAsTheSame) {
  Baseline baseline;
  baseline.Add(Known(), "a.md");
  baseline.Add(Known(), "a.md");
  baseline.Add(Known(), "b\nc.md");
  const std::string text = baseline.Format();
  auto read = Baseline::Parse(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->Format(), text);
  EXPECT_EQ(read->left(), 3U);
  EXPECT_TRUE(read->Take(Known(), "a.md"));
  EXPECT_TRUE(read->Take(Known(), "a.md"));
}

TEST(Baseline, RefusesWhatIsNone) {
  for (const std::string_view text :
       {"", "x", "sibyl baseline 2\n", "sibyl baseline 1\nabc 1 x\n",
        "sibyl baseline 1\n0123456789abcdef 0 x\n", "sibyl baseline 1\n0123456789abcdef x\n",
        "sibyl baseline 1\n0123456789abcdef 1 x\n0123456789abcdef 1 x\n"}) {
    EXPECT_FALSE(Baseline::Parse(text).ok()) << text;
  }
  EXPECT_TRUE(Baseline::Parse("sibyl baseline 1\n").ok());
}

TEST(Baseline, NamesTheLineThatIsWrong) {
  const auto read = Baseline::Parse("sibyl baseline 1\n\n0123456789abcdef 1 fine\nnot a line\n");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().kind, ErrorKind::kCorrupt);
  ASSERT_TRUE(read.error().place.has_value());
  EXPECT_EQ(read.error().place->line, 4U);
  EXPECT_EQ(read.error().place->text, "not a line");
  EXPECT_NE(read.error().hint.find("--write-baseline"), std::string::npos);
}

TEST(Baseline, ReadsOtherLineEnds) {
  const auto read = Baseline::Parse("sibyl baseline 1\r\n0123456789abcdef 2 a.md x\r\n");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->left(), 2U);
}

TEST(Baseline, CountsThatCannotBeAreRefused) {
  for (const char* count : {"0", "-1", "+1", "1x", "99999999999999999999999", ""}) {
    EXPECT_FALSE(
        Baseline::Parse(std::string("sibyl baseline 1\n0123456789abcdef ") + count + " x\n").ok())
        << count;
  }
}

TEST(Baseline, IsSortedByFileAndCode) {
  Baseline baseline;
  baseline.Add(Known(), "b.md");
  baseline.Add(Known(), "a.md");
  const std::string text = baseline.Format();
  EXPECT_LT(text.find("a.md ident/unknown"), text.find("b.md ident/unknown")) << text;
}

TEST(Baseline, WhatWasTakenIsNotWrittenAgain) {
  Baseline baseline;
  baseline.Add(Known(), "a.md");
  ASSERT_TRUE(baseline.Take(Known(), "a.md"));
  EXPECT_EQ(baseline.Format(), Baseline().Format());
}

TEST(Baseline, AccountsForHostileNamesAndTexts) {
  statement::Judgement judgement = Known();
  judgement.text = "line\nbreak \xFF\x01 and a very long text " + std::string(10'000, 'x');
  Baseline baseline;
  baseline.Add(judgement, "a\r\nb\x02.md");
  const std::string text = baseline.Format();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << "one line for each finding";
  auto read = Baseline::Parse(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(read->Take(judgement, "a\r\nb\x02.md"));
}

TEST(Fingerprint, DependsOnCodeFileTextAndTheWordsOfTheLine) {
  const std::string known = Fingerprint(Known(), "a.md");
  EXPECT_EQ(known.size(), 16U);
  EXPECT_EQ(known.find_first_not_of("0123456789abcdef"), std::string::npos);
  statement::Judgement other = Known();
  other.code = "number/ungrounded";
  EXPECT_NE(Fingerprint(other, "a.md"), known);
  EXPECT_NE(Fingerprint(Known(), "b.md"), known);
  other = Known();
  other.message = "another sentence";
  other.verdict = statement::Verdict::kContradicted;
  other.place.column = 90;
  EXPECT_EQ(Fingerprint(other, "a.md"), known) << "not on what is said of it";
}

TEST(Fingerprint, OfALongLineIsThatOfItsKey) {
  statement::Judgement judgement = Known();
  const std::string line = "Set `CUDA_ARCH`  first. " + std::string(100'000, 'x');
  judgement.place.text = line;
  const std::string whole = Fingerprint(judgement, "a.md");
  judgement.place.text = "Set `CUDA_ARCH`";
  judgement.long_line = std::make_shared<const std::string>(LineKey(line));
  EXPECT_EQ(Fingerprint(judgement, "a.md"), whole);
}

TEST(LineKey, IsTheWordsWhateverTheSpacesBetweenThem) {
  EXPECT_EQ(LineKey("  a \t b\r\n"), LineKey("a b"));
  EXPECT_NE(LineKey("a b"), LineKey("ab"));
  EXPECT_LE(LineKey(std::string(1'000'000, 'x')).size(), 64U);
}

TEST(Baseline, AnyFindingsAreReadBackTheSame) {
  EXPECT_TRUE(rc::check([](const std::vector<std::pair<std::string, std::string>>& findings) {
    Baseline baseline;
    for (const auto& [path, text] : findings) {
      statement::Judgement judgement = Known();
      judgement.text = text;
      baseline.Add(judgement, path);
    }
    auto read = Baseline::Parse(baseline.Format());
    RC_ASSERT(read.ok());
    RC_ASSERT(read->left() == findings.size());
    RC_ASSERT(read->Format() == baseline.Format());
  }));
}

}  // namespace
}  // namespace sibyl::audit
