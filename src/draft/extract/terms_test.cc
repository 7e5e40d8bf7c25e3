// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/terms.h"

#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

std::vector<std::string> WrittenOf(const std::vector<WeightedTerm>& terms) {
  std::vector<std::string> words;
  for (const WeightedTerm& term : terms) words.push_back(term.written);
  return words;
}

const WeightedTerm* TermOf(const std::vector<WeightedTerm>& terms, std::string_view written) {
  for (const WeightedTerm& term : terms) {
    if (term.written == written) return &term;
  }
  return nullptr;
}

/// "kernel" is in every passage, "barrier" in one of forty.
class TermsTest : public PassageTest {
 protected:
  TermsTest() {
    for (int i = 0; i < 40; ++i) {
      Add("docs/" + std::to_string(i) + ".md", "markdown",
          i == 0 ? "A kernel waits at a barrier.\n" : "A kernel runs.\n");
    }
  }
};

TEST_F(TermsTest, ARareWordWeighsMoreThanACommonOne) {
  TermReader reader(searcher());
  const PointTerms terms = reader.TermsOf("kernel barrier", {});
  ASSERT_NE(TermOf(terms.point, "kernel"), nullptr);
  ASSERT_NE(TermOf(terms.point, "barrier"), nullptr);
  EXPECT_GT(TermOf(terms.point, "barrier")->weight, TermOf(terms.point, "kernel")->weight);
}

TEST_F(TermsTest, AnUnknownWordIsNoRarerThanTheRarestKnownOne) {
  TermReader reader(searcher());
  const PointTerms terms = reader.TermsOf("barrier frobnication zyzzyva", {});
  const double unknown = TermOf(terms.point, "zyzzyva")->rarity;
  EXPECT_EQ(TermOf(terms.point, "frobnication")->rarity, unknown);
  EXPECT_LE(unknown, 9);
}

TEST_F(TermsTest, StopWordsNumbersAndSingleLettersAreNoTerms) {
  TermReader reader(searcher());
  EXPECT_EQ(WrittenOf(reader.TermsOf("the barrier of a 16 x 90", {}).point),
            std::vector<std::string>{"barrier"});
  EXPECT_TRUE(reader.TermsOf("", {}).point.empty());
  EXPECT_TRUE(reader.TermsOf("→ — …", {}).point.empty());
}

TEST_F(TermsTest, AWordCountsOnceInWhateverForm) {
  TermReader reader(searcher());
  EXPECT_EQ(reader.TermsOf("barrier, barriers and Barriers", {}).point.size(), 1U);
}

TEST_F(TermsTest, WordsOfPlansAndInBracketsCountForLess) {
  TermReader reader(searcher());
  const double alone = reader.TermsOf("zyzzyva", {}).point.front().weight;
  EXPECT_EQ(reader.TermsOf("(zyzzyva)", {}).point.front().weight, alone / 2);
  const PointTerms terms = reader.TermsOf("zyzzyva overview", {});
  EXPECT_LT(TermOf(terms.point, "overview")->weight, alone / 2);
}

TEST_F(TermsTest, AnUnclosedBracketAndOneTooManyDoNoHarm) {
  TermReader reader(searcher());
  const double alone = reader.TermsOf("zyzzyva", {}).point.front().weight;
  EXPECT_EQ(reader.TermsOf(") zyzzyva", {}).point.front().weight, alone);
  EXPECT_EQ(reader.TermsOf("( zyzzyva", {}).point.front().weight, alone / 2);
}

TEST_F(TermsTest, TheContextHasOnlyWhatThePointHasNot) {
  TermReader reader(searcher());
  const PointTerms terms = reader.TermsOf("barrier", {"Barrier kinds", "Kernel kinds"});
  EXPECT_EQ(WrittenOf(terms.context), (std::vector<std::string>{"kinds", "Kernel"}));
  EXPECT_TRUE(terms.point.front().is_subject);
  EXPECT_FALSE(reader.TermsOf("barrier", {"Kernel"}).point.front().is_subject);
}

TEST_F(TermsTest, WhatIsFurtherAwayCountsForLess) {
  TermReader reader(searcher());
  const PointTerms terms = reader.TermsOf("barrier", {"zyzzyva", "frobnication"});
  EXPECT_EQ(TermOf(terms.context, "zyzzyva")->weight,
            2 * TermOf(terms.context, "frobnication")->weight);
}

TEST_F(TermsTest, AReaderSeesNamesWholeAndInParts) {
  TermReader reader(searcher());
  TermSet words;
  reader.Read("Call cudaGraphLaunch, then TORCH_CUDA_ARCH_LIST.", words);
  EXPECT_EQ(ShareOf(reader.TermsOf("cudaGraphLaunch", {}).point, words), 1);
  EXPECT_EQ(ShareOf(reader.TermsOf("launch of a graph", {}).point, words), 1);
  EXPECT_EQ(ShareOf(reader.TermsOf("zyzzyva", {}).point, words), 0);
}

TEST_F(TermsTest, AWordOfAnyLengthIsReadWithoutHarm) {
  TermReader reader(searcher());
  TermSet words;
  reader.Read(std::string(100'000, 'x') + " barrier", words);
  EXPECT_EQ(words.size(), 1U);
}

TEST_F(TermsTest, TheShareOfNothingIsNothing) {
  TermReader reader(searcher());
  TermSet words;
  reader.Read("barrier", words);
  EXPECT_EQ(ShareOf({}, words), 0);
  EXPECT_EQ(Support({}, words), 0);
}

TEST_F(TermsTest, TheContextSupportsLittle) {
  TermReader reader(searcher());
  const PointTerms terms = reader.TermsOf("zyzzyva", {"barrier"});
  TermSet point;
  reader.Read("zyzzyva", point);
  TermSet context;
  reader.Read("barrier", context);
  EXPECT_DOUBLE_EQ(Support(terms, point), 0.75);
  EXPECT_DOUBLE_EQ(Support(terms, context), 0.25);
}

TEST_F(TermsTest, TellingWordsAreCounted) {
  TermReader reader(searcher());
  const PointTerms terms = reader.TermsOf("kernel barrier", {});
  const double telling = reader.TellingWeight();
  EXPECT_EQ(CountTelling(terms.point, telling), 1U);
  TermSet words;
  reader.Read("kernel", words);
  EXPECT_EQ(CountTelling(terms.point, telling, words), 0U);
  reader.Read("barriers", words);
  EXPECT_EQ(CountTelling(terms.point, telling, words), 1U);
}

TEST(Symbols, KeepTheirOrderAndComeOnce) {
  EXPECT_EQ(SymbolsIn("torch.profiler calls cudaGraphLaunch, torch.profiler and -gencode."),
            (std::vector<std::string>{"torch.profiler", "cudaGraphLaunch", "-gencode"}));
}

TEST(Symbols, AreNotWordsOfProse) {
  EXPECT_TRUE(SymbolsIn("The GPU runs kernels. It is fast; see CUDA - and so on/etc.").empty());
  EXPECT_TRUE(SymbolsIn("").empty());
  EXPECT_TRUE(SymbolsIn("... --- ::: ///").empty());
}

TEST(Symbols, DoNotEndInPunctuation) {
  EXPECT_EQ(SymbolsIn("Set USE_CUDA=."), std::vector<std::string>{"USE_CUDA"});
  EXPECT_EQ(SymbolsIn("(std::vector)"), std::vector<std::string>{"std::vector"});
  EXPECT_EQ(SymbolsIn("cp.async: copies"), std::vector<std::string>{"cp.async"});
}

TEST(Brackets, AreLeftOutWhenSomethingStandsBeforeThem) {
  EXPECT_EQ(WithoutBrackets("Tensor Cores gen 3 (TF32, BF16)"), "Tensor Cores gen 3");
  EXPECT_EQ(WithoutBrackets("(only this)"), "(only this)");
  EXPECT_EQ(WithoutBrackets("  plain  "), "plain");
  EXPECT_EQ(WithoutBrackets(""), "");
}

}  // namespace
}  // namespace sibyl::draft
