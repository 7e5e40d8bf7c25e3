// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/choose.h"

#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

class ChooseTest : public PassageTest {
 protected:
  ChooseTest() {
    for (int i = 0; i < 30; ++i) {
      Add("docs/" + std::to_string(i) + ".md", "markdown", "Something else entirely.\n");
    }
  }

  GatheredPoint Point(std::string words, std::vector<Excerpt> excerpts) {
    GatheredPoint point;
    point.point = std::move(words);
    point.terms = reader().TermsOf(point.point, {});
    point.excerpts = std::move(excerpts);
    return point;
  }
  TermReader& reader() {
    if (!reader_) reader_.emplace(searcher());
    return *reader_;
  }

  std::set<std::string> left_out_;

 private:
  std::optional<TermReader> reader_;
};

TEST_F(ChooseTest, AQuotationHasTheLinesOfTheFile) {
  const GatheredPoint point = Point(
      "watchdog timer", {Passage("docs/watchdog.md", "markdown",
                                 "Kernels run.\n\nThe watchdog timer resets the device.\n", 20)});
  const PointChoice choice = Chooser(reader(), left_out_).Choose(point, 20);
  ASSERT_EQ(choice.quotes.size(), 1U);
  EXPECT_EQ(choice.quotes[0].text, "The watchdog timer resets the device.");
  EXPECT_EQ(choice.quotes[0].first_line, 22U);
  EXPECT_EQ(choice.quotes[0].last_line, 22U);
  EXPECT_TRUE(choice.quotes[0].is_single);
  EXPECT_EQ(choice.share, 1);
}

TEST_F(ChooseTest, NothingIsShownTwiceOnAPage) {
  const GatheredPoint point =
      Point("watchdog timer",
            {Passage("docs/watchdog.md", "markdown", "The watchdog timer resets the device.\n")});
  Chooser chooser(reader(), left_out_);
  EXPECT_FALSE(chooser.Choose(point, 20).IsEmpty());
  EXPECT_TRUE(chooser.Choose(point, 20).IsEmpty());
  const GatheredPoint copy =
      Point("watchdog timer",
            {Passage("docs/copy.md", "markdown", "The watchdog timer resets the device.\n")});
  EXPECT_TRUE(chooser.Choose(copy, 20).IsEmpty()) << "the same words from another file";
}

TEST_F(ChooseTest, WhatWasNotUsedIsLeftForAnotherPoint) {
  const Excerpt passage =
      Passage("docs/watchdog.md", "markdown", "The watchdog timer resets the device.\n");
  const GatheredPoint broad = Point("watchdog timer resets kernels tiles barriers", {passage});
  const GatheredPoint point = Point("watchdog timer", {passage});
  Chooser chooser(reader(), left_out_);
  ASSERT_FALSE(Chooser(reader(), left_out_).Choose(broad, 20).IsEmpty());
  EXPECT_TRUE(chooser.Choose(broad, 20, 0.9).IsEmpty());
  EXPECT_FALSE(chooser.Choose(point, 20, 0.9).IsEmpty());
  EXPECT_TRUE(chooser.Choose(point, 20, 0.9).IsEmpty()) << "shown once, not twice";
}

TEST_F(ChooseTest, FilesOfTwoSourcesAreTwoFilesWhateverTheirNames) {
  lock_.Put({.name = "widget", .origin = "https://example.org/widget"});
  const Excerpt mine =
      Passage("README.md", "markdown", "The watchdog timer is a counter of the device.\n");
  Excerpt theirs = Passage("README.md", "markdown", "The watchdog timer is off on widgets.\n");
  theirs.pin = lock_.Find("widget");
  const PointChoice choice =
      Chooser(reader(), left_out_).Choose(Point("watchdog timer", {mine, theirs}), 20);
  EXPECT_EQ(choice.quotes.size(), 2U);
  Excerpt other = theirs;
  other.text = "Something else entirely.\n";
  const GatheredPoint point = Point("watchdog timer", {mine, other});
  const PointChoice with_reference = Chooser(reader(), left_out_).Choose(point, 20);
  ASSERT_EQ(with_reference.also.size(), 1U);
  EXPECT_EQ(with_reference.also[0]->pin->name, "widget");
}

TEST_F(ChooseTest, WhatTheGateRefusedIsLeftOut) {
  const GatheredPoint point = Point(
      "watchdog timer",
      {Passage("docs/watchdog.md", "markdown", "The watchdog timer resets the device.\n", 5)});
  left_out_.insert(BlockKey(point.excerpts[0], 5, 5));
  EXPECT_TRUE(Chooser(reader(), left_out_).Choose(point, 20).IsEmpty());
}

TEST_F(ChooseTest, WithoutRoomNothingIsChosen) {
  const GatheredPoint point =
      Point("watchdog timer",
            {Passage("docs/watchdog.md", "markdown", "The watchdog timer resets the device.\n")});
  EXPECT_TRUE(Chooser(reader(), left_out_).Choose(point, 3).IsEmpty());
  EXPECT_TRUE(Chooser(reader(), left_out_).Choose(point, 0).IsEmpty());
}

TEST_F(ChooseTest, ASentenceAboutSomethingElseIsNotQuoted) {
  const GatheredPoint point = Point(
      "watchdog timer resets", {Passage("docs/a.md", "markdown", "A kernel loads its tiles.\n")});
  EXPECT_TRUE(Chooser(reader(), left_out_).Choose(point, 20).IsEmpty());
}

TEST_F(ChooseTest, AnOptionThatIsNamedBecomesATable) {
  const GatheredPoint point =
      Point("USE_WATCHDOG option",
            {Passage("Options.cmake", "cmake",
                     "option(USE_WATCHDOG \"Reset the device when a kernel hangs\" ON)\n"
                     "option(USE_COFFEE \"Brew\" OFF)\n",
                     10)});
  const PointChoice choice = Chooser(reader(), left_out_).Choose(point, 30);
  ASSERT_TRUE(choice.table.has_value());
  EXPECT_TRUE(choice.table->is_named);
  ASSERT_EQ(choice.table->rows.size(), 1U);
  EXPECT_EQ(choice.table->rows[0].name, "USE_WATCHDOG");
  EXPECT_EQ(choice.table->rows[0].value, "ON");
  EXPECT_EQ(choice.table->rows[0].first_line, 10U);
}

TEST_F(ChooseTest, CodeInDocumentationHasTheLinesOfTheFile) {
  const GatheredPoint point = Point(
      "StartWatchdog",
      {Passage("docs/watchdog.md", "markdown",
               "The function StartWatchdog arms the timer:\n\n```c++\nStartWatchdog(10);\n```\n",
               40)});
  const PointChoice choice = Chooser(reader(), left_out_).Choose(point, 30);
  ASSERT_EQ(choice.code.size(), 1U);
  EXPECT_EQ(choice.code[0].code.first_line, 43U);
  EXPECT_EQ(choice.code[0].code.lines, std::vector<std::string>{"StartWatchdog(10);"});
}

TEST_F(ChooseTest, OtherPlacesAreNamedAndNoneTwice) {
  const GatheredPoint point = Point(
      "watchdog timer",
      {Passage("docs/watchdog.md", "markdown", "The watchdog timer resets the device.\n"),
       Passage("docs/b.md", "markdown", "watchdog\n"),
       Passage("docs/b.md", "markdown", "timer\n", 9),
       Passage("docs/c.md", "markdown", "watchdog\n"), Passage("docs/d.md", "markdown", "timer\n"),
       Passage("docs/e.md", "markdown", "timer\n")});
  const PointChoice choice = Chooser(reader(), left_out_).Choose(point, 20);
  std::vector<std::string> also;
  for (const Excerpt* excerpt : choice.also) also.push_back(excerpt->path);
  EXPECT_EQ(also, (std::vector<std::string>{"docs/b.md", "docs/c.md", "docs/d.md"}));
}

TEST_F(ChooseTest, ABlockIsNamedByItsPlace) {
  const Excerpt passage = Passage("docs/a.md", "markdown", "x\n", 3);
  EXPECT_EQ(BlockKey(passage, 3, 4), "gadget:docs/a.md:3-4");
}

}  // namespace
}  // namespace sibyl::draft
