// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/code_excerpt.h"

#include "base/strings.h"
#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

class CodeTest : public PassageTest {
 protected:
  CodeTest() {
    for (int i = 0; i < 30; ++i) Add(std::to_string(i) + ".cc", "c++", "int value = 0;\n");
  }

  std::optional<CodeExcerpt> Cut(std::string_view language, std::string_view text,
                                 std::string_view point, std::size_t most = 10) {
    TermReader reader(searcher());
    const PointTerms terms = reader.TermsOf(point, {});
    return TrimCode({.language = language, .text = text}, terms, reader, most);
  }
};

using CodeLines = std::vector<std::string>;

TEST_F(CodeTest, AsFewLinesAsSayWhatWasAsked) {
  const auto code =
      Cut("c++", "int a = 1;\nint b = 2;\nStartProfiler(a);\nint c = 3;\n", "StartProfiler");
  ASSERT_TRUE(code.has_value());
  EXPECT_EQ(code->lines, CodeLines{"StartProfiler(a);"});
  EXPECT_EQ(code->first_line, 3U);
  EXPECT_EQ(code->last_line, 3U);
  EXPECT_EQ(code->share, 1);
}

TEST_F(CodeTest, AStatementOverSeveralLinesStaysWhole) {
  const auto code =
      Cut("c++", "int a = 1;\nStartProfiler(a,\n              b,\n              c);\n",
          "StartProfiler");
  ASSERT_TRUE(code.has_value());
  EXPECT_EQ(code->first_line, 2U);
  EXPECT_EQ(code->last_line, 4U);
}

TEST_F(CodeTest, ALineThatGoesOnTakesTheNextWithIt) {
  const auto code = Cut("shell", "cd build\nprofiler --start \\\n  --fast\nmake\n", "profiler");
  ASSERT_TRUE(code.has_value());
  EXPECT_EQ(code->lines, (CodeLines{"profiler --start \\", "  --fast"}));
}

TEST_F(CodeTest, NothingIsShownThatSaysNothingOfThePoint) {
  EXPECT_FALSE(Cut("c++", "int a = 1;\nint b = 2;\n", "StartProfiler").has_value());
  EXPECT_FALSE(Cut("c++", "", "StartProfiler").has_value());
  EXPECT_FALSE(Cut("c++", "\n\n\n", "StartProfiler").has_value());
}

TEST_F(CodeTest, AStatementThatIsTooLongIsNotCut) {
  std::string call = "StartProfiler(\n";
  for (int i = 0; i < 30; ++i) call += "    1,\n";
  EXPECT_FALSE(Cut("c++", call + ");\n", "StartProfiler", 5).has_value());
}

TEST_F(CodeTest, ALineThatIsTooLongIsNotShown) {
  EXPECT_FALSE(Cut("c++", "StartProfiler(\"" + std::string(5'000, 'x') + "\");\n", "StartProfiler")
                   .has_value());
}

TEST_F(CodeTest, ACommentAloneIsNoCode) {
  EXPECT_FALSE(Cut("c++", "// StartProfiler begins.\n", "StartProfiler").has_value());
  EXPECT_FALSE(Cut("python", "# StartProfiler begins.\n", "StartProfiler").has_value());
}

TEST_F(CodeTest, ImportsAndLicencesAreNotWhatWasAskedFor) {
  EXPECT_FALSE(Cut("python", "import profiler\nfrom profiler import start\n", "profiler"));
  EXPECT_FALSE(Cut("c++", "#include \"profiler.h\"\n", "profiler").has_value());
  EXPECT_FALSE(
      Cut("c++", "// Copyright the profiler authors\n// profiler\nint a = 1;\n", "profiler"));
}

TEST_F(CodeTest, ATornBeginningIsNotShown) {
  const auto code = Cut("c++", "  profiler);\nStartProfiler();\n", "profiler StartProfiler");
  EXPECT_TRUE(!code || code->first_line == 2U);
}

TEST_F(CodeTest, DocumentationOfAModuleIsNotACommand) {
  EXPECT_FALSE(Cut("cmake", "The profiler is found by this module.\n", "profiler").has_value());
  EXPECT_TRUE(Cut("cmake", "find_package(profiler REQUIRED)\n", "profiler").has_value());
}

TEST_F(CodeTest, ADefinitionKeepsItsSignatureWithAnEllipsis) {
  TermReader reader(searcher());
  const PointTerms terms = reader.TermsOf("StopProfiler", {});
  const std::string text =
      "void Run(int id) {\n  int a = 1;\n  int b = 2;\n  int c = 3;\n  StopProfiler(id);\n}\n";
  const auto code =
      TrimCode({.language = "c++", .text = text, .is_definition = true}, terms, reader, 10);
  ASSERT_TRUE(code.has_value());
  EXPECT_EQ(code->lines.front(), "void Run(int id) {");
  EXPECT_NE(std::find(code->lines.begin(), code->lines.end(), "  // ..."), code->lines.end());
  EXPECT_EQ(code->first_line, 1U);
}

TEST(Dedents, ByWhatAllLinesShare) {
  const std::vector<std::string_view> lines = {"    a", "      b  ", "", "\t", "    c"};
  EXPECT_EQ(Dedent(lines, 0, 4), (CodeLines{"a", "  b", "", "", "c"}));
  EXPECT_EQ(Dedent(lines, 1, 1), CodeLines{"b"});
  EXPECT_EQ(Dedent(lines, 2, 2), CodeLines{""});
}

TEST(Languages, HaveAFenceAndAComment) {
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
