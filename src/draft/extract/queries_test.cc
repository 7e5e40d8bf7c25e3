// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/queries.h"

#include <gtest/gtest.h>

#include "draft/extract/gather.h"
#include "draft/title.h"

namespace sibyl::draft {
namespace {

using QueryTexts = std::vector<std::string>;

QueryTexts TextsOf(const std::vector<PointQuery>& queries) {
  QueryTexts texts;
  for (const PointQuery& query : queries) texts.push_back(query.text);
  return texts;
}

class QueriesTest : public testing::Test {
 protected:
  std::vector<PointQuery> Of(std::string_view point, int attempt = 1) const {
    return QueriesOf(point, {.plan = plan_, .part = part_, .section = section_}, attempt);
  }

  plan::Plan plan_;
  plan::Part part_;
  plan::Section section_{.title = "Sizes"};
};

TEST_F(QueriesTest, ThePointAloneThenInItsSection) {
  plan_.topic = "Gadgets (all kinds)";
  const std::vector<PointQuery> queries = Of("Cache **size**");
  ASSERT_EQ(queries.size(), 2U);
  EXPECT_EQ(queries[0].text, "Cache size");
  EXPECT_EQ(queries[0].context, "Sizes");
  EXPECT_EQ(queries[1].text, "Cache size Sizes");
  EXPECT_EQ(queries[1].context, "Gadgets");
}

TEST_F(QueriesTest, NamesAreAskedForAloneAndCountForLess) {
  const std::vector<PointQuery> queries = Of("USE_PROF and torch.profiler");
  ASSERT_EQ(queries.size(), 4U);
  EXPECT_EQ(queries[2].text, "USE_PROF");
  EXPECT_EQ(queries[3].text, "torch.profiler");
  EXPECT_LT(queries[2].weight, queries[0].weight);
}

TEST_F(QueriesTest, AtMostFourQueriesOfThePlanAreAsked) {
  for (int i = 0; i < 9; ++i) part_.queries.push_back({.text = "query " + std::to_string(i)});
  EXPECT_EQ(Of("Cache size").size(), 6U);
}

TEST_F(QueriesTest, NothingIsAskedTwiceAndNothingEmpty) {
  part_.queries = {{.text = "site:example.org 2024"}, {.text = "cache"}, {.text = "\"cache\""}};
  EXPECT_EQ(TextsOf(Of("Cache size")), (QueryTexts{"Cache size", "Cache size Sizes", "cache"}));
}

TEST_F(QueriesTest, TheSecondAttemptAsksForThePieces) {
  const QueryTexts texts = TextsOf(Of("Tensor Cores (TF32, BF16, FP8 formats)", 2));
  for (const char* piece : {"Tensor Cores", "TF32", "BF16", "FP8 formats"}) {
    EXPECT_NE(std::find(texts.begin(), texts.end(), piece), texts.end()) << piece;
  }
}

TEST(CleanQueries, LoseSitesYearsAndQuotes) {
  EXPECT_EQ(CleanQuery("site:docs.nvidia.com \"CUPTI range profiling\" 2024 tutorial"),
            "CUPTI range profiling");
  EXPECT_EQ(CleanQuery("Search: cuda vs hip github"), "cuda hip");
  EXPECT_EQ(CleanQuery("1024 threads"), "1024 threads") << "not a year";
  EXPECT_EQ(CleanQuery("  \t "), "");
}

TEST(PlainPoints, HaveNoMarks) {
  EXPECT_EQ(PlainPoint("**Cache** of `kernels`"), "Cache of kernels");
  EXPECT_EQ(PlainPoint("an *emphasis* here"), "an emphasis here");
  EXPECT_EQ(PlainPoint("***both*** and *one*"), "both and one");
  EXPECT_EQ(PlainPoint("one\ttwo\n"), "one two");
  EXPECT_EQ(PlainPoint(""), "");
}

TEST(PlainPoints, KeepAStarThatIsNoMark) {
  EXPECT_EQ(PlainPoint("a*b"), "a*b");
  EXPECT_EQ(PlainPoint("tiles of M * N"), "tiles of M * N");
  EXPECT_EQ(PlainPoint("float* p"), "float* p");
}

TEST(Titles, AreThoseOfTheParts) {
  EXPECT_EQ(TitleOf({}, {.number = 1, .title = "The `cache`", .target = "gad/01-x.md"}),
            "The cache");
  EXPECT_EQ(TitleOf({}, {.number = 1, .title = "Create gad/01-x.md", .target = {}}),
            "Create gad/01-x.md");
}

TEST(Titles, ComeFromTheFileNameInThePlansSpelling) {
  plan::Plan plan;
  plan.topic = "CUPTI and cuBLAS";
  const plan::Part part{.number = 1,
                        .title = "Create cuda/20-cupti-and-cublas-limits.md",
                        .target = "cuda/20-cupti-and-cublas-limits.md"};
  EXPECT_EQ(TitleOf(plan, part), "CUPTI and cuBLAS limits");
  const plan::Part bare{.number = 1, .title = "create x", .target = "16.md"};
  EXPECT_EQ(TitleOf(plan, bare), "create x") << "a file name without words";
}

TEST(Sections, OfAPartThatNamesNoneAreItsTopicsQueriesOrGoal) {
  plan::Part part{.number = 1, .title = "Caches", .target = "a/01-b.md"};
  part.goal = "Know the cache";
  EXPECT_EQ(SectionsOf(part).at(0).points.at(0).text, "Know the cache");
  part.queries = {{.text = "cache size 2024"}};
  EXPECT_EQ(SectionsOf(part).at(0).points.at(0).text, "cache size");
  part.steps = {{.number = 2, .items = {{.text = "Sizes"}, {.text = "Limits"}}}};
  ASSERT_EQ(SectionsOf(part).at(0).points.size(), 2U);
  EXPECT_EQ(SectionsOf(part).at(0).title, "Caches");
  part.sections = {{.title = "Alone"}};
  ASSERT_EQ(SectionsOf(part).size(), 1U);
  EXPECT_EQ(SectionsOf(part).at(0).points.at(0).text, "Alone") << "its own point";
}

}  // namespace
}  // namespace sibyl::draft
