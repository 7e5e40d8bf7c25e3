// SPDX-License-Identifier: Apache-2.0
#include "references/past/line_map.h"

#include <gtest/gtest.h>

namespace sibyl::references {
namespace {

TEST(LineMap, FollowsLinesThatMoved) {
  const CodeFile before("one\ntwo\nthree\n");
  const CodeFile after("new\nnewer\none\ntwo\nthree\n");
  const LineMap map(before, after);
  EXPECT_EQ(map.After(2), 4U);
  const auto range = map.After(LineRange{1, 3});
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->lines, (LineRange{3, 5}));
  EXPECT_TRUE(range->is_exact);
}

TEST(LineMap, HasNoAnswerForLinesThatChanged) {
  const LineMap map(CodeFile("one\ntwo\nthree\n"), CodeFile("one\nTWO\nthree\n"));
  EXPECT_FALSE(map.After(2).has_value());
  EXPECT_EQ(map.ShiftAround({2, 2}), 0);
}

TEST(LineMap, MatchesEqualNeighboursOfUniqueLines) {
  const LineMap map(CodeFile("}\nunique\n}\n"), CodeFile("x\n}\nunique\n}\n"));
  EXPECT_EQ(map.After(1), 2U);
  EXPECT_EQ(map.After(3), 4U);
}

TEST(LineMap, ABlankLineIsNotWhereARangeStarts) {
  const LineMap map(CodeFile("a\n\nfn one() {\n  work();\n}\n"),
                    CodeFile("a\n\nb\nc\nd\n\nfn one() {\n  work();\n}\n"));
  const auto range = map.After({2, 5});
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->lines, (LineRange{6, 9}));
}

TEST(LineMap, TellsReplacedLinesFromEditedOnes) {
  const CodeFile before("let total = sum(values, count);\n");
  EXPECT_FALSE(IsReplaced(before, CodeFile("let mut total = sum(values, 3);\n"), {1, 1}));
  EXPECT_TRUE(IsReplaced(before, CodeFile("return parse_header(input)?;\n"), {1, 1}));
}

}  // namespace
}  // namespace sibyl::references
