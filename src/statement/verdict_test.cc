// SPDX-License-Identifier: Apache-2.0
#include "statement/verdict.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/line_excerpt.h"
#include "base/utf8.h"
#include "statement/judgement_finding.h"

namespace sibyl::statement {
namespace {

constexpr Verdict kAllVerdicts[] = {Verdict::kSupported, Verdict::kContradicted, Verdict::kAbsent,
                                    Verdict::kStale, Verdict::kUndecidable};

TEST(Verdict, HasAName) {
  std::vector<std::string> names;
  for (const Verdict verdict : kAllVerdicts) names.emplace_back(VerdictName(verdict));
  EXPECT_EQ(names, (std::vector<std::string>{"supported", "contradicted", "absent", "stale",
                                             "undecidable"}));
}

TEST(Verdict, OnlyWhatIsKnownToBeWrongFails) {
  for (const Verdict verdict : kAllVerdicts) {
    const bool fails = verdict == Verdict::kContradicted || verdict == Verdict::kAbsent ||
                       verdict == Verdict::kStale;
    EXPECT_EQ(Judgement{.verdict = verdict}.Fails(), fails) << VerdictName(verdict);
  }
}

TEST(Verdict, NothingIsSupportedByDefault) {
  EXPECT_EQ(Judgement{}.verdict, Verdict::kUndecidable);
  const Judgement judgement = Undecidable("no source has it");
  EXPECT_EQ(judgement.verdict, Verdict::kUndecidable);
  EXPECT_EQ(judgement.reason, "no source has it");
  EXPECT_FALSE(judgement.message.empty());
}

TEST(VerdictCounts, CountEachVerdictAndAddUp) {
  std::vector<Judgement> judgements;
  for (std::size_t i = 0; i < 5; ++i) {
    judgements.insert(judgements.end(), i + 1, Judgement{.verdict = kAllVerdicts[i]});
  }
  VerdictCounts counts = CountVerdicts(judgements);
  EXPECT_EQ(counts.supported, 1U);
  EXPECT_EQ(counts.contradicted, 2U);
  EXPECT_EQ(counts.absent, 3U);
  EXPECT_EQ(counts.stale, 4U);
  EXPECT_EQ(counts.undecidable, 5U);
  counts += CountVerdicts(judgements);
  EXPECT_EQ(counts.stale, 8U);
  EXPECT_EQ(CountVerdicts({}).supported, 0U);
}

TEST(Excerpt, IsTheBeginningOfTheFirstLine) {
  EXPECT_EQ(Excerpt("  one two \nthree"), "one two");
  EXPECT_EQ(Excerpt("one\r\ntwo"), "one") << "without its end";
  EXPECT_EQ(Excerpt(""), "");
  EXPECT_EQ(Excerpt(" \n "), "");
  EXPECT_EQ(Excerpt(std::string(80, 'a')), std::string(80, 'a'));
  EXPECT_EQ(Excerpt(std::string(81, 'a')), std::string(80, 'a') + "…");
}

TEST(Excerpt, IsNeverCutInsideACharacter) {
  EXPECT_EQ(Excerpt(std::string(79, 'a') + "üb"), std::string(79, 'a') + "…");
  EXPECT_EQ(Excerpt(std::string(77, 'a') + "üb"), std::string(77, 'a') + "üb");
}

TEST(Excerpt, OfValidUtf8IsValidUtf8OfOneLine) {
  EXPECT_TRUE(rc::check([] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("a", "ü", "队", "🚀", " ", "\n", "\r\n", "…"));
    std::string text;
    for (int i = 0; i < 10; ++i) {
      for (const std::string& piece : pieces) text += piece;
    }
    const std::string excerpt = Excerpt(text);
    RC_ASSERT(!FindInvalidUtf8(excerpt).has_value());
    RC_ASSERT(excerpt.find_first_of("\r\n") == std::string::npos);
    RC_ASSERT(excerpt.size() <= 83U);
  }));
}

Judgement WholeJudgement(Verdict verdict) {
  return {.verdict = verdict,
          .code = "ident/unknown",
          .kind = "identifier",
          .text = "cudaMallocAsnyc",
          .message = "it is nowhere",
          .nearest = "cudaMallocAsync",
          .where = "toolkit@0123abc cuda.h:7",
          .reason = "the header is pinned",
          .place = {.file = "a.md", .line = 3, .column = 5, .text = "the line"}};
}

std::string DetailOf(const Finding& finding, std::string_view name) {
  for (const FindingDetail& detail : finding.details) {
    if (detail.name == name) return detail.value;
  }
  return "none";
}

TEST(FindingOf, WhatFailsIsAnErrorAndTheRestANote) {
  for (const Verdict verdict : kAllVerdicts) {
    const Judgement judgement = WholeJudgement(verdict);
    const Finding finding = FindingOf(judgement, Reasons::kLeftOut);
    EXPECT_EQ(finding.severity, judgement.Fails() ? Severity::kError : Severity::kNote);
    EXPECT_EQ(DetailOf(finding, "verdict"), VerdictName(verdict));
  }
}

TEST(FindingOf, CarriesEverythingThatWasJudged) {
  const Finding finding = FindingOf(WholeJudgement(Verdict::kAbsent), Reasons::kLeftOut);
  EXPECT_EQ(finding.code, "ident/unknown");
  EXPECT_EQ(finding.message, "it is nowhere");
  EXPECT_EQ(finding.place.file, "a.md");
  EXPECT_EQ(finding.place.line, 3U);
  EXPECT_EQ(finding.place.text, "the line");
  EXPECT_EQ(DetailOf(finding, "kind"), "identifier");
  EXPECT_EQ(DetailOf(finding, "text"), "cudaMallocAsnyc");
  EXPECT_EQ(DetailOf(finding, "nearest"), "cudaMallocAsync");
  EXPECT_EQ(DetailOf(finding, "where"), "toolkit@0123abc cuda.h:7");
}

TEST(FindingOf, HintsAtTheNearestTruthAndWhereItIs) {
  Judgement judgement = WholeJudgement(Verdict::kAbsent);
  EXPECT_EQ(FindingOf(judgement, Reasons::kLeftOut).hint,
            "nearest: cudaMallocAsync, toolkit@0123abc cuda.h:7");
  judgement.where.clear();
  EXPECT_EQ(FindingOf(judgement, Reasons::kLeftOut).hint, "nearest: cudaMallocAsync");
  judgement = WholeJudgement(Verdict::kSupported);
  judgement.nearest.clear();
  EXPECT_EQ(FindingOf(judgement, Reasons::kLeftOut).hint, "toolkit@0123abc cuda.h:7");
  judgement.where.clear();
  EXPECT_EQ(FindingOf(judgement, Reasons::kLeftOut).hint, "");
}

TEST(FindingOf, SaysHowItWasDecidedOnlyWhenAsked) {
  const Judgement judgement = WholeJudgement(Verdict::kAbsent);
  EXPECT_EQ(DetailOf(FindingOf(judgement, Reasons::kLeftOut), "reason"), "none");
  const Finding explained = FindingOf(judgement, Reasons::kGiven);
  EXPECT_EQ(DetailOf(explained, "reason"), "the header is pinned");
  EXPECT_TRUE(explained.hint.ends_with("; reason: the header is pinned")) << explained.hint;
}

TEST(FindingOf, CountsTheColumnInCharactersWhereItDiffers) {
  Judgement judgement = WholeJudgement(Verdict::kAbsent);
  EXPECT_EQ(DetailOf(FindingOf(judgement, Reasons::kLeftOut), kCharacterColumn), "none");
  judgement.character_column = 4;
  EXPECT_EQ(DetailOf(FindingOf(judgement, Reasons::kLeftOut), kCharacterColumn), "4");
}

}  // namespace
}  // namespace sibyl::statement
