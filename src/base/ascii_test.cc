// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.h"

#include <gtest/gtest.h>

#include <cctype>

namespace sibyl {
namespace {

// The C locale is what these functions promise, for every byte.
TEST(Ascii, AgreesWithTheCLocale) {
  for (int byte = 0; byte < 256; ++byte) {
    const auto c = static_cast<char>(byte);
    EXPECT_EQ(IsDigit(c), std::isdigit(byte) != 0) << byte;
    EXPECT_EQ(IsLower(c), std::islower(byte) != 0) << byte;
    EXPECT_EQ(IsUpper(c), std::isupper(byte) != 0) << byte;
    EXPECT_EQ(IsLetter(c), std::isalpha(byte) != 0) << byte;
    EXPECT_EQ(IsAlphanumeric(c), std::isalnum(byte) != 0) << byte;
    EXPECT_EQ(IsNameStart(c), std::isalpha(byte) != 0 || c == '_') << byte;
    EXPECT_EQ(IsNameByte(c), std::isalnum(byte) != 0 || c == '_') << byte;
    EXPECT_EQ(IsBlank(c), std::isspace(byte) != 0) << byte;
    EXPECT_EQ(HexValue(c) >= 0, std::isxdigit(byte) != 0) << byte;
  }
}

TEST(Ascii, HexadecimalDigitsHaveTheirValue) {
  EXPECT_EQ(HexValue('0'), 0);
  EXPECT_EQ(HexValue('9'), 9);
  EXPECT_EQ(HexValue('a'), 10);
  EXPECT_EQ(HexValue('F'), 15);
  EXPECT_EQ(HexValue('g'), -1);
}

}  // namespace
}  // namespace sibyl
