// SPDX-License-Identifier: Apache-2.0
#include "base/hex.h"

#include <gtest/gtest.h>

#include <vector>

namespace sibyl {
namespace {

TEST(Hex, HasTwoLowerCaseDigitsForEachByte) {
  EXPECT_EQ(HexOf(std::vector<unsigned char>{0x00, 0x0a, 0xf9, 0xff}), "000af9ff");
  EXPECT_EQ(HexOf({}), "");
}

TEST(Hex, IsToldFromOtherText) {
  EXPECT_TRUE(IsLowerHex("0123456789abcdef"));
  EXPECT_TRUE(IsLowerHex(""));
  for (const char* text : {"A", "g", "0x1", "12 ", "-1"}) EXPECT_FALSE(IsLowerHex(text)) << text;
}

}  // namespace
}  // namespace sibyl
