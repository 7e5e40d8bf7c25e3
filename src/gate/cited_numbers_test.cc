// SPDX-License-Identifier: Apache-2.0
#include "gate/cited_numbers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gate/test_book.h"

namespace sibyl::gate {
namespace {

using statement::Verdict;

const TestBook& Sheets() {
  static const TestBook* const kSheets = [] {
    auto* book = new TestBook();
    book->git().Write("sheet.md",
                      "# Sheet\n\nThe GX100 has 80 GB of memory.\n"
                      "Its bus moves 3.35 TB/s and it needs 700 W.\n"
                      "It comes with 40 GB or 80 GB.\n"
                      "A block has 1024 threads.\n");
    book->git().Commit();
    EXPECT_TRUE(evidence::SyncSource("gadget", book->around()).ok());
    return book;
  }();
  return *kSheets;
}

std::vector<statement::Judgement> Numbers(const std::string& text, const std::string& target) {
  const TestFile file(Sheets(), text + "\n\n" + Sheets().Define("1", target));
  return JudgeNumbers(file.cited());
}
Verdict Of(const std::string& text, const std::string& target) {
  const auto judged = Numbers(text, target);
  EXPECT_EQ(judged.size(), 1U) << text;
  if (judged.size() != 1) return Verdict::kUndecidable;
  EXPECT_EQ(judged[0].code, "number/ungrounded");
  EXPECT_EQ(judged[0].kind, "number");
  return judged[0].verdict;
}

TEST(CitedNumbers, ThatTheCitedLinesHaveAreSupported) {
  EXPECT_EQ(Of("It has 80 GB.[^1]", "sheet.md:3"), Verdict::kSupported);
  EXPECT_EQ(Of("It has 80 GiB.[^1]", "sheet.md:3"), Verdict::kSupported);
  EXPECT_EQ(Of("It moves 3350 GB/s.[^1]", "sheet.md:4"), Verdict::kSupported) << "another prefix";
}

TEST(CitedNumbers, AreContradictedByTheOneOtherOfTheirMeasure) {
  const auto judged = Numbers("It has 96 GB.[^1]", "sheet.md:3");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].verdict, Verdict::kContradicted);
  EXPECT_EQ(judged[0].nearest, "80 GB");
  EXPECT_EQ(judged[0].message, "the text says 96 GB, the cited lines say 80 GB");
}

TEST(CitedNumbers, AreAbsentWhereTheLinesHaveSeveralOrNone) {
  EXPECT_EQ(Of("It has 96 GB.[^1]", "sheet.md:5"), Verdict::kAbsent);
  EXPECT_EQ(Of("It has 96 GB.[^1]", "README.md:3"), Verdict::kAbsent);
  EXPECT_EQ(Of("It needs 80 W.[^1]", "sheet.md:3"), Verdict::kAbsent) << "another unit";
}

TEST(CitedNumbers, OfAnotherSentenceOfTheParagraphCount) {
  const TestFile file(Sheets(),
                      "It has 80 GB.[^1] It moves 3.35 TB/s.[^2] It has 80 GB too.[^2]\n\n" +
                          Sheets().Define("1", "sheet.md:3") + Sheets().Define("2", "sheet.md:4"));
  const auto judged = JudgeNumbers(file.cited());
  ASSERT_EQ(judged.size(), 3U);
  for (const statement::Judgement& one : judged) EXPECT_EQ(one.verdict, Verdict::kSupported);
}

TEST(CitedNumbers, CountsWithoutAUnitAreNotChecked) {
  EXPECT_TRUE(Numbers("A block has 2048 threads.[^1]", "sheet.md:6").empty());
}

TEST(CitedNumbers, OfAFactCountTheSame) {
  const std::string text = "The file has 3 cubins.[^1] It has 5 cubins.[^1]\n";
  const statement::Statements statements = *statement::ReadStatements(text + "\n[^1]: a fact\n");
  Receipts receipts = ReadReceipts(statements);
  receipts.at("1").other =
      OtherAnswer{.verdict = Verdict::kSupported, .text = "cubin.sm_90.count = 3 cubins"};
  const auto judged = JudgeNumbers(
      {.name = "a.md", .text_view = text, .statements = statements, .receipts = receipts});
  ASSERT_EQ(judged.size(), 2U);
  EXPECT_EQ(judged[0].verdict, Verdict::kSupported);
  EXPECT_EQ(judged[0].where, "[^1]");
  EXPECT_EQ(judged[1].verdict, Verdict::kContradicted);
}

TEST(CitedNumbers, WithoutAReceiptOrInCodeAreNotJudged) {
  EXPECT_TRUE(Numbers("It has 96 GB.", "sheet.md:3").empty());
  EXPECT_TRUE(Numbers("```\n96 GB\n```\n[^1]", "sheet.md:3").empty());
  EXPECT_TRUE(Numbers("> It has 96 GB.[^1]", "sheet.md:3").empty()) << "compared as a whole";
  EXPECT_TRUE(Numbers("## It has 96 GB[^1]", "sheet.md:3").empty());
}

TEST(CitedNumbers, AreUndecidableWhereNothingCouldBeRead) {
  const std::string text = "It has 96 GB.[^1]\n\n[^1]: no citation\n";
  const TestFile file(Sheets(), text);
  const auto judged = JudgeNumbers(file.cited());
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].verdict, Verdict::kUndecidable);
}

TEST(CitedNumbers, StandAtTheirPlaceAlsoAfterCrlfAndUnicode) {
  const auto judged = Numbers("Über den Chip:\r\nEr hat 96 GB.[^1]", "sheet.md:3");
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].place.line, 2U);
  EXPECT_EQ(judged[0].text, "96 GB");
}

}  // namespace
}  // namespace sibyl::gate
