// SPDX-License-Identifier: Apache-2.0
#include "statement/quote.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "statement/folded_text.h"

namespace sibyl::statement {
namespace {

using Fit = QuoteMatch::Fit;
using Lines = std::vector<std::size_t>;

constexpr std::string_view kComment =
    "/* Copyright. */\n"
    "// Looks for the profiler below the toolkit\n"
    "// before it asks the system.  A missing library\n"
    "// turns it off.\n"
    "int Find();\n";

TEST(Quote, IsExactWhenTheBytesAreThere) {
  const QuoteMatch match = CompareQuote("A missing library", kComment);
  EXPECT_EQ(match.fit, Fit::kExact);
  EXPECT_EQ(match.source_line, 3U);
  EXPECT_TRUE(match.Holds());
}

TEST(Quote, MayBreakItsLinesElsewhereAndLeaveOutCommentMarks) {
  const QuoteMatch match = CompareQuote(
      "Looks for the profiler below the toolkit before it asks the system. A missing library turns "
      "it off.",
      kComment);
  EXPECT_EQ(match.fit, Fit::kFolded);
  EXPECT_EQ(match.source_line, 2U);
}

TEST(Quote, MayUseTypographicMarks) {
  EXPECT_EQ(CompareQuote("the “driver” – it’s optional…", "the \"driver\" -- it's optional...").fit,
            Fit::kFolded);
}

TEST(Quote, MayLeaveOutWithAnEllipsisAndInOrderOnly) {
  EXPECT_EQ(CompareQuote("Looks for the profiler ... before it asks", kComment).fit, Fit::kFolded);
  EXPECT_EQ(CompareQuote("Looks for the profiler [...] turns it off", kComment).fit, Fit::kFolded);
  EXPECT_FALSE(CompareQuote("turns it off ... Looks for the profiler", kComment).Holds());
}

// "the memory will ... be freed" of "will not be freed".
TEST(Quote, AnEllipsisMayNotLeaveOutADenial) {
  const std::string_view source = "The memory will not be freed. It can be used. It is kept.";
  EXPECT_FALSE(CompareQuote("The memory will ... be freed", source).Holds());
  EXPECT_TRUE(CompareQuote("The memory ... not be freed", source).Holds());
  EXPECT_TRUE(CompareQuote("The memory ... It is kept", source).Holds()) << "whole sentences";
}

TEST(Quote, IsReadAsRenderedMarkup) {
  constexpr std::string_view kRst =
      "Set :variable:`CMAKE_CUDA_ARCHITECTURES` to ``native``, see [the manual](https://x/y).\n";
  EXPECT_EQ(CompareQuote("Set CMAKE_CUDA_ARCHITECTURES to native, see the manual.", kRst).fit,
            Fit::kFolded);
}

TEST(Quote, NeverForgivesAWord) {
  EXPECT_EQ(CompareQuote("Looks for the compiler below the toolkit", kComment).fit, Fit::kAbsent);
  EXPECT_EQ(CompareQuote("Looks for the compiler below the toolkit", kComment).source_line, 2U)
      << "the nearest line is named";
  EXPECT_EQ(CompareQuote("look", "a looking glass").fit, Fit::kAbsent) << "whole words only";
  EXPECT_EQ(CompareQuote("glass", "a glasshouse, a glass").fit, Fit::kExact);
}

TEST(Quote, SaysWhichSentencesAreInvented) {
  const QuoteMatch match = CompareQuote(
      "A missing library turns it off. The driver then crashes. Looks for the profiler below the "
      "toolkit.",
      kComment);
  EXPECT_EQ(match.fit, Fit::kPartly);
  EXPECT_EQ(match.invented, Lines{2});
  EXPECT_EQ(match.compared, 3U);
}

TEST(Quote, OfSentencesInAnotherOrderIsNotWhole) {
  const QuoteMatch match =
      CompareQuote("A missing library turns it off. Looks for the profiler", kComment);
  EXPECT_EQ(match.fit, Fit::kPartly);
  EXPECT_TRUE(match.invented.empty());
  EXPECT_FALSE(match.is_continuous);
}

TEST(Quote, OfNothingHolds) {
  EXPECT_EQ(CompareQuote(" … ", "x").compared, 0U);
  EXPECT_TRUE(CompareQuote("", "").Holds());
  EXPECT_EQ(CompareQuote("word", "").fit, Fit::kAbsent);
}

constexpr std::string_view kCmake =
    "include(Toolchain)\n"
    "\n"
    "# Below the toolkit first.\n"
    "find_library(PROF_LIBRARY NAMES prof\n"
    "  PATHS ${TOOLKIT_ROOT}\n"
    "  NO_DEFAULT_PATH)\n"
    "if(PROF_LIBRARY)\n"
    "  set(USE_PROF ON)\n"
    "endif()\n";

TEST(QuotedCode, IsExactBehindTheLineThatSaysWhereItIsFrom) {
  const QuoteMatch match = CompareCode(
      "# gadget cmake/Profiler.cmake:4-6\n"
      "find_library(PROF_LIBRARY NAMES prof\n"
      "  PATHS ${TOOLKIT_ROOT}\n"
      "  NO_DEFAULT_PATH)\n",
      kCmake);
  EXPECT_EQ(match.fit, Fit::kExact);
  EXPECT_EQ(match.source_line, 4U);
  EXPECT_EQ(match.compared, 3U);
}

TEST(QuotedCode, MayBeIndentedAndBrokenInAnotherWay) {
  const QuoteMatch match = CompareCode(
      "    find_library( PROF_LIBRARY NAMES\n\n        prof PATHS ${TOOLKIT_ROOT} "
      "NO_DEFAULT_PATH )\n",
      kCmake);
  EXPECT_EQ(match.fit, Fit::kFolded);
  EXPECT_EQ(match.source_line, 4U);
}

TEST(QuotedCode, MayLeaveOutLinesWhenItSaysSo) {
  EXPECT_EQ(CompareCode("include(Toolchain)\n# ...\nif(PROF_LIBRARY)\n", kCmake).fit, Fit::kFolded);
  EXPECT_EQ(CompareCode("include(Toolchain)\n  …\nendif()\n", kCmake).fit, Fit::kFolded);
  const QuoteMatch silent = CompareCode("include(Toolchain)\nif(PROF_LIBRARY)\n", kCmake);
  EXPECT_EQ(silent.fit, Fit::kPartly);
  EXPECT_FALSE(silent.is_continuous);
  EXPECT_TRUE(silent.invented.empty());
}

TEST(QuotedCode, MayLeaveOutAndAddComments) {
  EXPECT_EQ(CompareCode("include(Toolchain)\nfind_library(PROF_LIBRARY NAMES prof\n", kCmake).fit,
            Fit::kFolded);
  const QuoteMatch match =
      CompareCode("if(PROF_LIBRARY)\n  # Turn it on\n  set(USE_PROF ON)\n", kCmake);
  EXPECT_EQ(match.fit, Fit::kFolded);
  EXPECT_EQ(match.added_comments, Lines{2});
}

TEST(QuotedCode, SaysWhichLinesAreInvented) {
  const QuoteMatch match = CompareCode(
      "# from cmake/Profiler.cmake\n"
      "find_library(PROF_LIBRARY NAMES prof\n"
      "  PATHS ${TOOLKIT_ROOT}/lib64\n"
      "  NO_DEFAULT_PATH)\n"
      "enable_profiler_everywhere()\n",
      kCmake);
  EXPECT_EQ(match.fit, Fit::kPartly);
  EXPECT_EQ(match.invented, (Lines{3, 5}));
}

TEST(QuotedCode, IsAbsentWhenOnlyBracesAreShared) {
  EXPECT_EQ(CompareCode("void Launch() {\n  go();\n}\n", "int x() {\n  return 1;\n}\n").fit,
            Fit::kAbsent);
}

TEST(QuotedCode, KnowsAPreprocessorLineFromAComment) {
  EXPECT_FALSE(IsCommentLine("#include <a.h>"));
  EXPECT_FALSE(IsCommentLine("#if FOO"));
  EXPECT_FALSE(IsCommentLine("*p = 1;"));
  EXPECT_TRUE(IsCommentLine("# include it"));
  EXPECT_TRUE(IsCommentLine("  // x"));
  EXPECT_TRUE(IsEllipsisLine("  /* ... */"));
  EXPECT_TRUE(IsEllipsisLine("…"));
  EXPECT_FALSE(IsEllipsisLine("f(...)"));
}

// How its cost grows is held by tests/linear.
TEST(QuotedCode, IsComparedToTheEndWhateverItIsMadeOf) {
  const std::string source(100'000, 'a');
  std::string quote;
  for (int i = 0; i < 1'000; ++i) quote += std::string(40, 'a') + std::to_string(i) + "\n";
  EXPECT_EQ(CompareCode(quote, source).fit, Fit::kAbsent);
  EXPECT_FALSE(CompareQuote(quote, source).Holds());
}

TEST(QuoteProperty, WhateverIsCutOutOfATextByWordsIsThere) {
  rc::check([](const std::vector<std::string>& words, std::size_t from, std::size_t many) {
    std::vector<std::string> plain;
    for (const std::string& word : words) {
      std::string clean;
      for (const char letter : word) {
        if (letter >= 'a' && letter <= 'z') clean += letter;
      }
      if (!clean.empty()) plain.push_back(clean);
    }
    RC_PRE(!plain.empty());
    from %= plain.size();
    many = 1 + many % (plain.size() - from);
    const std::vector<std::string> cut(plain.begin() + static_cast<std::ptrdiff_t>(from),
                                       plain.begin() + static_cast<std::ptrdiff_t>(from + many));
    RC_ASSERT(CompareQuote(Join(cut, " "), Join(plain, " ")).fit == Fit::kExact);
    RC_ASSERT(CompareQuote(Join(cut, "\n// "), Join(plain, " ")).Holds());
    RC_ASSERT(CompareCode(Join(cut, " "), Join(plain, "\n")).Holds());
  });
}

TEST(Quote, IsTheSameWithOtherLineEndsAndScripts) {
  EXPECT_TRUE(CompareQuote("eins zwei drei", "Eins\r\neins zwei\r\ndrei\r\n").Holds());
  EXPECT_EQ(CompareQuote("队列 有 64 项", "说明: 队列 有 64 项 以上").fit, Fit::kExact);
  EXPECT_TRUE(CompareQuote("Größe", "die Größe zählt").Holds());
  EXPECT_FALSE(CompareQuote("röße", "die Größe zählt").Holds()) << "a letter goes on before it";
}

TEST(QuoteSource, GivesTheSameAnswersAsOneComparison) {
  const QuoteSource source(kComment);
  for (const char* quote :
       {"A missing library", "no such words at all", "", "turns it off. Never."}) {
    const QuoteMatch once = CompareQuote(quote, kComment);
    for (int i = 0; i < 2; ++i) {
      const QuoteMatch again = source.CompareQuote(quote);
      EXPECT_EQ(again.fit, once.fit) << quote;
      EXPECT_EQ(again.invented, once.invented) << quote;
      EXPECT_EQ(again.source_line, once.source_line) << quote;
    }
    EXPECT_EQ(source.CompareCode(quote).fit, CompareCode(quote, kComment).fit) << quote;
  }
}

TEST(QuoteSource, CanBeMoved) {
  QuoteSource first(kComment);
  ASSERT_TRUE(first.CompareQuote("A missing library").Holds());
  QuoteSource second(std::move(first));
  EXPECT_TRUE(second.CompareQuote("A missing library").Holds());
}

TEST(QuotedSentences, AreCountedAsTheComparisonCountsThem) {
  const std::vector<std::string_view> sentences =
      QuotedSentences("One here. Two there! Three? e.g. four");
  ASSERT_FALSE(sentences.empty());
  EXPECT_EQ(CompareQuote("One here. Two there!", "nothing of it").invented.size(),
            QuotedSentences("One here. Two there!").size());
  EXPECT_TRUE(QuotedSentences("").empty());
}

TEST(QuoteProperty, AnyTextHoldsAgainstItself) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    RC_ASSERT(CompareQuote(text, text).Holds());
    RC_ASSERT(CompareCode(text, text).Holds());
  }));
}

TEST(QuoteProperty, LinesThatAreNamedAreLinesOfTheQuotation) {
  EXPECT_TRUE(rc::check([](const std::string& quote, const std::string& source) {
    const QuoteMatch match = CompareCode(quote, source);
    const std::size_t lines = SplitLines(quote).size();
    for (const std::size_t line : match.invented) RC_ASSERT(line >= 1 && line <= lines);
    for (const std::size_t line : match.added_comments) RC_ASSERT(line >= 1 && line <= lines);
    RC_ASSERT(std::is_sorted(match.invented.begin(), match.invented.end()));
    RC_ASSERT(match.Holds() || match.compared > 0);
  }));
}

TEST(Quote, MayBeginAfterAnEscapeAndGoOnInAStream) {
  EXPECT_TRUE(CompareQuote("The device may be out of range.",
                           "message = \"\\nThe device may be out of range.\\n\";\n")
                  .Holds());
  EXPECT_TRUE(
      CompareQuote("it has exited unexpectedly with a code",
                   "out << \"it has exited \" << \"unexpectedly\"\n    << \" with a code\";\n")
          .Holds());
  EXPECT_FALSE(CompareQuote("The new folder", "path = \"C:\\new folder\";\n").Holds());
}

}  // namespace
}  // namespace sibyl::statement
