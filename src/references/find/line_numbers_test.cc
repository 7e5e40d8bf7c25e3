// SPDX-License-Identifier: Apache-2.0
#include "references/find/line_numbers.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::references {
namespace {

std::string Read(std::string_view text, NumberStyle style = NumberStyle::kColon) {
  std::string ranges;
  for (const ReadRange& range : ReadLineNumbers(text, 0, style).ranges) {
    if (!ranges.empty()) ranges += ' ';
    if (range.is_approximate) ranges += '~';
    ranges += std::to_string(range.lines.first);
    if (range.lines.last != range.lines.first) ranges += "-" + std::to_string(range.lines.last);
  }
  return ranges;
}

TEST(LineNumbers, AreOneLineARangeOrAList) {
  EXPECT_EQ(Read("12"), "12");
  EXPECT_EQ(Read("12-20 more"), "12-20");
  EXPECT_EQ(Read("12,34"), "12 34");
  EXPECT_EQ(Read("12-20,34-40)"), "12-20 34-40");
  EXPECT_EQ(Read("49/293/327"), "49 293 327");
}

TEST(LineNumbers, HaveDashesOfAnyKind) {
  for (const std::string_view text : {"12-20", "12–20", "12—20", "12..20", "12..=20", "L12-L20"}) {
    EXPECT_EQ(Read(text), "12-20") << text;
  }
  EXPECT_EQ(Read("12 to 20", NumberStyle::kWords), "12-20");
  EXPECT_EQ(Read("12 – 20", NumberStyle::kWords), "12-20");
}

TEST(LineNumbers, MayHaveAColumn) {
  EXPECT_EQ(Read("12:5"), "12");
  EXPECT_EQ(ReadLineNumbers("12:5 x", 0, NumberStyle::kColon).end, 4U);
  EXPECT_EQ(Read("L10C5-L20C3"), "10-20");
}

TEST(LineNumbers, MayBeApproximate) {
  EXPECT_EQ(Read("~120-130"), "~120-130");
  EXPECT_EQ(Read("≈120", NumberStyle::kWords), "~120");
}

TEST(LineNumbers, CompleteAShortEnd) { EXPECT_EQ(Read("1234-40"), "1234-1240"); }

TEST(LineNumbers, AreNotOtherNumbers) {
  for (const std::string_view text : {"95.9%", "50%", "12px", "0", "1.5", "12345678"}) {
    EXPECT_EQ(Read(text, NumberStyle::kWords), "") << text;
  }
}

TEST(LineNumbers, DoNotTakeACountForALine) {
  EXPECT_EQ(Read("12, 34 tests pass"), "12");
  EXPECT_EQ(Read("12, 34."), "12 34");
}

TEST(LineNumbers, MayBeComparedOrEndACell) {
  EXPECT_EQ(Read("295 vs 306 | Critical"), "295 306");
  EXPECT_EQ(Read("12 and 34)"), "12 34");
  EXPECT_EQ(Read("12 and 34 tests"), "12");
  EXPECT_EQ(Read("30-44, 89-94, 101-108 | **Risk**"), "30-44 89-94 101-108");
}

TEST(LineNumbers, KeepTheBytesOfEachNumber) {
  const LineNumbers read = ReadLineNumbers("x L12-L20", 2, NumberStyle::kColon);
  ASSERT_EQ(read.ranges.size(), 1U);
  EXPECT_EQ(read.ranges[0].first_begin, 3U);
  EXPECT_EQ(read.ranges[0].first_end, 5U);
  EXPECT_EQ(read.ranges[0].last_begin, 7U);
  EXPECT_EQ(read.end, 9U);
}

}  // namespace
}  // namespace sibyl::references
