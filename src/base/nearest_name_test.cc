// SPDX-License-Identifier: Apache-2.0
#include "base/nearest_name.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace sibyl {
namespace {

const std::vector<std::string> kCommands = {"search", "status", "plan", "source", "serve", "lab"};

TEST(EditDistance, CountsSlips) {
  EXPECT_EQ(EditDistance("", "abc"), 3U);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3U);
  EXPECT_EQ(EditDistance("serach", "search"), 1U);
  EXPECT_EQ(EditDistance("plan", "plan"), 0U);
}

TEST(EditDistance, IsTheSameBothWaysAndZeroOnlyForEquals) {
  EXPECT_TRUE(rc::check([](const std::string& a, const std::string& b) {
    RC_ASSERT(EditDistance(a, b) == EditDistance(b, a));
    RC_ASSERT((EditDistance(a, b) == 0) == (a == b));
    RC_ASSERT(EditDistance(a, b) <= std::max(a.size(), b.size()));
  }));
}

TEST(NearestName, NamesWhatWasProbablyMeant) {
  EXPECT_EQ(NearestName("serach", kCommands), "search");
  EXPECT_EQ(NearestName("stats", kCommands), "status");
  EXPECT_EQ(NearestName("PLAN", kCommands), "plan");
  EXPECT_EQ(NearestName("lba", kCommands), "lab");
}

TEST(NearestName, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(NearestName("frobnicate", kCommands), std::nullopt);
  EXPECT_EQ(NearestName("x", kCommands), std::nullopt);
  EXPECT_EQ(NearestName("", kCommands), std::nullopt);
  EXPECT_EQ(NearestName(std::string(1'000'000, 's'), kCommands), std::nullopt);
  EXPECT_EQ(NearestName("q", std::vector<std::string>{"x"}), std::nullopt);
}

}  // namespace
}  // namespace sibyl
