// SPDX-License-Identifier: Apache-2.0
#include "base/strings.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace sibyl {
namespace {

using Lines = std::vector<std::string_view>;

TEST(Trim, TakesBlanksFromBothEndsAndNoneFromTheMiddle) {
  EXPECT_EQ(Trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(Trim(" \n "), "");
  EXPECT_EQ(Trim(""), "");
}

TEST(IgnoringCase, IsAboutAsciiOnly) {
  EXPECT_EQ(LowerCase("PART Ä"), "part Ä");
  EXPECT_EQ(LowerCase("@AZ[`az{ ÄÖÜ \xC1\xDA 0123456789"), "@az[`az{ ÄÖÜ \xC1\xDA 0123456789");
  EXPECT_TRUE(EqualsIgnoringCase("TBD", "tbd"));
  EXPECT_FALSE(EqualsIgnoringCase("TBD", "tb"));
  EXPECT_TRUE(StartsWithIgnoringCase("Part 3", "PART"));
  EXPECT_FALSE(StartsWithIgnoringCase("Par", "PART"));
}

TEST(SplitLines, KnowsAllThreeEnds) {
  EXPECT_EQ(SplitLines("a\nb\r\nc\rd"), (Lines{"a", "b", "c", "d"}));
  EXPECT_EQ(SplitLines("a\n\n"), (Lines{"a", ""}));
  EXPECT_EQ(SplitLines("\r\r\n"), (Lines{"", ""}));
  EXPECT_EQ(SplitLines(""), Lines{});
}

TEST(SplitLines, LosesNothingButTheEnds) {
  EXPECT_TRUE(rc::check([](const std::vector<std::string>& words) {
    std::string text;
    std::vector<std::string> expected;
    for (std::string word : words) {
      std::erase_if(word, [](char c) { return c == '\n' || c == '\r'; });
      text += word + "\n";
      expected.push_back(word);
    }
    const Lines lines = SplitLines(text);
    RC_ASSERT(std::vector<std::string>(lines.begin(), lines.end()) == expected);
  }));
}

TEST(Count, SaysOneAndMany) {
  EXPECT_EQ(Count(0, "part"), "0 parts");
  EXPECT_EQ(Count(1, "entry", "entries"), "1 entry");
  EXPECT_EQ(Count(2, "entry", "entries"), "2 entries");
}

TEST(Join, PutsTheSeparatorOnlyBetween) {
  EXPECT_EQ(Join({}, ", "), "");
  EXPECT_EQ(Join({"a"}, ", "), "a");
  EXPECT_EQ(Join({"a", "", "b"}, ", "), "a, , b");
}

}  // namespace
}  // namespace sibyl
