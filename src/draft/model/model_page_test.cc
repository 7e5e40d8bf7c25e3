// SPDX-License-Identifier: Apache-2.0
#include "draft/model/model_page.h"

#include "base/strings.h"
#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

class ModelPageTest : public PassageTest {
 protected:
  ModelPageTest() {
    for (int i = 0; i < 30; ++i) {
      Add("docs/" + std::to_string(i) + ".md", "markdown", "Something else entirely.\n");
    }
    Add("cache.md", "markdown", "The cache holds compiled kernels.\n");
    part_ = {.number = 1, .title = "The cache", .target = "gad/01-cache.md"};
    passage_ =
        Passage("cache.md", "markdown", "The cache holds 48 KB.\nIt evicts the oldest.\n", 7);
    gathered_.sections.resize(1);
    gathered_.sections[0].title = "Sizes";
    gathered_.sections[0].points.resize(1);
    gathered_.sections[0].points[0].point = "Cache size";
    gathered_.sections[0].points[0].excerpts = {passage_};
    key_ = keys_.Issue(gathered_.sections[0].points[0].excerpts[0]);
  }

  WrittenPage Write(const std::string& answer, std::set<std::size_t> left_out = {}) {
    const std::vector<std::vector<ModelPoint>> written = {ReadModelText(answer, 1).points};
    return WriteModelPage({.plan = plan_,
                           .part = part_,
                           .searcher = searcher(),
                           .gathered = gathered_,
                           .keys = keys_,
                           .written = written},
                          {.program = "sibyl 1.0",
                           .time = Time(std::chrono::seconds{1'794'700'800}),
                           .model = "small-1",
                           .left_out = std::move(left_out)});
  }

  static bool Has(const WrittenPage& page, std::string_view line) {
    const std::vector<std::string_view> lines = SplitLines(page.draft.text);
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  }

  plan::Plan plan_;
  plan::Part part_;
  Excerpt passage_;
  Gathered gathered_;
  PassageKeys keys_{"page"};
  std::string key_;
};

TEST_F(ModelPageTest, KeysBecomeReceiptsOfTheLinesTheyName) {
  const WrittenPage page =
      Write("=== 1\nThe cache holds 48 KB. [" + key_ + ":7]\nIt evicts. [" + key_ + ":8-8]\n");
  EXPECT_NE(page.draft.text.find("The cache holds 48 KB.[^p1-1]"), std::string::npos)
      << page.draft.text;
  EXPECT_NE(page.draft.text.find("It evicts.[^p1-2]"), std::string::npos);
  EXPECT_NE(page.draft.text.find("cache.md#L7"), std::string::npos);
  EXPECT_NE(page.draft.text.find(" by small-1, prompt "), std::string::npos);
  EXPECT_EQ(CoveredCount(page.draft), 1U);
}

TEST_F(ModelPageTest, AStatementIsABlockThatCanBeLeftOut) {
  const std::string answer =
      "=== 1\nThe cache holds 48 KB. [" + key_ + "]\nIt is blue. [" + key_ + "]\n";
  const WrittenPage page = Write(answer);
  ASSERT_EQ(page.blocks.size(), 2U);
  EXPECT_EQ(page.blocks[1].key, UnitName(1));
  const std::vector<std::string_view> lines = SplitLines(page.draft.text);
  EXPECT_TRUE(lines[page.blocks[1].first_line - 1].starts_with("It is blue."));
  const WrittenPage less = Write(answer, {1});
  EXPECT_EQ(less.draft.text.find("blue"), std::string::npos);
  EXPECT_NE(less.draft.text.find("48 KB"), std::string::npos);
}

TEST_F(ModelPageTest, APointWhoseStatementsDidNotHoldIsNotCovered) {
  const WrittenPage page = Write("=== 1\nIt is blue. [" + key_ + "]\n", {0});
  EXPECT_EQ(CoveredCount(page.draft), 0U);
  EXPECT_NE(page.draft.text.find("what the model wrote about it did not pass the checks"),
            std::string::npos);
}

TEST_F(ModelPageTest, AModelThatFindsNothingLeavesThePointOpen) {
  const WrittenPage page = Write("=== 1\nNOT FOUND\n");
  EXPECT_EQ(CoveredCount(page.draft), 0U);
  EXPECT_NE(page.draft.text.find("the model found no answer in it"), std::string::npos);
}

TEST_F(ModelPageTest, AKeyThatWasNeverIssuedCitesNothing) {
  const WrittenPage page = Write("=== 1\nIt is blue. [kbcdfghjk:1-2]\n");
  EXPECT_TRUE(Has(page, "It is blue.")) << page.draft.text;
  EXPECT_EQ(page.draft.text.find("[^"), std::string::npos);
}

TEST_F(ModelPageTest, OnePlaceCitedTwiceInAStatementIsMarkedOnce) {
  const WrittenPage page =
      Write("=== 1\nThe cache holds 48 KB. [" + key_ + ":7][" + key_ + ":7-7]\n");
  EXPECT_TRUE(Has(page, "The cache holds 48 KB.[^p1-1]")) << page.draft.text;
}

TEST_F(ModelPageTest, CodeIsFencedAroundWhateverItHolds) {
  const WrittenPage page = Write("=== 1\n````sh\necho '```'\n````\n[" + key_ + "]\n");
  EXPECT_NE(page.draft.text.find("````sh\necho '```'\n````\n[^p1-1]\n"), std::string::npos)
      << page.draft.text;
}

TEST_F(ModelPageTest, ARowKeepsItsCellsAndGetsItsMarkInTheLast) {
  const WrittenPage page = Write("=== 1\n| name | meaning |\n| --- | --- |\n| a | b \\| c [" +
                                 key_ + "] |\n| d | e \\| [" + key_ + "] |\n");
  EXPECT_NE(page.draft.text.find("| a | b \\| c[^p1-1] |"), std::string::npos) << page.draft.text;
  EXPECT_NE(page.draft.text.find("| d | e \\|[^p1-1] |"), std::string::npos) << page.draft.text;
}

// Issue 26: the steps of a process became items without an order.
TEST_F(ModelPageTest, StepsAreNumbered) {
  const std::string step = "The cache holds kernels. [" + key_ + "]\n";
  const WrittenPage page = Write("=== 1\n1. " + step + "```sh\nmake\n```\n[" + key_ + "]\n2. " +
                                 step + "- " + step + "1. " + step);
  const std::string item = "The cache holds kernels.[^p1-1]\n";
  for (const std::string& list :
       {"\n1. " + item + "\n```", "\n2. " + item + "\n- " + item + "\n1. "}) {
    EXPECT_NE(page.draft.text.find(list), std::string::npos) << page.draft.text;
  }
}

TEST_F(ModelPageTest, WhatDoesNotFitIsNoBlock) {
  std::string answer = "=== 1\n";
  for (int i = 0; i < 100; ++i) answer += "\nThe cache holds kernels. [" + key_ + "]\n";
  gathered_.sections[0].line_budget = 12;
  const WrittenPage page = Write(answer);
  EXPECT_GE(page.blocks.size(), 1U);
  EXPECT_LE(page.blocks.size(), 6U);
}

TEST_F(ModelPageTest, AContradictedPointSaysSo) {
  const WrittenPage page = Write("=== 1\nCONTRADICTED\nThe cache holds 48 KB. [" + key_ + "]\n");
  EXPECT_NE(page.draft.text.find("contradicted by the sources |"), std::string::npos)
      << page.draft.text;
  EXPECT_NE(page.draft.text.find("The sources contradict this point of the plan: Cache size.\n\n"
                                 "The cache holds 48 KB."),
            std::string::npos)
      << page.draft.text;
  EXPECT_TRUE(page.draft.sections[0].points[0].is_contradicted);
}

TEST_F(ModelPageTest, WhatTheOracleKnowsIsLinkedNotWritten) {
  gathered_.sections[0].points[0].covered =
      KnownPlace{.path = "gad/00-known.md", .title = "Known", .anchor = "known"};
  const WrittenPage page = Write("=== 1\nThe cache holds 48 KB. [" + key_ + "]\n");
  EXPECT_EQ(page.draft.text.find("48 KB"), std::string::npos);
  EXPECT_NE(page.draft.text.find("known: [Known](00-known.md#known)"), std::string::npos);
}

TEST_F(ModelPageTest, TheTextOfCitedLinesIsTheirs) {
  const auto cited = keys_.Find(key_ + ":8");
  ASSERT_TRUE(cited.has_value());
  EXPECT_EQ(TextOf(*cited), "It evicts the oldest.\n");
}

TEST_F(ModelPageTest, AParaphraseIsSupportedAndAnInventionIsNot) {
  TermReader reader(searcher());
  const auto support = [&](const std::string& text) {
    const ModelUnit unit{.text = text, .info = {}, .marks = {key_}};
    return WordSupport(reader, unit, CitedBy(unit, keys_));
  };
  EXPECT_GE(support("The cache holds 48 KB and evicts the oldest."), kWordSupport);
  EXPECT_LT(support("Photosynthesis converts sunlight into chemical energy."), kWordSupport);
  EXPECT_EQ(support("It is 48."), 1) << "no word of its own: the gate judges the number";
}

// Issue 26: rows with the values of their lines were refused for their labels.
TEST_F(ModelPageTest, ARowThatHasTheValuesOfItsLinesNeedsNoOtherWords) {
  TermReader reader(searcher());
  const Excerpt lines = Passage("a.md", "markdown", "MIN_EXPONENT = -14\n8-bit, 10-bit\n", 1);
  const auto is_about = [&](const std::string& text, WrittenKind kind) {
    const ModelUnit unit{.kind = kind, .text = text, .info = {}, .marks = {}};
    return HasWordSupport(reader, unit, {{.excerpt = &lines, .first_line = 1, .last_line = 2}});
  };
  EXPECT_TRUE(is_about("| Smallest power | -14 |", WrittenKind::kRow));
  EXPECT_TRUE(is_about("| Elephants | 8 | 10 |", WrittenKind::kRow));
  EXPECT_FALSE(is_about("| Smallest power | -15 |", WrittenKind::kRow));
  EXPECT_FALSE(is_about("| Elephants | 8 |", WrittenKind::kRow)) << "one digit tells little";
  EXPECT_FALSE(is_about("Elephants have -14 tusks.", WrittenKind::kSentence));
}

TEST_F(ModelPageTest, WithoutACitationNothingSupportsAStatement) {
  TermReader reader(searcher());
  const ModelUnit unit{.text = "The cache holds kernels.", .info = {}, .marks = {}};
  EXPECT_EQ(WordSupport(reader, unit, CitedBy(unit, keys_)), 0);
}

}  // namespace
}  // namespace sibyl::draft
