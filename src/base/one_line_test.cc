// SPDX-License-Identifier: Apache-2.0
#include "base/one_line.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/utf8.h"

namespace sibyl {
namespace {

TEST(OneLine, HasNoControlsAndSingleBlanks) {
  EXPECT_EQ(OneLine("  one\r\n\ttwo \x1b[1m\x7f three\xff "), "one two [1m three");
  EXPECT_EQ(OneLine(""), "");
  EXPECT_EQ(OneLine(" \n "), "");
}

TEST(OneLine, IsCutBetweenCharacters) {
  EXPECT_EQ(OneLine("größe", 6), "größ…");
  EXPECT_EQ(OneLine("größe", 3), "gr…");
  EXPECT_EQ(OneLine("größe", 7), "größe");
  EXPECT_EQ(OneLine("ab cd", 3), "ab…") << "no blank before the sign";
  EXPECT_EQ(OneLine("ab  ", 2), "ab");
}

TEST(OneLine, IsValidForAnyBytes) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    const std::string line = OneLine(bytes, 20);
    RC_ASSERT(!FindInvalidUtf8(line));
    RC_ASSERT(line.size() <= 20 + std::string_view("…").size());
    RC_ASSERT(OneLine(line) == line);
  }));
}

}  // namespace
}  // namespace sibyl
