// SPDX-License-Identifier: Apache-2.0
// Parsing and judging any page takes linear time. One paragraph of 400 KB once took
// 15 s.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "audit/acronym.h"
#include "audit/audit.h"
#include "audit/number_judge.h"
#include "audit/test_witness.h"
#include "base/strings.h"
#include "base/work.h"
#include "gate/cited/cited_atoms.h"
#include "gate/cited/cited_quotes.h"
#include "gate/cited/cited_support.h"
#include "gate/structure.h"
#include "gate/uncited.h"

namespace sibyl {
namespace {

std::string Repeat(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string Numbered(std::string_view before, std::string_view after, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) {
    all += std::string(before) + std::to_string(i) + std::string(after);
  }
  return all;
}

// Steps for everything that is judged on a page without a store.
std::uint64_t StepsFor(const audit::Witness& witness, const std::string& page) {
  const std::uint64_t before = Work::Done();
  const audit::Auditor auditor(witness);
  EXPECT_TRUE(auditor.Audit({.file = "a.md", .text = page}).ok());
  const statement::Statements statements = *statement::ReadStatements(page);
  const gate::Receipts receipts = gate::ReadReceipts(statements);
  const gate::CitedFile file{
      .name = "a.md", .text_view = page, .statements = statements, .receipts = receipts};
  (void)gate::JudgeReceipts(file);
  (void)gate::JudgeQuotes(file);
  (void)gate::JudgeNames(file);
  (void)gate::JudgeSupport(file);
  (void)gate::FindUncited(file);
  (void)gate::JudgeStructure(file);
  return Work::Done() - before;
}

struct Shape {
  const char* name;
  std::function<std::string(std::size_t)> make;
};

class LinearTest : public testing::TestWithParam<Shape> {};

TEST_P(LinearTest, StepsDoubleWithTheInput) {
  const audit::TestWitness witness({{.name = "cuda",
                                     .files = {{"a.md", "The A100 has 108 SMs and 40 MB of L2.\n"},
                                               {"torch/b.py", "def f(x=25): return x\n"}}}});
  constexpr std::size_t kTimes = 1500;
  const std::uint64_t once = StepsFor(*witness, GetParam().make(kTimes));
  const std::uint64_t twice = StepsFor(*witness, GetParam().make(2 * kTimes));
  // A quadratic reader would take four times as many.
  EXPECT_LT(twice, once * 5 / 2 + 20'000) << once << " steps, then " << twice;
  // And each byte costs a bounded number of them.
  EXPECT_LT(twice, 10'000 * GetParam().make(2 * kTimes).size());
}

const Shape kShapes[] = {
    {"Words", [](std::size_t n) { return Repeat("word ", n); }},
    {"Names", [](std::size_t n) { return Numbered("MY_NAME_", " ", n); }},
    {"Numbers", [](std::size_t n) { return "A100: " + Numbered("", " GB ", n); }},
    {"CodeSpans", [](std::size_t n) { return Numbered("`name_", "` ", n); }},
    {"Flags", [](std::size_t n) { return "`nvcc " + Numbered("--flag-", " ", n) + "`"; }},
    {"FlagsInABlock",
     [](std::size_t n) { return "```sh\nnvcc " + Numbered("-flag", " ", n) + "\n```\n"; }},
    {"Assignments",
     [](std::size_t n) { return "```sh\n" + Numbered("VALUE_", "=1 ", n) + "\n```\n"; }},
    {"Installs", [](std::size_t n) { return "`" + Repeat("pip install ", n) + "`"; }},
    {"OnePath", [](std::size_t n) { return "`" + Repeat("aa/", n) + "x.py`"; }},
    {"Quotations",
     [](std::size_t n) { return Numbered("He said \"one two three four ", "\" ", n); }},
    {"QuotationsOfAFile",
     [](std::size_t n) { return "In torch/b.py: " + Numbered("\"one two three four ", "\" ", n); }},
    {"References", [](std::size_t n) { return Repeat("Said.[^1] ", n) + "\n\n[^1]: x\n"; }},
    {"ManyReferences",
     [](std::size_t n) {
       return Numbered("`name_one` is 5 GB[^", "] ", n) + "\n\n" + Numbered("[^", "]: x\n\n", n);
     }},
    {"OpenReferences", [](std::size_t n) { return Repeat("[^", n) + "]"; }},
    {"Links", [](std::size_t n) { return Numbered("[x](y", ") ", n); }},
    {"LinkedImages", [](std::size_t n) { return Repeat("[![a](b)](c) ", n); }},
    {"Cells",
     [](std::size_t n) {
       return Repeat("|a", n) + "|\n" + Repeat("|-", n) + "|\n" + Repeat("|b[^1]", n) +
              "|\n\n[^1]: x\n";
     }},
    {"Rows", [](std::size_t n) { return "|a|b|\n|-|-|\n" + Repeat("|`name_one`|5 GB[^1]|\n", n); }},
    {"Headings", [](std::size_t n) { return Numbered("## Heading ", "\n\nText.\n\n", n); }},
    {"Definitions", [](std::size_t n) { return Numbered("[^", "]: x\n\n", n); }},
    {"Items", [](std::size_t n) { return Repeat("- item of a list\n", n); }},
    {"Quotes", [](std::size_t n) { return Repeat("> quoted words\n\n", n); }},
    {"Emphasis", [](std::size_t n) { return Repeat("*a **b** c* ", n); }},
    {"Delimiters", [](std::size_t n) { return Repeat("*a_", n); }},
    {"Abbreviations", [](std::size_t n) { return Repeat("Alpha Beta Gamma (ABG) ", n); }},
    {"Defaults", [](std::size_t n) { return Numbered("`name_", "` defaults to 5 ", n); }},
    {"CodeLines",
     [](std::size_t n) { return "```cpp\n" + Numbered("call_", "(a); // b\n", n) + "```\n"; }},
    {"OneLineOfCode",
     [](std::size_t n) { return "```cpp\n" + Numbered("call_", "(a); ", n) + "\n```\n"; }},
};

INSTANTIATE_TEST_SUITE_P(Shapes, LinearTest, testing::ValuesIn(kShapes),
                         [](const auto& shape) { return shape.param.name; });

TEST(PageTotals, AListOfInstallsIsReadOnce) {
  const statement::Statements statements =
      *statement::ReadStatements("`" + Repeat("pip install ", 2000) + "`");
  std::size_t packages = 0;
  for (const statement::Atom& atom : statement::ExtractAtoms(statements.all.at(0))) {
    packages += atom.kind == statement::AtomKind::kPackage ? 1 : 0;
  }
  EXPECT_LE(packages, 4000U) << "four million before";
}

TEST(PageTotals, TheCellsOfARowShareTheirReceipts) {
  const std::string page = Repeat("|a", 3000) + "|\n" + Repeat("|-", 3000) + "|\n" +
                           Numbered("|b[^", "]", 3000) + "|\n\n" + Numbered("[^", "]: x\n\n", 3000);
  const statement::Statements statements = *statement::ReadStatements(page);
  const gate::Receipts receipts = gate::ReadReceipts(statements);
  const gate::StatementReceipts found = gate::ReceiptsOfStatements(
      {.name = "a.md", .text_view = page, .statements = statements, .receipts = receipts});
  std::size_t cell = 0;
  while (statements.all[cell].kind != statement::StatementKind::kCell) ++cell;
  EXPECT_EQ(found[cell].size(), 3000U);
  EXPECT_EQ(&found[cell], &found[cell + 2999]);
}

TEST(PageTotals, ALongCellIsNotCopiedIntoEveryOther) {
  const std::string page =
      "|" + std::string(50'000, 'h') + "|b|\n|-|-|\n|" + std::string(50'000, 'c') + "|d|\n";
  const statement::Statements statements = *statement::ReadStatements(page);
  for (const statement::Statement& statement : statements.all) {
    for (const std::string& words : statement.context) EXPECT_LE(words.size(), 512U);
  }
}

// Guards against recursion per word.
TEST(PageTotals, AMillionSmallWordsDoNotExhaustTheStack) {
  EXPECT_TRUE(audit::FindSpelledOut("ABC (" + Repeat("of ", 300'000) + "x)").empty());
  const audit::TestWitness witness({{.name = "a", .files = {{"a.md", "x\n"}}}});
  statement::Statement statement;
  statement.text = "name_one default " + Repeat("is ", 300'000) + "5";
  statement.runs = {{.begin = 0, .end = 8, .is_code = true}};
  EXPECT_TRUE(audit::NumberJudge(*witness).Judge(statement).empty());
}

TEST(PageTotals, QuotationsBeyondTheLimitAreSaidNotToBeChecked) {
  const audit::TestWitness witness({{.name = "a", .files = {{"a.md", "x\n"}}}});
  const auto judged = *audit::Auditor(*witness).Audit(
      {.file = "a.md", .text = Repeat("\"one two three four\" ", 600)});
  std::size_t unchecked = 0;
  for (const statement::Judgement& judgement : judged) {
    unchecked += Contains(judgement.reason, "more than") ? 1 : 0;
    EXPECT_EQ(judgement.verdict, statement::Verdict::kUndecidable);
  }
  EXPECT_EQ(judged.size(), 600U);
  EXPECT_EQ(unchecked, 100U);
}

}  // namespace
}  // namespace sibyl
