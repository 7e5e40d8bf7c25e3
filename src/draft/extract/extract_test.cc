// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/extract.h"

#include "base/strings.h"
#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

class ExtractTest : public PassageTest {
 protected:
  ExtractTest() {
    for (int i = 0; i < 30; ++i) {
      Add("docs/" + std::to_string(i) + ".md", "markdown", "Something else entirely.\n");
    }
    Add("docs/watchdog.md", "markdown",
        "# Watchdog\n\nThe watchdog timer resets the device when a kernel hangs.\n");
    Add("cmake/Options.cmake", "cmake",
        "option(USE_WATCHDOG \"Reset the device when a kernel hangs\" ON)\n");
    Add("src/watchdog.cc", "c++",
        "// Arms the watchdog timer of the device.\nvoid ArmWatchdog(int seconds) {\n"
        "  timer.Start(seconds);\n}\n");
    part_ = {.number = 1, .title = "The watchdog", .target = "gad/01-watchdog.md"};
  }

  WrittenPage Write(const std::vector<std::string>& points,
                    const std::vector<KnowledgeFile>& knowledge = {},
                    std::set<std::string> left_out = {}) {
    plan::Section section{.title = "Timers"};
    for (const std::string& point : points) section.points.push_back({.text = point});
    part_.sections = {section};
    const Gathered gathered = GatherAnswers(
        {.plan = plan_, .part = part_, .searcher = searcher(), .knowledge = knowledge},
        {.lock = lock_, .records = records_});
    return Extract({.plan = plan_, .part = part_, .searcher = searcher(), .gathered = gathered},
                   {.program = "sibyl 1.0",
                    .time = Time(std::chrono::seconds{1'794'700'800}),
                    .left_out = std::move(left_out)});
  }

  plan::Plan plan_;
  plan::Part part_;
  const std::vector<Record>* records_ = nullptr;
};

TEST_F(ExtractTest, QuotesASentenceWithItsPlaceAndReceipt) {
  const std::string text = Write({"Watchdog timer"}).draft.text;
  EXPECT_NE(text.find("gadget `docs/watchdog.md`"), std::string::npos) << text;
  EXPECT_NE(text.find("> The watchdog timer resets the device when a kernel hangs.[^p1-"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("docs/watchdog.md#L3"), std::string::npos) << text;
}

TEST_F(ExtractTest, AnOptionIsShownWithItsDeclaration) {
  const std::string text = Write({"USE_WATCHDOG option"}).draft.text;
  EXPECT_NE(text.find("option(USE_WATCHDOG \"Reset the device when a kernel hangs\" ON)\n```\n[^"),
            std::string::npos)
      << text;
}

TEST_F(ExtractTest, WhatOnlySharesWordsIsRelatedAndNotCounted) {
  Add("docs/watchdog-pressure.md", "markdown",
      "# Watchdog pressure\n\nThe pressure of a tyre is shown. The watchdog timer ignores it.\n");
  const WrittenPage page = Write({"Watchdog timer", "Espresso watchdog pressure"});
  EXPECT_EQ(CoveredCount(page.draft), 1U) << page.draft.text;
  EXPECT_NE(page.draft.text.find("| Espresso watchdog pressure | not found, see the end |"),
            std::string::npos);
  EXPECT_NE(page.draft.text.find("## Related places\n\n- See also: gadget `docs/"),
            std::string::npos)
      << page.draft.text;
}

TEST_F(ExtractTest, WithoutADefinitionThereIsNoInShort) {
  EXPECT_EQ(Write({"Watchdog timer"}).draft.text.find("In short"), std::string::npos);
}

TEST_F(ExtractTest, InShortIsADefinition) {
  Add("docs/guard.md", "markdown",
      "# Watchdog guard\n\nThe watchdog guard is a timer of last resort.\n");
  EXPECT_NE(
      Write({"Watchdog guard"})
          .draft.text.find("**In short.**\n\n> The watchdog guard is a timer of last resort.[^"),
      std::string::npos);
}

TEST_F(ExtractTest, EveryBlockIsNamedByItsPlaceAndCanBeLeftOut) {
  const WrittenPage page = Write({"Watchdog timer"});
  ASSERT_FALSE(page.blocks.empty());
  const std::vector<std::string_view> lines = SplitLines(page.draft.text);
  const WrittenBlock& first = page.blocks.front();
  EXPECT_TRUE(first.key.starts_with("gadget:")) << first.key;
  EXPECT_TRUE(lines[first.first_line - 1].starts_with("> ")) << lines[first.first_line - 1];
  std::set<std::string> all;
  for (const WrittenBlock& block : page.blocks) all.insert(block.key);
  for (const WrittenBlock& block : Write({"Watchdog timer"}, {}, all).blocks) {
    EXPECT_FALSE(all.contains(block.key)) << block.key;
  }
}

TEST_F(ExtractTest, ThePlanTableHasEveryPoint) {
  const WrittenPage page = Write({"Watchdog timer", "Espresso pressure"});
  EXPECT_EQ(PointCount(page.draft), 2U);
  EXPECT_EQ(CoveredCount(page.draft), 1U);
  EXPECT_NE(page.draft.text.find("| Espresso pressure | not found, see the end |"),
            std::string::npos);
  EXPECT_NE(page.draft.text.find("- *Espresso pressure*: "), std::string::npos);
  EXPECT_EQ(WriterOf(page.draft), "extract");
}

TEST_F(ExtractTest, TheSameInputsGiveTheSameBytes) {
  EXPECT_EQ(Write({"Watchdog timer", "USE_WATCHDOG option"}).draft.text,
            Write({"Watchdog timer", "USE_WATCHDOG option"}).draft.text);
}

TEST_F(ExtractTest, WithoutRoomNothingIsWrittenAndNothingPadded) {
  part_.line_budget = 5;
  const WrittenPage page = Write({"Watchdog timer"});
  EXPECT_EQ(CoveredCount(page.draft), 0U);
  part_.line_budget = 10'000;
  EXPECT_LT(SplitLines(Write({"Watchdog timer"}).draft.text).size(), 60U);
}

TEST_F(ExtractTest, AMeasurementIsAnItemWithItsReceipt) {
  const std::vector<Record> records = {
      {.words = "measured by the lab timers: watchdog, n 8: time 2.1 us",
       .identity = "timers watchdog",
       .series = "timers watchdog time",
       .unit = "us",
       .label = "lab timers",
       .citation =
           evidence::LabCitation{.run = "0123456789abcdef", .metric = "watchdog/n=8/time"}}};
  records_ = &records;
  const WrittenPage page = Write({"Reset latency of the watchdog"});
  EXPECT_EQ(CoveredCount(page.draft), 1U) << page.draft.text;
  EXPECT_NE(page.draft.text.find("2.1 us[^p1-1]"), std::string::npos) << page.draft.text;
  EXPECT_NE(page.draft.text.find("lab:0123456789abcdef;metric=watchdog/n=8/time"),
            std::string::npos);
  ASSERT_FALSE(page.blocks.empty());
  EXPECT_EQ(CoveredCount(Write({"Reset latency of the watchdog"}, {}, {page.blocks[0].key}).draft),
            0U);
}

TEST_F(ExtractTest, WhatAnotherFileCoversIsLinked) {
  const WrittenPage page = Write(
      {"Watchdog timer"},
      {{.path = "gad/00-old.md",
        .text = "# Timers\n\n## 1. Watchdog timer\nThe watchdog timer resets the device.[^1]\n"}});
  EXPECT_NE(page.draft.text.find("known: [Watchdog timer](00-old.md#1-watchdog-timer)"),
            std::string::npos)
      << page.draft.text;
  EXPECT_TRUE(page.blocks.empty());
}

}  // namespace
}  // namespace sibyl::draft
