// SPDX-License-Identifier: Apache-2.0
#include "code/code_check.h"

#include <gtest/gtest.h>

#include <string>

#include "code/syntax.h"

namespace sibyl::code {
namespace {

TEST(CMakeSyntax, AcceptsFragmentsAndWholeFiles) {
  for (const std::string_view code :
       {"if(PROF_LIBRARY AND PROF_INCLUDE_DIR)\n", "endif()\n",
        "set(X \"a)b\\\"\" [==[ ) ]==] # )\n)\n", "find_library(A\n  NAMES b\n",
        "# only this\n#[[ and\nthis ( ]]\nset(A 1)\n",
        "project(x)\nif(A)\n  foreach(b IN LISTS c)\n  endforeach()\nendif()\n", "...\nset(A 1)\n",
        "if(A)\nforeach(b)\n# ...\nendif()\n",
        "target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-G>)\n", ""}) {
    const auto mistake = FindCMakeMistake(code);
    EXPECT_FALSE(mistake) << code << ": " << mistake->message;
  }
}

TEST(CMakeSyntax, FindsWhatNothingCouldMend) {
  struct Case {
    std::string_view code;
    std::size_t line;
  };
  for (const Case& c : {Case{"set(A 1)\nset B 2\n", 2}, Case{"set(A 1))\n", 1},
                        Case{"if(A)\nforeach(b)\nendif()\n", 3}, Case{"project(x)\nif(A)\n", 2},
                        Case{"project(x)\nset(A\n", 2}, Case{"set(A 1) set(B 2)\n", 1},
                        Case{"project(x)\nendif()\n", 2}}) {
    const auto mistake = FindCMakeMistake(c.code);
    ASSERT_TRUE(mistake) << c.code;
    EXPECT_EQ(mistake->line, c.line) << c.code << ": " << mistake->message;
  }
}

TEST(DockerfileSyntax, KnowsItsInstructions) {
  EXPECT_FALSE(
      FindDockerfileMistake("# syntax=docker/dockerfile:1\nFROM a AS b\nrun x && \\\n  y\n"
                            "RUN <<EOF\nanything goes\nEOF\nCOPY --from=b /x /y\n"));
  const auto mistake = FindDockerfileMistake("FROM a\nCOPPY a b\n");
  ASSERT_TRUE(mistake);
  EXPECT_EQ(mistake->line, 2U);
  EXPECT_NE(mistake->message.find("COPY"), std::string::npos);
}

TEST(DockerfileSyntax, LeavesTheOutputOfABuildAlone) {
  EXPECT_FALSE(FindDockerfileMistake("Step 1/3: pulling\nlayer cached\n"));
}

TEST(CSyntax, FindsBracketsAndLiteralsThatNothingCouldMend) {
  for (const std::string_view code :
       {"  }\n}\n", "void f() {\n", "char c = '\"'; int n = 1'000;\n", "auto s = R\"x( \" )x\";\n",
        "#error don't\nint x;\n", "/* ( */ // (\n", "#if A\nf(\n#else\ng(\n#endif\n1);\n",
        "kernel<<<grid, block>>>(x);\n", "a[b(c{d})];", " * don't (\n */\nint x;\n",
        "  don't do \"this\n*/\nint x;\n", "f(\n  // ...\n}\n"}) {
    const auto mistake = FindCMistake(code);
    EXPECT_FALSE(mistake) << code << ": " << mistake->message;
  }
  for (const std::string_view code : {"f(a];\n", "int x = {1, 2);\n", "puts(\"a);\nf();\n"}) {
    EXPECT_TRUE(FindCMistake(code)) << code;
  }
}

TEST(JsonSyntax, LeavesFragmentsCommentsAndPlaceholdersAlone) {
  for (const std::string_view code :
       {"{\"a\": 1}", "\"a\": 1,", "{\"a\": 1, ...}", "{\"a\": 1 // why\n}", "{\"a\": <value>}",
        "{\"a\":1}\n{\"b\":2}\n"}) {
    EXPECT_FALSE(FindJsonMistake(code)) << code;
  }
  EXPECT_TRUE(FindJsonMistake("{\"a\": 1,}"));
  EXPECT_TRUE(FindJsonMistake("{'a': 1}"));
  EXPECT_EQ(FindJsonMistake("{\n  \"a\": 1,\n  b: 2\n}")->line, 3U);
}

TEST(CodeBlocks, AreWholeWhenTheyShowItOrSayIt) {
  EXPECT_EQ(CompletenessOf("cpp", "int x;"), Completeness::kFragment);
  EXPECT_EQ(CompletenessOf("cpp check", "int x;"), Completeness::kWhole);
  EXPECT_EQ(CompletenessOf("cpp nocheck", "int x;"), Completeness::kSkipped);
  EXPECT_EQ(CompletenessOf("cuda", "#include <cstdio>\nint main() {}\n"), Completeness::kWhole);
  EXPECT_EQ(CompletenessOf("cuda", "#include <cstdio>\n// ...\nint main() {}\n"),
            Completeness::kFragment);
  EXPECT_EQ(CompletenessOf("bash", "#!/bin/bash\n"), Completeness::kWhole);
  EXPECT_EQ(BlockLanguageOf("C++ check"), BlockLanguage::kCpp);
  EXPECT_EQ(BlockLanguageOf("text"), BlockLanguage::kUnknown);
}

TEST(CodeJudgements, StandAtTheLineOfTheMistake) {
  const auto statements =
      statement::ReadStatements("# A\n\n```cmake\nset(A 1)\nset B 2\n```\n\n```text\nx(\n```\n");
  ASSERT_TRUE(statements.ok());
  const auto judgements = CodeChecker({}).Judge("a.md", *statements);
  ASSERT_EQ(judgements.size(), 1U);
  EXPECT_EQ(judgements[0].verdict, statement::Verdict::kContradicted);
  EXPECT_EQ(judgements[0].place.line, 5U);
}

}  // namespace
}  // namespace sibyl::code
