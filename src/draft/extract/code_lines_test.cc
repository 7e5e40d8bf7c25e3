// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/code_lines.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace sibyl::draft {
namespace {

using CodeLines = std::vector<std::string>;

std::optional<LineRange> Block(std::string_view language, std::string_view text, LineRange unit,
                               std::size_t most = 20) {
  return WholeBlock({.language = language, .text = text}, unit, most);
}

TEST(WholeBlock, ADefinitionIsShownWhole) {
  const std::string_view text = "int Area(int a) {\n  return a * a;\n}\n";
  EXPECT_EQ(WholeBlock({.language = "c++", .text = text, .is_whole = true}, {2, 2}, 20),
            (LineRange{1, 3}));
}

TEST(WholeBlock, AStatementGoesToWhereItsBracketsAreClosed) {
  EXPECT_EQ(Block("c++", "int a = 1;\nStart(a,\n      b);\nint c;\n", {2, 2}), (LineRange{2, 3}));
  EXPECT_EQ(Block("c++", "if (a) {\n  b();\n}\nc();\n", {1, 1}), (LineRange{1, 3}));
}

TEST(WholeBlock, ABlockOfCMakeOrAShellIsClosed) {
  EXPECT_EQ(Block("cmake", "if(A)\n  set(B 1)\nendif()\nset(C 2)\n", {1, 1}), (LineRange{1, 3}));
  EXPECT_EQ(Block("shell", "for i in a; do\n  b\ndone\n", {1, 1}), (LineRange{1, 3}));
}

TEST(WholeBlock, WhatIsIndentedBelongsToAStatementOfPython) {
  EXPECT_EQ(Block("python", "with a:\n    b()\n\n    c()\nd()\n", {1, 1}), (LineRange{1, 4}));
}

TEST(WholeBlock, ALineThatGoesOnTakesTheNextWithIt) {
  EXPECT_EQ(Block("shell", "cd build\nprofiler \\\n  --fast\nmake\n", {2, 2}), (LineRange{2, 3}));
}

TEST(WholeBlock, IsNothingIfItIsTornOrTooLong) {
  EXPECT_FALSE(Block("c++", "  b();\n}\nc();\n", {1, 2})) << "closes what was not opened";
  EXPECT_FALSE(Block("c++", "if (a) {\n  b();\n", {1, 1})) << "has no end";
  EXPECT_FALSE(Block("cmake", "if(A)\n  set(B 1)\n", {1, 1}));
  EXPECT_FALSE(Block("python", "with a:\n    b()\n", {1, 1})) << "may go on after the passage";
  EXPECT_FALSE(Block("c++", "f(\n1,\n2,\n3,\n4);\n", {1, 1}, 3));
  EXPECT_FALSE(Block("c++", "f(\"" + std::string(200, 'x') + "\");\n", {1, 1})) << "data";
  EXPECT_FALSE(Block("c++", "f();\n", {2, 2}));
  EXPECT_FALSE(Block("c++", "", {1, 1}));
}

TEST(Dedents, ByWhatAllLinesShare) {
  const std::vector<std::string_view> lines = SplitLines("  a\n    b\n\n  \n  c");
  EXPECT_EQ(Dedent(lines, 0, 4), (CodeLines{"a", "  b", "", "", "c"}));
  EXPECT_EQ(Dedent(lines, 1, 1), CodeLines{"b"});
  EXPECT_EQ(Dedent(lines, 2, 2), CodeLines{""});
}

TEST(Fences, HaveTheNamesThatMarkdownUses) {
  EXPECT_EQ(FenceName("c++"), "cpp");
  EXPECT_EQ(FenceName("cuda"), "cuda");
  EXPECT_EQ(FenceName("shell"), "bash");
  EXPECT_EQ(FenceName("text"), "");
  EXPECT_EQ(FenceName("markdown"), "");
  EXPECT_EQ(FenceName("python"), "python");
  EXPECT_EQ(CommentMark("cmake"), "# ");
  EXPECT_EQ(CommentMark("cuda"), "// ");
  EXPECT_EQ(CommentMark("json"), "");
}

}  // namespace
}  // namespace sibyl::draft
