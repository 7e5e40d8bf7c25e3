// SPDX-License-Identifier: Apache-2.0
#include "index/rank/scorer.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <random>

#include "index/test_index.h"

namespace sibyl::index {
namespace {

// Words distributed as in natural language: few are common, most are rare.
std::string RandomText(std::mt19937& random, int lines) {
  std::exponential_distribution<double> rank(0.02);
  std::string text;
  for (int line = 0; line < lines; ++line) {
    for (int word = 0; word < 6; ++word) {
      text += "w" + std::to_string(static_cast<int>(rank(random))) + " ";
    }
    text += "\n";
  }
  return text;
}

MemorySource RandomSource(unsigned seed, int files) {
  std::mt19937 random(seed);
  MemorySource source;
  for (int i = 0; i < files; ++i) {
    source.Add({.path = "f" + std::to_string(i),
                .text = RandomText(random, 1 + static_cast<int>(random() % 300)),
                .language = {},
                .passages = {},
                .blob = {}});
  }
  return source;
}

std::vector<std::uint64_t> Flatten(std::vector<ScoredPassage> scored) {
  std::vector<std::uint64_t> flat;
  for (const ScoredPassage& one : scored) {
    flat.push_back(std::uint64_t{one.score} << 32 | one.passage);
  }
  return flat;
}

TEST(Scorer, FindsWhatAddingUpEverythingFinds) {
  MemorySource source = RandomSource(1, 5000);
  TestIndex test;
  test.Build(source);
  const Index index = test.Open();
  const Segment& segment = index.parts()[0].segment;
  ASSERT_GT(segment.passage_count(), 2 * 8192U);  // more than one window
  Scorer scorer;
  EXPECT_TRUE(rc::check([&] {
    std::vector<WeightedPostings> terms;
    std::uint32_t left = kMaxWeightSum;
    for (int i = *rc::gen::inRange(1, 8); i > 0; --i) {
      const std::string word = "w" + std::to_string(*rc::gen::inRange(0, 250));
      const std::uint32_t weight = *rc::gen::inRange<std::uint32_t>(1, left / 2 + 2);
      if (weight > left) break;
      left -= weight;
      terms.push_back({.postings = segment.Find(word).value_or(TermPostings{}), .weight = weight});
    }
    std::vector<std::uint64_t> allowed;
    if (*rc::gen::inRange(0, 3) == 0) {
      for (std::size_t i = 0; i <= segment.passage_count() / 64; ++i) {
        allowed.push_back(*rc::gen::arbitrary<std::uint64_t>());
      }
    }
    const ScoredSegment scored{.segment = &segment, .number = 0, .allowed = allowed};
    const auto limit = *rc::gen::inRange<std::size_t>(1, 50);
    TopPassages pruned(limit);
    scorer.Score(scored, terms, pruned);
    TopPassages exhaustive(limit);
    ScoreExhaustively(scored, terms, exhaustive);
    RC_ASSERT(Flatten(pruned.Take()) == Flatten(exhaustive.Take()));
  }));
}

TEST(TopPassages, KeepTheFirstOfEquals) {
  TopPassages top(2);
  for (std::uint32_t i = 0; i < 5; ++i) top.Offer({.score = 7, .segment = 0, .passage = i});
  const std::vector<ScoredPassage> best = top.Take();
  ASSERT_EQ(best.size(), 2U);
  EXPECT_EQ(best[0].passage, 0U);
  EXPECT_EQ(best[1].passage, 1U);
}

}  // namespace
}  // namespace sibyl::index
