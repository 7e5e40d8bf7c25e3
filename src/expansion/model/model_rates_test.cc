// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/model_rates.h"

#include <gtest/gtest.h>

#include "runner/progress.h"

namespace sibyl::expansion {
namespace {

PartUse OnePart() {
  PartUse use{.model = ModelNumber("llm 3 http://x small"), .points = 10, .passages = 40};
  use.of(Stage::kSearch) = {.requests = 1, .usage = {.input = 1000, .output = 700}};
  use.of(Stage::kReading) = {.requests = 4, .usage = {.input = 16000, .output = 300}};
  use.of(Stage::kWriting) = {.requests = 4, .usage = {.input = 40000, .output = 5000}};
  use.of(Stage::kRepair) = {.requests = 3, .usage = {.input = 8000, .output = 1000}};
  use.of(Stage::kJudging) = {.requests = 10, .usage = {.input = 30000, .output = 800}};
  return use;
}

TEST(ModelRates, OfAPartAreKeptInTheLedger) {
  runner::Progress progress{.step = "checked", .figures = {{"points", 10}}};
  for (runner::Figure& figure : FiguresOf(OnePart())) progress.figures.push_back(std::move(figure));
  const auto use = UseOf(runner::ParseProgress(runner::FormatProgress(progress)));
  ASSERT_TRUE(use.has_value());
  EXPECT_EQ(use->model, OnePart().model);
  EXPECT_EQ(use->passages, 40U);
  EXPECT_EQ(use->of(Stage::kJudging).requests, 10U);
  EXPECT_EQ(use->of(Stage::kWriting).usage.output, 5000U);
  EXPECT_FALSE(UseOf({.step = "checked", .figures = {{"points", 10}}}).has_value());
}

TEST(ModelRates, AreThoseOfAllPartsTogether) {
  PartUse other = OnePart();
  other.passages = 20;
  const Rates rates = RatesOf({OnePart(), other});
  EXPECT_EQ(rates.parts, 2U);
  EXPECT_DOUBLE_EQ(rates.passages, 3);
  EXPECT_DOUBLE_EQ(rates.written, 500);
  EXPECT_DOUBLE_EQ(rates.repair_input, 0.2);
  EXPECT_DOUBLE_EQ(rates.judged_input, 6);
}

TEST(ModelRates, OfNothingAreTheUsualOnes) {
  EXPECT_EQ(RatesOf({}).parts, 0U);
  EXPECT_DOUBLE_EQ(RatesOf({}).written, Rates().written);
  PartUse unjudged = OnePart();
  unjudged.of(Stage::kJudging) = {};
  EXPECT_DOUBLE_EQ(RatesOf({unjudged}).judged_input, Rates().judged_input);
  EXPECT_LT(LowRates().written, Rates().written);
  EXPECT_GT(HighRates().written, Rates().written);
}

TEST(ModelRates, ModelsHaveOtherNumbers) {
  EXPECT_NE(ModelNumber("a"), ModelNumber("b"));
  EXPECT_GT(ModelNumber("a"), 0);
}

}  // namespace
}  // namespace sibyl::expansion
