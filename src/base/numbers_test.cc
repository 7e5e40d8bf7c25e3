// SPDX-License-Identifier: Apache-2.0
#include "base/numbers.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace sibyl {
namespace {

TEST(ParseNumber, NeedsTheWholeText) {
  EXPECT_EQ(ParseNumber<int>("12"), 12);
  EXPECT_EQ(ParseNumber<int>("-12"), -12);
  EXPECT_EQ(ParseNumber<int>("007"), 7);
  EXPECT_EQ(ParseNumber<double>("1.5"), 1.5);
  for (const std::string_view text : {"", " 12", "12 ", "+12", "0x12", "1.5", "twelve"}) {
    EXPECT_EQ(ParseNumber<int>(text), std::nullopt) << text;
  }
}

TEST(ParseNumber, RefusesWhatDoesNotFit) {
  EXPECT_EQ(ParseNumber<std::uint16_t>("65535"), 65535);
  EXPECT_EQ(ParseNumber<std::uint16_t>("65536"), std::nullopt);
  EXPECT_EQ(ParseNumber<unsigned>("-1"), std::nullopt);
  EXPECT_EQ(ParseNumber<std::int64_t>("99999999999999999999"), std::nullopt);
}

TEST(Grouped, SetsACommaBeforeEveryThreeDigits) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
}

}  // namespace
}  // namespace sibyl
