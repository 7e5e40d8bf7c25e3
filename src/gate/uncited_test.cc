// SPDX-License-Identifier: Apache-2.0
#include "gate/uncited.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "gate/receipt.h"
#include "statement/statement.h"

namespace sibyl::gate {
namespace {

// Of the first statement with these words.
std::string ExemptionIn(std::string_view text, std::string_view words) {
  const statement::Statements statements = *statement::ReadStatements(text);
  for (std::size_t i = 0; i < statements.all.size(); ++i) {
    if (statements.all[i].text.find(words) == std::string::npos) continue;
    return std::string(ExemptionName(ExemptionOf(statements, i)));
  }
  ADD_FAILURE() << "no statement has " << words;
  return "?";
}
std::string ExemptionOfText(const std::string& text) {
  const statement::Statements statements = *statement::ReadStatements(text);
  EXPECT_EQ(statements.all.size(), 1U) << text;
  return std::string(ExemptionName(ExemptionOf(statements, 0)));
}

// Lines without a receipt. A definition need not be a citation here.
std::vector<std::size_t> UncitedLines(const std::string& text) {
  const statement::Statements statements = *statement::ReadStatements(text);
  const Receipts receipts = ReadReceipts(statements);
  const CitedFile file{
      .name = "a.md", .text_view = text, .statements = statements, .receipts = receipts};
  std::vector<std::size_t> lines;
  for (const statement::Judgement& judgement : FindUncited(file)) {
    EXPECT_EQ(judgement.code, "cite/missing");
    EXPECT_TRUE(judgement.Fails());
    lines.push_back(judgement.place.line);
  }
  const CitationCover cover = CountCited(file);
  EXPECT_EQ(cover.needed - cover.cited, lines.size()) << "both count the same";
  return lines;
}

using LineList = std::vector<std::size_t>;

// Issue 26: it names the point in the words of the heading.
TEST(Exemption, AContradictedPointIsNamedBelowItsHeading) {
  constexpr std::string_view kLine = "The sources contradict this point of the plan: ";
  const auto below = [&](const std::string& heading, const std::string& point) {
    return ExemptionIn("# A\n\n### " + heading + "\n\n" + std::string(kLine) + point + "\n", kLine);
  };
  EXPECT_EQ(below("3.3 TF32 (`x`, Ampere+)", "TF32 (`x`, Ampere+)."), "stamp");
  EXPECT_EQ(below("2:4 sparsity", "2:4 sparsity."), "stamp");
  EXPECT_EQ(below("3.3 TF32", "Everything is encrypted."), "none");
}

TEST(Exemption, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Exemption::kCoverage); ++i) {
    names.insert(ExemptionName(static_cast<Exemption>(i)));
  }
  EXPECT_EQ(names.size(), 9U);
}

TEST(Exemption, AStatementAboutTheWorldHasNone) {
  for (const char* text :
       {"The queue holds 64 entries.\n", "It is optional.\n", "> Somebody said this.\n",
        "```sh\nls\n```\n", "- found by magic in all cases\n", "`x` only\n", "Version 12\n"}) {
    EXPECT_EQ(ExemptionOfText(text), "none") << text;
  }
}

TEST(Exemption, HeadingsAndTableHeadsName) {
  EXPECT_EQ(ExemptionIn("# A title that says a lot\n", "title"), "heading");
  EXPECT_EQ(ExemptionIn("| name | default |\n| - | - |\n| a | 12 |\n", "default"), "heading");
}

TEST(Exemption, TheStampIsOursOnlyBelowTheTitle) {
  EXPECT_EQ(ExemptionIn("# T\n\n> sibyl 0.1 · x\n", "sibyl"), "stamp");
  EXPECT_EQ(ExemptionIn("# T\n\na b c d.\n\ne f g h.\n\n> sibyl 0.1 · x\n", "sibyl"), "none");
}

TEST(Exemption, SectionsAboutTheFileNeedNoReceipts) {
  EXPECT_EQ(ExemptionIn("## Not found\n\nNothing on the price of it.\n", "price"), "open point");
  EXPECT_EQ(ExemptionIn("## 7. Open points:\n\nNothing on the price of it.\n", "price"),
            "open point");
  EXPECT_EQ(ExemptionIn("## Sources\n\nA book about it all.\n", "book"), "sources");
  EXPECT_EQ(ExemptionIn("## See also\n\nA book about it all.\n", "book"), "navigation");
  EXPECT_EQ(ExemptionIn("## Not found\n\n### Price\n\nNothing on the price of it.\n", "of it"),
            "open point")
      << "below it too";
  EXPECT_EQ(ExemptionIn("## Not found\n\nx\n\n## Price\n\nIt costs nothing at all.\n", "costs"),
            "none");
}

TEST(Exemption, LinesThatLeadElsewhereAreNavigation) {
  for (const char* text :
       {"See also the other page about this.\n", "[one](a.md), [two](b.md)\n",
        "See [the page](a.md) for more.\n", "Continue with [the next](b.md).\n",
        "Read these lines before anything else.\n",
        "Reading order: to understand, [1](#a); to see it in code, [2](#b).\n"}) {
    EXPECT_EQ(ExemptionOfText(text), "navigation") << text;
  }
  EXPECT_EQ(ExemptionOfText("The queue of [Gadget](a.md) holds 64 entries.\n"), "none");
  EXPECT_EQ(ExemptionOfText("Read the queue before the lock is released.\n"), "none");
}

TEST(Exemption, AnIntroductionEndsWithAColon) {
  EXPECT_EQ(ExemptionOfText("The module looks for it like this:\n"), "introduction");
  EXPECT_EQ(ExemptionIn("```sh\necho a:\n```\n", "echo"), "none") << "code introduces nothing";
}

TEST(Exemption, ALabelHasFewWordsAndNoVerbNumberOrCode) {
  EXPECT_EQ(ExemptionOfText("**In short.**\n"), "label");
  EXPECT_EQ(ExemptionOfText("What does it cost?\n"), "label");
  EXPECT_EQ(ExemptionOfText("It works.\n"), "none");
  EXPECT_EQ(ExemptionOfText("64 entries\n"), "none");
  EXPECT_EQ(ExemptionOfText("Use `x`\n"), "none");
  EXPECT_EQ(ExemptionOfText("…\n"), "label") << "no word at all";
}

TEST(Exemption, RowsOfTheTableOfPointsAreCoverage) {
  EXPECT_EQ(ExemptionIn("| planned | covered by |\n| - | - |\n| Order of it | 1.1 |\n", "Order"),
            "coverage");
  EXPECT_EQ(ExemptionIn("| wanted | found |\n| - | - |\n| Order of it | 1.1 |\n", "Order"), "none");
}

TEST(FindUncited, NamesEachStatementOnceAtItsLine) {
  EXPECT_EQ(
      UncitedLines(
          "# T\n\nThe queue is long.[^1] The queue is short.\n\n- found by magic in all cases\n\n"
          "```sh\nls\n```\n\n[^1]: x\n"),
      (LineList{3, 5, 7}));
  EXPECT_EQ(UncitedLines(""), LineList{});
}

TEST(FindUncited, ARowNeedsOneReceipt) {
  EXPECT_EQ(UncitedLines("| name | value |\n| - | - |\n| a | 12[^1] |\n| b | 13 |\n\n[^1]: x\n"),
            LineList{4});
}

TEST(FindUncited, AMarkWithoutADefinitionIsNoReceipt) {
  EXPECT_EQ(UncitedLines("The queue is long.[^none]\n"), LineList{1});
}

TEST(FindUncited, WhatIsIntroducedHasTheReceiptOfItsIntroduction) {
  EXPECT_EQ(UncitedLines("The module does it so:[^1]\n\n```sh\nls\n```\n\n[^1]: x\n"), LineList{});
  EXPECT_EQ(UncitedLines("The module does it so:\n\n```sh\nls\n```\n"), LineList{3});
}

}  // namespace
}  // namespace sibyl::gate
