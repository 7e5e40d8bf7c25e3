// SPDX-License-Identifier: Apache-2.0
#include "draft/point/records.h"

#include <gtest/gtest.h>

namespace sibyl::draft {
namespace {

class RecordsTest : public testing::Test {
 protected:
  RecordsTest() {
    Add("graphs", "graph", "time", "us", "n 8: time 2.1 us");
    Add("graphs", "graph", "time", "us", "n 64: time 9.4 us");
    Add("graphs", "stream", "time", "us", "n 8: time 21 us");
    Add("precision", "graph-sum", "error", "", "error 0.01");
    records_.push_back({.words = "build/libgad.so: cuda cubin.sm_90 count is 12",
                        .identity = "build/libgad.so",
                        .series = "build/libgad.so cubin",
                        .label = "build/libgad.so",
                        .citation = evidence::FactCitation{"ab", "cuda", "cubin.sm_90.count"}});
  }

  void Add(const std::string& lab, const std::string& variant, const std::string& metric,
           const std::string& unit, const std::string& value) {
    records_.push_back({.words = "measured by the lab " + lab + ": " + variant + ", " + value,
                        .identity = lab + " " + variant,
                        .series = lab + " " + variant + " " + metric,
                        .unit = unit,
                        .label = "lab " + lab,
                        .citation = evidence::LabCitation{"0123", variant + value}});
  }

  std::vector<std::string> Of(std::string_view text, std::string_view title) const {
    plan::Plan plan;
    plan::Part part;
    plan::Section section{.title = "Measurements"};
    const PlanPoint point =
        ReadPlanPoint(text, {.plan = plan, .part = part, .section = section}, title, {});
    std::vector<std::string> words;
    for (const Record& record : RecordsOf(point, records_)) words.push_back(record.words);
    return words;
  }

  std::vector<Record> records_;
};

TEST_F(RecordsTest, APointThatAsksHowFastIsAnsweredByMeasurementsOfItsTopic) {
  const std::vector<std::string> words = Of("Performance benefits (2-3x speedup)", "CUDA graphs");
  ASSERT_EQ(words.size(), 2U);
  EXPECT_NE(words[0].find("n 8: time 2.1 us"), std::string::npos);
  EXPECT_NE(words[1].find("stream"), std::string::npos);
  EXPECT_EQ(Of("Benefits (10\u00d7)", "CUDA graphs").size(), 2U);
}

TEST_F(RecordsTest, OtherPointsAndOtherTopicsAreNot) {
  EXPECT_TRUE(Of("Performance benefits (2-3x speedup)", "Espresso machines").empty());
  EXPECT_TRUE(Of("Capture rules", "CUDA graphs").empty());
  EXPECT_TRUE(Of("Build for 2x platforms2", "Espresso").empty());
}

TEST_F(RecordsTest, AFactAnswersAPointThatHasItsWords) {
  EXPECT_EQ(Of("libgad cubin count", "Packaging").size(), 1U);
  EXPECT_TRUE(Of("cubin count", "Packaging").empty());
}

}  // namespace
}  // namespace sibyl::draft
