// SPDX-License-Identifier: Apache-2.0
#include "draft/page_frame.h"

#include "base/strings.h"
#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

const Time kFrameTime{std::chrono::seconds{1'794'700'800}};  // 2026-11-15

class FrameTest : public PassageTest {
 protected:
  FrameTest() {
    part_ = {.number = 3, .title = "The cache", .target = "gad/03-cache.md"};
    section_.title = "Sizes";
  }

  PageFrame Frame() { return {plan_, part_, {.program = "sibyl 1.0", .time = kFrameTime}}; }

  static GatheredPoint Point(std::string words) {
    GatheredPoint point;
    point.point = std::move(words);
    return point;
  }

  /// A page of one section with one covered point.
  WrittenPage Small(PageFrame& frame) {
    frame.BeginSection(section_, Making::kExtracted);
    frame.BeginPoint(Point("Cache size"), Reading::kExplains);
    const Excerpt passage = Passage("cache.md", "markdown", "It holds 48 KB.\n", 3);
    frame.Line("> It holds 48 KB." + frame.receipts().Mark(passage, 3, 3));
    frame.Line("");
    frame.EndSection();
    return frame.Finish();
  }

  plan::Plan plan_;
  plan::Part part_;
  GatheredSection section_;
};

std::vector<std::string> LinesOf(const WrittenPage& page) {
  std::vector<std::string> lines;
  for (const std::string_view line : SplitLines(page.draft.text)) lines.emplace_back(line);
  return lines;
}

bool HasLine(const WrittenPage& page, std::string_view line) {
  const std::vector<std::string> lines = LinesOf(page);
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

TEST_F(FrameTest, APageHasTitleStampTableSectionAndSources) {
  PageFrame frame = Frame();
  const WrittenPage page = Small(frame);
  const std::vector<std::string> lines = LinesOf(page);
  EXPECT_EQ(lines[0], "# The cache");
  EXPECT_TRUE(lines[2].starts_with("> sibyl 1.0 · 2026-11-15 · gadget@")) << lines[2];
  EXPECT_TRUE(
      lines[2].ends_with("1 of 1 citations hold · 1 of 1 points covered · "
                         "section 1 extracted"))
      << lines[2];
  EXPECT_TRUE(HasLine(page, "| Cache size | [1.1](#11-cache-size) |"));
  EXPECT_TRUE(HasLine(page, "## 1. Sizes"));
  EXPECT_TRUE(HasLine(page, "### 1.1 Cache size"));
  EXPECT_TRUE(HasLine(page, "> It holds 48 KB.[^p3-1]"));
  EXPECT_TRUE(HasLine(page, "## Sources"));
  EXPECT_FALSE(HasLine(page, "## Not found"));
  EXPECT_EQ(page.draft.path, "gad/03-cache.md");
  ASSERT_EQ(page.draft.sources.size(), 1U);
  EXPECT_FALSE(page.draft.text.ends_with("\n\n"));
}

TEST_F(FrameTest, APointThatWasNotFoundIsListedWithItsNearestMiss) {
  PageFrame frame = Frame();
  frame.BeginSection(section_, Making::kExtracted);
  GatheredPoint near = Point("Espresso *pressure*");
  near.nearest = Passage("cache.md", "markdown", "It holds 48 KB.\n", 3);
  near.missing = {"Espresso", "pressure"};
  frame.Miss(near);
  frame.Miss(Point("Coffee"));
  frame.EndSection();
  const WrittenPage page = frame.Finish();
  EXPECT_TRUE(HasLine(page, "See [Not found](#not-found)."));
  EXPECT_TRUE(HasLine(page, "## Not found"));
  EXPECT_TRUE(HasLine(page,
                      "- *Espresso \\*pressure\\**: nearest: gadget cache.md:3, which does not "
                      "mention \"Espresso\", \"pressure\"."));
  EXPECT_TRUE(HasLine(page, "- *Coffee*: no passage comes near it."));
  EXPECT_TRUE(HasLine(page, "| Coffee | not found, see the end |"));
  EXPECT_FALSE(HasLine(page, "## Sources")) << "nothing is cited";
  EXPECT_EQ(CoveredCount(page.draft), 0U);
  EXPECT_EQ(PointCount(page.draft), 2U);
}

TEST_F(FrameTest, AMissMayHaveAReasonOfTheWriter) {
  PageFrame frame = Frame();
  frame.BeginSection(section_, Making::kModelWritten);
  GatheredPoint point = Point("Coffee");
  point.excerpts = {Passage("a.md", "markdown", "x\ny\n", 3)};
  frame.Miss(point, "the model found no answer in it");
  EXPECT_EQ(frame.Finish().draft.sections[0].points[0].nearest,
            "nearest: gadget a.md:3-4; the model found no answer in it");
}

TEST_F(FrameTest, WhatTheOracleKnowsIsLinked) {
  PageFrame frame = Frame();
  frame.BeginSection(section_, Making::kExtracted);
  GatheredPoint point = Point("Loading");
  point.covered = KnownPlace{.path = "cuda/01-load.md", .title = "Loading_it", .anchor = "11-load"};
  frame.LinkKnown(point);
  frame.EndSection();
  const WrittenPage page = frame.Finish();
  EXPECT_TRUE(HasLine(page, "| Loading | known: [Loading\\_it](../cuda/01-load.md#11-load) |"));
  EXPECT_EQ(CoveredCount(page.draft), 1U);
}

TEST_F(FrameTest, PointsAreNumberedWithinTheirSection) {
  PageFrame frame = Frame();
  for (const char* title : {"Sizes", "Limits"}) {
    section_.title = title;
    frame.BeginSection(section_, Making::kExtracted);
    frame.BeginPoint(Point("One"), Reading::kExplains);
    frame.BeginPoint(Point("Two"), Reading::kExplains);
    frame.EndSection();
  }
  const WrittenPage page = frame.Finish();
  for (const char* line : {"### 1.1 One", "### 1.2 Two", "### 2.1 One", "### 2.2 Two"}) {
    EXPECT_TRUE(HasLine(page, line)) << line;
  }
  EXPECT_EQ(page.draft.sections[1].points[1].where, "2.2");
}

TEST_F(FrameTest, TheReadingOrderNeedsTwoKinds) {
  PageFrame one = Frame();
  EXPECT_EQ(Small(one).draft.text.find("Reading order"), std::string::npos);
  PageFrame frame = Frame();
  frame.BeginSection(section_, Making::kExtracted);
  frame.BeginPoint(Point("Options"), Reading::kLists);
  frame.BeginPoint(Point("Code"), Reading::kShowsCode);
  frame.BeginPoint(Point("Why"), Reading::kExplains);
  EXPECT_TRUE(HasLine(frame.Finish(),
                      "Reading order: to understand, [1.3](#13-why); to see it in code, "
                      "[1.2](#12-code); to look up, [1.1](#11-options)."));
}

TEST_F(FrameTest, TheBestThreeLinesOpenThePage) {
  PageFrame frame = Frame();
  frame.Summarise(0.2, "> worst");
  frame.Summarise(0.9, "> best");
  frame.Summarise(0.5, "> second");
  frame.Summarise(0.5, "> third");
  const WrittenPage page = frame.Finish();
  const std::string& text = page.draft.text;
  EXPECT_NE(text.find("**In short.**\n\n> best\n>\n> second\n>\n> third\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("worst"), std::string::npos);
}

TEST_F(FrameTest, BlocksKnowTheirLinesOnThePage) {
  PageFrame frame = Frame();
  frame.Summarise(1, "> moves everything down");
  frame.BeginSection(section_, Making::kExtracted);
  frame.BeginPoint(Point("One"), Reading::kExplains);
  frame.BeginBlock("a");
  frame.Line("first of a");
  frame.Line("last of a");
  frame.EndBlock();
  frame.BeginBlock("b");
  frame.Line("all of b");
  frame.EndBlock();
  const WrittenPage page = frame.Finish();
  const std::vector<std::string> lines = LinesOf(page);
  ASSERT_EQ(page.blocks.size(), 2U);
  EXPECT_EQ(page.blocks[0].key, "a");
  EXPECT_EQ(lines[page.blocks[0].first_line - 1], "first of a");
  EXPECT_EQ(lines[page.blocks[0].last_line - 1], "last of a");
  EXPECT_EQ(lines[page.blocks[1].first_line - 1], "all of b");
  EXPECT_EQ(page.blocks[1].first_line, page.blocks[1].last_line);
}

TEST_F(FrameTest, ABudgetIsSharedAndLeavesRoomForTheFrame) {
  Gathered gathered;
  gathered.sections.resize(2);
  for (GatheredSection& section : gathered.sections) {
    section.points.resize(2);
    section.line_budget = 100;
  }
  EXPECT_EQ(Frame().Budget(gathered, gathered.sections[0]), 100U) << "the part has no budget";
  part_.line_budget = 1'000;
  EXPECT_EQ(Frame().Budget(gathered, gathered.sections[0]), 100U) << "never more than asked for";
  part_.line_budget = 128;
  EXPECT_EQ(Frame().Budget(gathered, gathered.sections[0]), 50U);
  part_.line_budget = 10;
  EXPECT_EQ(Frame().Budget(gathered, gathered.sections[0]), 0U);
}

TEST_F(FrameTest, MarksInTitlesAndPointsAreShownAsTheyAre) {
  part_.title = "Use of <b> and a_b";
  section_.title = "A | B";
  PageFrame frame = Frame();
  frame.BeginSection(section_, Making::kExtracted);
  frame.BeginPoint(Point("x | y"), Reading::kExplains);
  const WrittenPage page = frame.Finish();
  EXPECT_EQ(LinesOf(page)[0], "# Use of \\<b\\> and a\\_b");
  EXPECT_TRUE(HasLine(page, "## 1. A \\| B"));
  EXPECT_NE(page.draft.text.find("| x \\| y | [1.1](#"), std::string::npos);
}

TEST(Lines, AreOneOrARange) {
  EXPECT_EQ(ShownLineRange(12, 12), "12");
  EXPECT_EQ(ShownLineRange(12, 15), "12-15");
}

Draft DraftOfMakings(const std::vector<Making>& makings) {
  Draft draft;
  for (const Making making : makings) {
    draft.sections.push_back({.title = "s", .making = making, .line_budget = {}, .points = {}});
  }
  return draft;
}

std::string MakingsIn(const std::vector<Making>& makings, std::string_view note) {
  const std::string program = "sibyl";
  const std::string stamp = StampOf(DraftOfMakings(makings),
                                    {.program = program, .time = kFrameTime, .making_note = note});
  return stamp.substr(stamp.rfind("· ") + 3);
}

TEST(Stamp, SaysHowEachSectionWasMade) {
  EXPECT_EQ(MakingsIn({Making::kExtracted}, {}), "section 1 extracted");
  EXPECT_EQ(MakingsIn({Making::kExtracted, Making::kExtracted, Making::kExtracted}, {}),
            "sections 1–3 extracted");
}

TEST(Stamp, TheNoteBelongsToWhatWasNotExtracted) {
  const std::string model(MakingName(Making::kModelWritten));
  EXPECT_EQ(MakingsIn({Making::kModelWritten, Making::kExtracted}, "by small-1"),
            "section 1 " + model + " by small-1, section 2 extracted");
}

TEST(Stamp, NamesNoPinWhenNothingIsCited) {
  const std::string program = "sibyl";
  EXPECT_EQ(StampOf(DraftOfMakings({Making::kExtracted}), {.program = program, .time = kFrameTime}),
            "> sibyl · 2026-11-15 · 0 of 0 citations hold · 0 of 0 points covered · section 1 "
            "extracted");
}

TEST(Names, TheMostCountedComeFirstAndTwelveAreEnough) {
  std::map<std::string, std::size_t> counted = {{"b", 2}, {"a", 2}, {"z", 9}};
  EXPECT_EQ(BestNames(counted), (std::vector<std::string>{"z", "a", "b"}));
  for (int i = 0; i < 40; ++i) counted["name" + std::to_string(i)] = 1;
  EXPECT_EQ(BestNames(counted).size(), 12U);
  EXPECT_TRUE(BestNames({}).empty());
}

}  // namespace
}  // namespace sibyl::draft
