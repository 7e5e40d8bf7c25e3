// SPDX-License-Identifier: Apache-2.0
#include "audit/number_judge.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "audit/test_witness.h"
#include "base/utf8.h"

namespace sibyl::audit {
namespace {

using statement::Verdict;

const TestWitness& Datasheets() {
  static const TestWitness* const kSheets = [] {
    std::string wide = "The GX500 reaches 40 TFLOPS with FP8 on dense ";
    while (wide.size() < 119) wide += 'x';
    wide += "üüü matrices.\n";
    return new TestWitness(
        {{.name = "sheets",
          .files = {{"chips.md",
                     "The GX100 reaches 156 TFLOPS with TF32 on dense matrices.\n"
                     "The GX100 has 80 GB of HBM3 memory on board.\n"
                     "The GX300 reaches 10 TFLOPS with TF32 on dense matrices.\n"
                     "The GX300 reaches 20 TFLOPS with TF32 on dense matrices.\n" +
                         wide},
                    {"parallel.py",
                     "def reduce(bucket_cap_mb: int = 25, find_unused: bool = False):\n  pass\n"
                     "\n"
                     "def other(twice_given=1):\n  pass\n"
                     "\n"
                     "def third(twice_given=2):\n  pass\n"},
                    {"calls.py", "reduce(call_only_mb=30)\n"},
                    {"tests/test_parallel.py", "def helper(tested_only=99):\n  pass\n"},
                    {"include/version.h", "#define GADGET_VERSION 13000\n"},
                    {"manual.rst",
                     "``cache_limit_mb``\n  How much is kept. Default: 512\n\n"
                     "``other_limit_mb``\n  Says nothing.\n"}}}});
  }();
  return *kSheets;
}

// Of all statements of the text.
std::vector<statement::Judgement> JudgeAll(std::string_view text) {
  static const NumberJudge* const kJudge = new NumberJudge(*Datasheets());
  std::vector<statement::Judgement> judgements;
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok());
  for (const statement::Statement& statement : statements->all) {
    for (JudgedNumber& judged : kJudge->Judge(statement)) {
      EXPECT_LT(judged.offset, statement.text.size());
      EXPECT_EQ(judged.judgement.code, "number/ungrounded");
      EXPECT_FALSE(FindInvalidUtf8(judged.judgement.message).has_value())
          << judged.judgement.message;
      judgements.push_back(std::move(judged.judgement));
    }
  }
  return judgements;
}

statement::Judgement NumberIn(std::string_view text, std::string_view number) {
  for (statement::Judgement& judged : JudgeAll(text)) {
    if (judged.text == number) return judged;
  }
  ADD_FAILURE() << number << " was not judged in: " << text;
  return {};
}

TEST(NumberJudge, ValueUnitAndSubjectInOneLineSupport) {
  const statement::Judgement judged =
      NumberIn("With TF32 the GX100 reaches 156 TFLOP/s.\n", "156 TFLOP/s");
  EXPECT_EQ(judged.verdict, Verdict::kSupported);
  EXPECT_EQ(judged.where, "sheets@0123abc chips.md:1");
  EXPECT_EQ(judged.kind, "number");
}

TEST(NumberJudge, AnotherSpellingOfTheSameQuantitySupports) {
  EXPECT_EQ(NumberIn("The GX100 reaches 0.156 PFLOPS with TF32.\n", "0.156 PFLOPS").verdict,
            Verdict::kSupported);
  EXPECT_EQ(NumberIn("The GX100 has 80 GiB of HBM3.\n", "80 GiB").verdict, Verdict::kSupported);
}

TEST(NumberJudge, AnotherValueOfTheSameSubjectsContradicts) {
  const statement::Judgement judged =
      NumberIn("With TF32 the GX100 reaches 19.5 TFLOPS on dense matrices.\n", "19.5 TFLOPS");
  EXPECT_EQ(judged.verdict, Verdict::kContradicted);
  EXPECT_EQ(judged.nearest, "156 TFLOPS");
  EXPECT_NE(judged.message.find("a source says 156 TFLOPS"), std::string::npos);
}

TEST(NumberJudge, DoesNotContradictByALineAboutSomethingElse) {
  EXPECT_EQ(NumberIn("The GX100 idles at 19.5 TFLOPS in TF32 mode.\n", "19.5 TFLOPS").verdict,
            Verdict::kUndecidable)
      << "other words";
  EXPECT_EQ(NumberIn("The GX200 reaches 19.5 TFLOPS with TF32 on dense matrices.\n", "19.5 TFLOPS")
                .verdict,
            Verdict::kUndecidable)
      << "another chip";
  EXPECT_EQ(NumberIn("Over its bus the GX100 with TF32 moves dense matrices at 19.5 TB/s, measured "
                     "with many small batches.\n",
                     "19.5 TB/s")
                .verdict,
            Verdict::kUndecidable)
      << "another unit";
}

TEST(NumberJudge, SourcesThatDisagreeContradictNothing) {
  EXPECT_EQ(
      NumberIn("The GX300 reaches 30 TFLOPS with TF32 on dense matrices.\n", "30 TFLOPS").verdict,
      Verdict::kUndecidable);
  EXPECT_EQ(
      NumberIn("The GX300 reaches 20 TFLOPS with TF32 on dense matrices.\n", "20 TFLOPS").verdict,
      Verdict::kSupported);
}

TEST(NumberJudge, WhatIsOnlyAboutOrARangeIsNotContradicted) {
  for (const char* number : {"about 19.5 TFLOPS", "10-20 TFLOPS"}) {
    for (const statement::Judgement& judged :
         JudgeAll(std::string("With TF32 the GX100 reaches ") + number + " on dense matrices.\n")) {
      EXPECT_FALSE(judged.Fails()) << number;
    }
  }
}

TEST(NumberJudge, MeasuredNumbersAreUndecidable) {
  for (const char* text :
       {"The GX100 is 2x faster with TF32.\n", "The GX100 takes 5 ms with TF32.\n",
        "The GX100 saves 50% with TF32.\n"}) {
    for (const statement::Judgement& judged : JudgeAll(text)) {
      EXPECT_EQ(judged.verdict, Verdict::kUndecidable) << text;
    }
  }
}

TEST(NumberJudge, ANumberWithoutASubjectIsUndecidable) {
  EXPECT_EQ(NumberIn("It reaches 156 TFLOPS.\n", "156 TFLOPS").verdict, Verdict::kUndecidable);
}

TEST(NumberJudge, SeveralNumbersOfOneUnitAreNotContradicted) {
  for (const statement::Judgement& judged :
       JudgeAll("After several hours of careful warming in our laboratory, the GX100 reaches 19.5 "
                "TFLOPS or 20 TFLOPS with TF32 on dense matrices.\n")) {
    EXPECT_FALSE(judged.Fails()) << judged.text;
  }
}

TEST(NumberJudge, ACellTakesItsSubjectsFromRowAndColumn) {
  constexpr std::string_view kTable =
      "| chip | TF32 on dense matrices |\n| --- | --- |\n| GX100 | reaches 156 TFLOPS |\n";
  EXPECT_EQ(NumberIn(kTable, "156 TFLOPS").verdict, Verdict::kSupported);
}

TEST(NumberJudge, HeadingsAndCodeAreNotJudged) {
  EXPECT_TRUE(JudgeAll("# The GX100 reaches 19.5 TFLOPS with TF32 on dense matrices\n").empty());
  EXPECT_TRUE(JudgeAll("```\nThe GX100 reaches 19.5 TFLOPS with TF32\n```\n").empty());
  EXPECT_TRUE(JudgeAll("").empty());
}

TEST(NumberJudge, AMessageIsNeverCutInsideACharacter) {
  const statement::Judgement judged = NumberIn(
      "With FP8 the GX500 reaches 41 TFLOPS on dense " + std::string(73, 'x') + "üüü matrices.\n",
      "41 TFLOPS");
  EXPECT_EQ(judged.verdict, Verdict::kContradicted) << judged.reason;
}

TEST(SubjectsIn, AreWordsThatNameOneThing) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(SubjectsIn("The A100 with TF32, HBM3e and NVLink, sm_90 and cuBLAS"),
            (Words{"a100", "cublas", "hbm3e", "nvlink", "sm_90", "tf32"}));
  EXPECT_TRUE(SubjectsIn("the memory of a chip is Large").empty());
  EXPECT_TRUE(SubjectsIn("156 TFLOPS and 3 GiB at 2 GHz").empty()) << "units";
  EXPECT_TRUE(SubjectsIn("").empty());
  EXPECT_EQ(SubjectsIn("A100 and a100 and A100"), Words{"a100"}) << "each once";
}

TEST(SubjectsIn, AreSortedAndInLowerCaseForAnyText) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const auto subjects = SubjectsIn(text);
    RC_ASSERT(std::is_sorted(subjects.begin(), subjects.end()));
    RC_ASSERT(std::adjacent_find(subjects.begin(), subjects.end()) == subjects.end());
    for (const std::string& subject : subjects) RC_ASSERT(subject.size() >= 2U);
  }));
}

}  // namespace
}  // namespace sibyl::audit
