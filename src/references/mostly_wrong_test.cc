// SPDX-License-Identifier: Apache-2.0
#include "references/mostly_wrong.h"

#include <gtest/gtest.h>

namespace sibyl::references {
namespace {

Judged Drifted(std::optional<bool> held_then) {
  return {.status = CitationStatus::kDrifted,
          .suggestion = Target{.path = "a.rs", .lines = {9, 9}},
          .is_certain = true,
          .commit = "1a2b3c",
          .held_then = held_then};
}

TEST(MostlyWrong, WhatDidNotHoldIsWrongWhereMostDidNot) {
  std::vector<std::optional<Judged>> judged = {Drifted(true), Drifted(false), Drifted(false),
                                               Drifted(false), Drifted(std::nullopt)};
  CallMostlyWrong(judged);
  EXPECT_EQ(judged[0]->status, CitationStatus::kDrifted);
  EXPECT_TRUE(judged[0]->suggestion);
  EXPECT_EQ(judged[1]->status, CitationStatus::kWrong);
  EXPECT_EQ(judged[4]->status, CitationStatus::kWrong);
  EXPECT_FALSE(judged[4]->suggestion);
  EXPECT_FALSE(judged[4]->is_certain);
}

TEST(MostlyWrong, SaysNothingWhereMostHeldOrFewAreKnown) {
  std::vector<std::optional<Judged>> most = {Drifted(true), Drifted(true), Drifted(true),
                                             Drifted(false), Drifted(std::nullopt)};
  CallMostlyWrong(most);
  EXPECT_EQ(most[4]->status, CitationStatus::kDrifted);
  std::vector<std::optional<Judged>> few = {Drifted(false), Drifted(false), Drifted(std::nullopt)};
  CallMostlyWrong(few);
  EXPECT_EQ(few[2]->status, CitationStatus::kDrifted);
}

}  // namespace
}  // namespace sibyl::references
