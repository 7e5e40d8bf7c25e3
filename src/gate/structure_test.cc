// SPDX-License-Identifier: Apache-2.0
#include "gate/structure.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gate/test_book.h"

namespace sibyl::gate {
namespace {

using Messages = std::vector<std::string>;

const TestBook& Book() {
  static const TestBook* const kBook = new TestBook();
  return *kBook;
}

std::string Sources() { return "\n## Sources\n" + Book().Define("1", "README.md:3"); }

std::string Pin() {
  const std::string definition = Book().Define("1", "README.md:3");
  return "gadget@" + definition.substr(definition.find("swh:1:rev:") + 10, 7);
}

std::string Stamped(const std::string& stamp, const std::string& body) {
  return "# Title\n\n> sibyl 0.1 · 2026-11-15 · " + stamp + "\n\n" + body + Sources();
}

Messages Structure(const std::string& text) {
  const TestFile file(Book(), text);
  Messages messages;
  for (const statement::Judgement& judgement : JudgeStructure(file.cited())) {
    EXPECT_TRUE(judgement.Fails());
    EXPECT_EQ(judgement.kind, "form");
    EXPECT_GE(judgement.place.line, 1U);
    messages.push_back(judgement.code + ": " + judgement.message);
  }
  return messages;
}

TEST(StampCountTest, IsReadInFrontOfItsWord) {
  const auto count = ReadStampCount("sibyl · 5 of 6 points covered · 11 of 12 citations", "points");
  ASSERT_TRUE(count.has_value());
  EXPECT_EQ(count->part, 5U);
  EXPECT_EQ(count->whole, 6U);
}

TEST(StampCountTest, IsNothingForOtherForms) {
  for (const char* stamp : {"", "points", "6 points", "5 of points", "of 6 points", "5of6 points",
                            "5 of 6points", "1234567890 of 2 points", "-5 of - points"}) {
    EXPECT_FALSE(ReadStampCount(stamp, "points").has_value()) << stamp;
  }
}

TEST(FindStampTest, IsTheLineBelowTheTitle) {
  const auto find = [](std::string_view text) {
    const statement::Statements statements = *statement::ReadStatements(text);
    const statement::Statement* stamp = FindStamp(statements);
    return stamp == nullptr ? std::string("none") : stamp->text;
  };
  EXPECT_EQ(find("# T\n\n> sibyl 0.1 · x\n"), "sibyl 0.1 · x");
  EXPECT_EQ(find("# T\n\n> somebody said\n"), "none");
  EXPECT_EQ(find("# T\n\nsibyl 0.1 · x\n"), "none");
  EXPECT_EQ(find("# T\n\na\n\nb\n\nc\n\n> sibyl 0.1 · x\n"), "none") << "too far below";
  EXPECT_EQ(find(""), "none");
}

TEST(Structure, ATrueStampHolds) {
  EXPECT_EQ(Structure(Stamped(Pin() + " · 1 of 1 citations hold", "True.[^1]\n")), Messages{});
  EXPECT_EQ(Structure(Stamped("0 of 1 citations hold", "True.[^1]\n")), Messages{})
      << "fewer than hold is modest";
}

TEST(Structure, AStampThatCountsOtherCitationsIsContradicted) {
  EXPECT_EQ(Structure(Stamped(Pin() + " · 2 of 2 citations hold", "True.[^1]\n")),
            Messages{"struct/stamp: the stamp counts 2 citations, the text uses 1"});
}

TEST(Structure, AStampThatClaimsMoreThanHoldsIsContradicted) {
  const std::string bad = "\n[^2]: gadget <!-- swh:1:cnt:" + std::string(40, 'a') +
                          ";origin=" + Book().git().folder().string() + ";lines=1 -->\n";
  const Messages messages =
      Structure(Stamped(Pin() + " · 2 of 2 citations hold", "True.[^1] False.[^2]\n") + bad);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0], "struct/stamp: the stamp says that 2 hold, but 1 do");
}

TEST(Structure, AStampThatNamesPinsNamesAllThatAreCited) {
  const Messages messages =
      Structure(Stamped("other@0000000 · 1 of 1 citations hold", "True.[^1]\n"));
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0], "struct/stamp: the text cites " + Pin() + ", the stamp does not");
}

TEST(Structure, TheTableOfPointsAgreesWithTheStampAndTheSections) {
  const std::string table =
      "| planned | covered by |\n| --- | --- |\n| A | 1.1 |\n| B | not found |\n| C | — |\n\n"
      "## 1. One\n\n### 1.1 A\n\nTrue.[^1]\n";
  EXPECT_EQ(Structure(Stamped("1 of 3 points covered", table)), Messages{});
  EXPECT_EQ(Structure(Stamped("3 of 3 points covered", table)),
            Messages{"struct/stamp: the table of points has 1 of 3 covered"});
}

TEST(Structure, ASectionThatCoversAPointExists) {
  const std::string table =
      "| planned | covered by |\n| --- | --- |\n| A | 1.2 |\n| B | [1.1](#x) |\n\n## 1. One\n\n"
      "### 1.1 B\n\nTrue.[^1]\n";
  const Messages messages = Structure("# T\n\n" + table + Sources());
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_TRUE(messages[0].starts_with("struct/coverage: the table says that section 1.2"))
      << messages[0];
}

TEST(Structure, DefinitionsAreUsedOnceDefinedAndBelowSources) {
  EXPECT_EQ(Structure("# T\n\nNothing cites.\n" + Sources()),
            Messages{"struct/sources: [^1] is defined but never used"});
  const std::string twice = Sources() + Book().Define("1", "README.md:1");
  const Messages messages = Structure("# T\n\nTrue.[^1]\n" + twice);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(messages[0].find("[^1] is defined twice; also on line 6"), std::string::npos)
      << messages[0];
  EXPECT_EQ(Structure("# T\n\nTrue.[^1]\n\n" + Book().Define("1", "README.md:3")),
            Messages{"struct/sources: the definitions are not under a heading 'Sources'"});
}

TEST(Structure, ADefinitionInABlockOfCodeIsCode) {
  EXPECT_EQ(Structure("# T\n\nTrue.[^1]\n\n```md\n[^1]: an example\n```\n" + Sources()),
            Messages{});
}

TEST(Structure, APageWithoutAnythingHasTheForm) {
  EXPECT_EQ(Structure(""), Messages{});
  EXPECT_EQ(Structure("# T\r\n\r\nWords.\r\n"), Messages{});
}

Messages Promised(const std::string& text, const draft::Draft& draft) {
  const TestFile file(Book(), text);
  Messages messages;
  for (const statement::Judgement& judgement : JudgeDraft(file.cited(), draft)) {
    messages.push_back(std::to_string(judgement.place.line) + " " + judgement.code);
  }
  return messages;
}

TEST(DraftStructure, EveryPlannedSectionIsThereWhateverItsNumberAndCase) {
  draft::Draft draft{.title = "T"};
  draft.sections = {{.title = "Detection"}, {.title = "Switches"}};
  EXPECT_EQ(Promised("# T\n\n## 1. detection\n\n## 2.1 SWITCHES\n", draft), Messages{});
  EXPECT_EQ(Promised("# T\n\n## 1. Detection\n", draft), Messages{"1 struct/sections"});
  EXPECT_EQ(Promised("", draft), (Messages{"1 struct/sections", "1 struct/sections"}));
}

TEST(DraftStructure, ATitleThatIsOnlyANumberIsItsOwn) {
  draft::Draft draft{.title = "T"};
  draft.sections = {{.title = "2026"}};
  EXPECT_EQ(Promised("# T\n\n## 2026\n", draft), Messages{});
}

TEST(DraftStructure, ABudgetIsKeptWithinATenth) {
  std::string text = "# T\n\n## One\n";
  for (int i = 0; i < 8; ++i) text += "line\n";  // eleven lines
  draft::Draft draft{.title = "T", .line_budget = 10};
  draft.sections = {{.title = "One", .line_budget = 9}};
  EXPECT_EQ(Promised(text, draft), Messages{}) << "eleven of ten, nine of nine";
  EXPECT_EQ(Promised(text + "line\n", draft), (Messages{"1 struct/budget", "3 struct/budget"}));
}

TEST(DraftStructure, SourcesCountForNoBudget) {
  draft::Draft draft{.title = "T", .line_budget = 4};
  draft.sections = {{.title = "One", .line_budget = 2}};
  std::string text = "# T\n\n## One\n\n## Sources\n";
  for (int i = 0; i < 50; ++i) text += "- more\n";
  EXPECT_EQ(Promised(text, draft), Messages{});
}

TEST(DraftStructure, ASectionEndsAtTheNextOfItsLevel) {
  draft::Draft draft{.title = "T"};
  draft.sections = {{.title = "One", .line_budget = 4}};
  EXPECT_EQ(Promised("# T\n\n## One\n\n### Inner\n\n## Two\n\na\n\nb\n\nc\n", draft), Messages{});
}

TEST(DraftStructure, TheStampCountsThePointsOfTheDraft) {
  draft::Draft draft{.title = "T"};
  draft.sections = {
      {.title = "One", .points = {{.point = "a", .where = "1.1"}, {.point = "b", .where = {}}}}};
  const std::string body = "## One\n\nTrue.[^1]\n";
  EXPECT_EQ(Promised(Stamped("1 of 2 points covered", body), draft), Messages{});
  EXPECT_EQ(Promised(Stamped("2 of 2 points covered", body), draft), Messages{"3 struct/stamp"});
}

}  // namespace
}  // namespace sibyl::gate
