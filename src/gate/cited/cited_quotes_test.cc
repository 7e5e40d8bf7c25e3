// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/cited_quotes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gate/test_book.h"

namespace sibyl::gate {
namespace {

using statement::Verdict;

const TestBook& Quoted() {
  static const TestBook* const kQuoted = new TestBook();
  return *kQuoted;
}

std::vector<statement::Judgement> Quotes(const std::string& text) {
  const TestFile file(Quoted(), text + "\n\n" + Quoted().Define("1", "cmake/Profiler.cmake:1-2") +
                                    Quoted().Define("2", "cmake/Profiler.cmake:3-5") +
                                    Quoted().Define("3", "README.md:3"));
  return JudgeQuotes(file.cited());
}
statement::Judgement OnlyQuote(const std::string& text) {
  auto judged = Quotes(text);
  EXPECT_EQ(judged.size(), 1U) << text;
  return judged.size() == 1 ? judged[0] : statement::Judgement{};
}

TEST(CitedQuotes, OfABlockQuoteAreHeldAsAWhole) {
  EXPECT_EQ(OnlyQuote("> The profiler is optional.[^3]").verdict, Verdict::kSupported);
  EXPECT_EQ(OnlyQuote("> The profiler is mandatory.[^3]").verdict, Verdict::kAbsent);
  const statement::Judgement partly =
      OnlyQuote("> The profiler is optional. It was always so.[^3]");
  EXPECT_EQ(partly.verdict, Verdict::kContradicted);
  EXPECT_EQ(partly.message, "sentence 2 is not in the cited lines");
}

TEST(CitedQuotes, SayHowExactlyTheyFit) {
  EXPECT_EQ(OnlyQuote("> The profiler is optional.[^3]").message, "it is in the cited lines");
  EXPECT_EQ(OnlyQuote("> Looks for the profiler below the toolkit before it asks the "
                      "system.[^1]")
                .message,
            "it is in the cited lines, except for white space and punctuation");
  EXPECT_EQ(OnlyQuote("```cmake\nfind_library(PROF_LIBRARY NAMES prof\n# mine\n"
                      "  PATHS ${TOOLKIT_ROOT}\n```\n[^2]")
                .message,
            "it is in the cited lines, except for added comments");
}

TEST(CitedQuotes, InASentenceHaveTwoWordsOrMore) {
  EXPECT_EQ(OnlyQuote("It says “The profiler is optional” there.[^3]").kind, "quotation");
  EXPECT_EQ(OnlyQuote("It says «The profiler is optional» there.[^3]").verdict,
            Verdict::kSupported);
  EXPECT_EQ(OnlyQuote("It says \"The profiler is mandatory\" there.[^3]").verdict,
            Verdict::kAbsent);
  EXPECT_EQ(OnlyQuote("It is \"fast and loose\" there.[^3]").verdict, Verdict::kAbsent);
  EXPECT_TRUE(Quotes("It is \"fast\" there.[^3]").empty());
  EXPECT_EQ(OnlyQuote("It is `echo \"one two three four\"` there.[^3]").kind, "code");
  EXPECT_TRUE(Quotes("It is `echo` there.[^3]").empty());
  EXPECT_TRUE(Quotes("It \"never ends and has many words.[^3]").empty());
}

TEST(CitedQuotes, OfOneTokenAreCode) {
  EXPECT_EQ(OnlyQuote("It is called \"PROF_LIBRARY\" there.[^2]").verdict, Verdict::kSupported);
  EXPECT_EQ(OnlyQuote("It is called \"PROF_LIBRARIES\" there.[^2]").verdict, Verdict::kAbsent);
  EXPECT_TRUE(Quotes("It is a \"feature\" there.[^2]").empty());
}

TEST(CitedQuotes, OfTwoReceiptsTheBetterCounts) {
  EXPECT_EQ(OnlyQuote("> The profiler is optional.[^1][^3]").verdict, Verdict::kSupported);
}

TEST(CitedQuotes, OfCodeNameTheInventedLineAndWhatIsThere) {
  const statement::Judgement judged = OnlyQuote(
      "```cmake\nfind_library(PROF_LIBRARY NAMES prof\n  PATHS ${OTHER_ROOT}\n"
      "  NO_DEFAULT_PATH)\n```\n[^2]");
  EXPECT_EQ(judged.verdict, Verdict::kContradicted);
  EXPECT_EQ(judged.text, "PATHS ${OTHER_ROOT}");
  EXPECT_EQ(judged.place.line, 3U);
  EXPECT_EQ(judged.kind, "code");
}

TEST(CitedQuotes, ThatLeaveSomethingOutSilentlyAreContradicted) {
  const statement::Judgement judged =
      OnlyQuote("```cmake\nfind_library(PROF_LIBRARY NAMES prof\n  NO_DEFAULT_PATH)\n```\n[^2]");
  EXPECT_EQ(judged.verdict, Verdict::kContradicted);
  EXPECT_EQ(judged.message, "text is omitted or reordered without an ellipsis");
  EXPECT_EQ(OnlyQuote("```cmake\nfind_library(PROF_LIBRARY NAMES prof\n  # ...\n"
                      "  NO_DEFAULT_PATH)\n```\n[^2]")
                .verdict,
            Verdict::kSupported);
}

TEST(CitedQuotes, OfOtherLinesOfTheFileSayWhere) {
  const statement::Judgement judged = OnlyQuote("```cmake\nset(USE_PROF ON)\n```\n[^2]");
  EXPECT_EQ(judged.verdict, Verdict::kAbsent);
  EXPECT_EQ(judged.nearest, "cmake/Profiler.cmake:7");
  EXPECT_EQ(OnlyQuote("> Nobody ever wrote this here.[^3]").reason,
            "it is not elsewhere in the file either");
}

TEST(CitedQuotes, AnExampleIsTheWritersOwn) {
  EXPECT_TRUE(Quotes("```cmake example\nset(MINE 1)\n```\n[^2]").empty());
  EXPECT_TRUE(Quotes("```cmake Example=1\nset(MINE 1)\n```\n[^2]").empty());
  EXPECT_EQ(Quotes("```counterexample\nset(MINE 1)\n```\n[^2]").size(), 1U);
}

TEST(CitedQuotes, CodeThatItsIntroductionCallsAnExampleMayUseTheNamesOfTheLines) {
  const auto verdict = [](const std::string& introduction, const std::string& code) {
    return OnlyQuote(introduction + ":[^2]\n\n```cmake\n" + code + "\n```\n").verdict;
  };
  EXPECT_EQ(verdict("In code, it is switched off so", "find_library(PROF_LIBRARY NAMES mine)"),
            Verdict::kUndecidable);
  EXPECT_EQ(verdict("The file has", "find_library(PROF_LIBRARY NAMES mine)"), Verdict::kAbsent);
  EXPECT_EQ(verdict("For example", "mine(USE_OTHER OFF)"), Verdict::kAbsent);
}

TEST(CitedQuotes, WithoutAReceiptAreNotJudgedHere) {
  EXPECT_TRUE(Quotes("> The profiler is mandatory.").empty());
  EXPECT_TRUE(Quotes("").empty());
}

TEST(CitedQuotes, TheStampQuotesNobody) {
  EXPECT_TRUE(Quotes("# T\n\n> sibyl 0.1 · 2026-11-15[^3]").empty());
}

TEST(CitedQuotes, AreUndecidableWhereNothingCouldBeRead) {
  const TestFile file(Quoted(), "> The profiler is optional.[^9]\n\n[^9]: no citation\n");
  const auto judged = JudgeQuotes(file.cited());
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_EQ(judged[0].verdict, Verdict::kUndecidable);
}

}  // namespace
}  // namespace sibyl::gate
