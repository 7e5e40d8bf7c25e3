// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/answer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "draft/answer/stretch.h"
#include "draft/test_passages.h"
#include "index/test_index.h"

namespace sibyl::draft {
namespace {

class AnswerTest : public PassageTest {
 protected:
  AnswerTest() {
    Add("docs/watchdog.md", "markdown",
        "# Watchdog\n\nThe watchdog timer resets the device when a kernel hangs.\n");
    Add("docs/streams.md", "markdown",
        "# Streams\n\nStreams let copies and kernels overlap on one device.\n");
    Add("cmake/Options.cmake", "cmake", "option(USE_STREAMS \"Copy in streams\" ON)\n");
    Add("src/run.cc", "c++", "void Run() {\n  if (USE_STREAMS) CopyInStreams();\n}\n");
    Add("src/load.h", "c++",
        "/// Frees the gadget.\nint CloseGadget(int id);\n\n"
        "/// Frees the gadget and stops what it does.\nint AbortGadget(int id);\n");
  }

  Answer Ask(std::string question, const std::vector<KnowledgeFile>& knowledge = {}) {
    return AnswerQuestion({.text = std::move(question), .context = {}},
                          {.searcher = searcher(), .lock = lock_, .knowledge = knowledge});
  }

  Answer AskPages(std::string question, const std::string& page, std::string heading = "Page") {
    const auto bytes = static_cast<std::uint32_t>(page.size());
    const auto lines = static_cast<std::uint32_t>(std::count(page.begin(), page.end(), '\n'));
    index::MemorySource pages;
    pages.Add({.path = "gad/01-page.md",
               .text = page,
               .language = "markdown",
               .passages = {{.last_line = lines, .end = bytes, .heading = std::move(heading)}},
               .blob = index::BlobOf(1)});
    index::TestIndex built;
    built.Build(pages);
    const index::Index index = built.Open("this oracle");
    const index::Searcher searcher_of_pages({&index});
    return AnswerQuestion(
        {.text = std::move(question), .context = {}},
        {.searcher = searcher(), .lock = lock_, .knowledge = {}, .pages = &searcher_of_pages});
  }
};

TEST_F(AnswerTest, AQuestionIsAnsweredWithASentenceAndItsLines) {
  const Answer answer = Ask("what does the watchdog timer do?");
  ASSERT_TRUE(answer.IsKnown());
  EXPECT_EQ(answer.units[0].unit.text, "The watchdog timer resets the device when a kernel hangs.");
  EXPECT_EQ(answer.units[0].excerpt.path, "docs/watchdog.md");
  EXPECT_EQ(answer.units[0].unit.first_line, 3U);
}

TEST_F(AnswerTest, ADeclarationComesBeforeAUse) {
  const Answer answer = Ask("what does USE_STREAMS do?");
  ASSERT_TRUE(answer.IsKnown());
  EXPECT_EQ(answer.units[0].excerpt.path, "cmake/Options.cmake");
}

TEST_F(AnswerTest, AComparisonHasBothSides) {
  const Answer answer = Ask("CloseGadget vs AbortGadget");
  ASSERT_FALSE(answer.units.empty());
  std::string all;
  for (const AnswerUnit& unit : answer.units) all += unit.unit.text;
  EXPECT_NE(all.find("CloseGadget"), std::string::npos);
  EXPECT_NE(all.find("AbortGadget"), std::string::npos);
}

TEST_F(AnswerTest, WhatNobodySaysIsNotKnown) {
  const Answer answer = Ask("how is espresso brewed under pressure?");
  EXPECT_FALSE(answer.IsKnown());
  EXPECT_TRUE(answer.units.empty());
}

TEST_F(AnswerTest, ANameThatNoSourceHasIsNotKnown) {
  const Answer answer = Ask("what does the USE_TELEPORT watchdog do?");
  EXPECT_FALSE(answer.IsKnown());
  EXPECT_FALSE(answer.nearest.empty());
  EXPECT_EQ(answer.missing.at(0), "USE_TELEPORT");
}

// A pin does not change: what a thing costs today is known only if a source says a price.
TEST_F(AnswerTest, APriceIsKnownOnlyWhereOneIsSaid) {
  const std::string page = "# Gadgets\n\nA gadget H100 has 80 GB and is in each cloud.\n";
  EXPECT_TRUE(AskPages("which cloud has the cheapest gadget H100?", page).known.empty());
  EXPECT_TRUE(AskPages("what is the latest gadget H100?", page).known.empty());
  EXPECT_FALSE(AskPages("which gadget H100 is in each cloud?", page).known.empty());
  EXPECT_FALSE(AskPages("which cloud has the cheapest gadget H100?",
                        "# Gadgets\n\nThe cheapest gadget H100 is in the cloud of Acme.\n")
                   .known.empty());
}

TEST_F(AnswerTest, PagesOfTheOracleAnswerToo) {
  const Answer answer = AskPages("how is espresso brewed?",
                                 "# Brewing\n\nEspresso is brewed under a pressure of 9 bar.\n");
  ASSERT_EQ(answer.known.size(), 1U);
  EXPECT_EQ(answer.known[0].excerpt.path, "gad/01-page.md");
  EXPECT_EQ(answer.known[0].unit.first_line, 3U);
  EXPECT_EQ(answer.known[0].excerpt.pin, nullptr);
  EXPECT_TRUE(answer.units.empty());
}

TEST_F(AnswerTest, AProductVersionThatNothingHasIsNotKnown) {
  const Answer answer =
      AskPages("what is new in Gadget KIT 15?", "# Kit\n\nWhat is new in Gadget KIT 14.\n");
  EXPECT_FALSE(answer.IsKnown());
  EXPECT_EQ(answer.absent, std::vector<std::string>{"KIT 15"});
  EXPECT_EQ(answer.missing.at(0), "KIT 15");
}

TEST_F(AnswerTest, AHeadingOfAPageMayAskTheSame) {
  const Answer answer = AskPages("what breaks without the tracing library?",
                                 "# The tracing library\n\n## What breaks without it\n\n"
                                 "The timeline stays empty and no metric is collected.\n",
                                 "The tracing library > What breaks without it");
  ASSERT_EQ(answer.known.size(), 1U);
  EXPECT_EQ(answer.known[0].unit.first_line, 5U);
}

TEST_F(AnswerTest, AVariantComesAfterWhatItIsAVariantOf) {
  const std::string text = "# Valve\n\nThe valve of the turbine opens when the pressure rises.\n";
  Add("lib/quantized/valve.md", "markdown", text + "It is the quantized one of all of them.\n");
  Add("lib/modules/valve.md", "markdown",
      text + "It is the ordinary one that most programs use.\n");
  const Answer answer = Ask("when does the valve of the turbine open?");
  ASSERT_FALSE(answer.units.empty());
  EXPECT_EQ(answer.units[0].excerpt.path, "lib/modules/valve.md");
}

TEST_F(AnswerTest, APageThatIsAboutItComesBeforeOneThatMentionsIt) {
  Add("docs/gasket-rules.md", "markdown",
      "# Gasket rules\n\nGasket rules are checked while a turbine starts.\n");
  Add("docs/turbine-warning-42.md", "markdown",
      "# Turbine warning 42\n\nWarning 42 is about gasket rules of a turbine that starts.\n");
  const Answer answer = Ask("what are gasket rules?");
  ASSERT_FALSE(answer.units.empty());
  EXPECT_EQ(answer.units[0].excerpt.path, "docs/gasket-rules.md");
}

TEST_F(AnswerTest, AReasonInTheNextParagraphIsShownWithWhatItExplains) {
  std::string page = "# Pinned memory\n\n";
  for (int i = 0; i < 6; ++i) {
    page += "Chapter " + std::to_string(i) + " of the handbook is about something else.\n\n";
  }
  page +=
      "Pinned memory must not be allocated for every gadget.\n\n"
      "This is because the system has no pages left for others.\n";
  Add("docs/pinned.md", "markdown", page);
  const Answer answer = Ask("Why must pinned memory not be allocated for every gadget?");
  ASSERT_FALSE(answer.units.empty());
  EXPECT_NE(answer.units[0].unit.text.find("This is because"), std::string::npos);
  EXPECT_EQ(answer.units[0].unit.last_line, 17U);
}

TEST_F(AnswerTest, WhatIsNextToAnAnswerIsShownWithIt) {
  const auto unit = [](std::size_t first, std::size_t last, std::string text) {
    return Unit{.first_line = first, .last_line = last, .text = std::move(text)};
  };
  const Unit above = unit(2, 2, "One.");
  const Unit below = unit(5, 6, "Two goes on.");
  EXPECT_TRUE(AreNeighbours(below, above));
  EXPECT_FALSE(AreNeighbours(above, above));
  EXPECT_FALSE(AreNeighbours(above, unit(7, 8, "Far.")));
  EXPECT_FALSE(AreNeighbours(above, unit(4, 26, "Long.")));
  const Unit joined = JoinNeighbours(below, above, "# A\n  One.\n\n   more\n  Two\n  goes on.\n");
  EXPECT_EQ(joined.first_line, 2U);
  EXPECT_EQ(joined.last_line, 6U);
  EXPECT_EQ(joined.text, "One.\n\n more\nTwo\ngoes on.");
  // A document that cannot be read.
  EXPECT_EQ(JoinNeighbours(below, above, "").text, "One.\n\nTwo goes on.");
}

TEST_F(AnswerTest, ADefaultIsTakenFromTheDefinitionOfItsOwner) {
  Add("lib/optim.py", "python",
      "class Adam:\n    def __init__(\n        self,\n        rate: float = 0.001,\n"
      "        weight_decay: float = 0.02,\n    ):\n        self.rate = rate\n");
  Add("lib/other.py", "python",
      "class Other:\n    def __init__(\n        self,\n        weight_decay: float = 7,\n"
      "    ):\n        self.decay = weight_decay\n");
  const std::vector<RankedUnit> ranked =
      RankUnits(ReadQuestion("What weight decay does lib.optim.Adam use if I do not give one?"),
                {.searcher = searcher(), .lock = lock_, .knowledge = {}}, 3);
  ASSERT_FALSE(ranked.empty());
  EXPECT_EQ(ranked[0].path, "lib/optim.py");
  EXPECT_GT(ranked[0].features[kFeatureTells], 0.9);
}

TEST_F(AnswerTest, ARowWhoseFirstCellIsAskedForAnswers) {
  const std::string page =
      "| limit | value |\n| --- | --- |\n| warp size | 32 |\n| threads per block | 1024 |\n"
      "| registers per block | 64 * 1024 |\n| blocks per cluster | 8 |\n"
      "| grid, x-dimension | 2147483647 |\n| name | the limits of a kernel |\n";
  const auto first = [&](const std::string& question) {
    const Answer answer = AskPages(question, page, "Execution model > Limits");
    return answer.known.empty() ? "" : answer.known.front().unit.text;
  };
  EXPECT_EQ(first("what is the warp size?"), "| warp size | 32 |");
  EXPECT_EQ(first("how many threads can a block have?"), "| threads per block | 1024 |");
  EXPECT_EQ(first("How many registers does a block have"), "| registers per block | 64 * 1024 |");
  EXPECT_NE(first("how many names does a kernel have"), "| name | the limits of a kernel |");
}

}  // namespace
}  // namespace sibyl::draft
