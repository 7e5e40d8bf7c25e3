// SPDX-License-Identifier: Apache-2.0
#include "passages/file_outline.h"

#include <gtest/gtest.h>

namespace sibyl::passages {
namespace {

TEST(FileOutline, ASectionEndsBeforeTheNextOfItsLevel) {
  const auto outline = FileOutline("markdown", "# A\n\ntext\n\n## B\n\nb\n\n## C\n# D\nd\n");
  const std::vector<OutlineEntry> expected = {
      {1, 9, 0, "A"}, {5, 8, 1, "B"}, {9, 9, 1, "C"}, {10, 11, 0, "D"}};
  EXPECT_EQ(outline, expected);
}

TEST(FileOutline, AClassHoldsItsFunctions) {
  const auto outline =
      FileOutline("c++", "namespace n {\nstruct A {\n  int f() {\n    return 1;\n  }\n};\n}\n");
  ASSERT_EQ(outline.size(), 2U);
  EXPECT_EQ(outline[0].label, "n::A");
  EXPECT_EQ(outline[1].depth, 1U);
  EXPECT_EQ(outline[1].first_line, 3U);
  EXPECT_EQ(outline[1].last_line, 5U);
}

TEST(FileOutline, IsEmptyWhereNothingIsKnown) {
  EXPECT_TRUE(FileOutline("", "text\n").empty());
  EXPECT_TRUE(FileOutline("markdown", "").empty());
  EXPECT_TRUE(FileOutline("python", "x = 1\n").empty());
}

TEST(FileOutline, ANameIsFoundWholeThenByItsLastPartThenWithoutCase) {
  const std::vector<OutlineEntry> outline = {
      {1, 2, 0, "n::A"}, {3, 4, 0, "m::A"}, {5, 6, 0, "Build options"}};
  EXPECT_EQ(FindInOutline(outline, "n::A").size(), 1U);
  EXPECT_EQ(FindInOutline(outline, "A").size(), 2U);
  EXPECT_EQ(FindInOutline(outline, "build OPTIONS").size(), 1U);
  EXPECT_EQ(FindInOutline(outline, "N::a").size(), 1U);
  EXPECT_TRUE(FindInOutline(outline, "B").empty());
}

}  // namespace
}  // namespace sibyl::passages
