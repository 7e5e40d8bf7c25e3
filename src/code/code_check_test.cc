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
        "target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-G>)\n", "",
        "if(A AND\n  (B OR C)\n", "else()\n  set(A 1)\nendif()\n",
        "file(WRITE x \"\nset(A 1)\nset(B 2)\n\")\n", "set(A \"cut\nhere\n",
        "set(A \"\\n\\t\\;\\.\\${x}\\\\d\")\n", "file(WRITE x [[\nset(A\n"}) {
    const auto mistake = FindCMakeMistake(code);
    EXPECT_FALSE(mistake) << code << ": " << mistake->message;
  }
}

TEST(CMakeSyntax, FindsWhatNothingCouldMend) {
  struct Case {
    std::string_view code;
    std::size_t line;
  };
  for (const Case& c :
       {Case{"set(A 1)\nset B 2\n", 2}, Case{"set(A 1))\n", 1},
        Case{"if(A)\nforeach(b)\nendif()\n", 3}, Case{"project(x)\nif(A)\n", 2},
        Case{"project(x)\nset(A\n", 2}, Case{"set(A 1) set(B 2)\n", 1},
        Case{"project(x)\nendif()\n", 2}, Case{"endif()\nproject(x)\n", 1},
        Case{"set(A 1\nset(B 2)\n", 1}, Case{"\nif(A\n  message(x)\nendif()\n", 2},
        Case{"set(A \"x)\nmessage(\"y\")\n", 1}, Case{"set(A \"x)\nmessage(STATUS y)\n", 1},
        Case{"if(A)\nforeach(b)\nelse()\n", 3}, Case{"project(x)\n#[[ so\nset(A 1)\n", 2},
        Case{"set(A \"C:\\Users\")\n", 1}}) {
    const auto mistake = FindCMakeMistake(c.code);
    ASSERT_TRUE(mistake) << c.code;
    EXPECT_EQ(mistake->line, c.line) << c.code << ": " << mistake->message;
  }
}

TEST(CMakeSyntax, AFenceThatSaysCheckMeansAWholeFile) {
  for (const std::string_view code : {"endif()\n", "if(A)\n", "set(A\n", "else()\n"}) {
    EXPECT_FALSE(FindCMakeMistake(code)) << code;
    EXPECT_TRUE(FindCMakeMistake(code, Extent::kWhole)) << code;
    const CodeChecker checker({});
    EXPECT_EQ(checker.Check("cmake check", code).verdict, statement::Verdict::kContradicted)
        << code;
    EXPECT_EQ(checker.Check("cmake", code).verdict, statement::Verdict::kSupported) << code;
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

TEST(DockerfileSyntax, AcceptsFragmentsOfRealFiles) {
  for (const std::string_view code :
       {"RUN apt-get update \\\n  # why\n\n  && apt-get clean\n", "COPY --from=b /x /y\nFROM c\n",
        "ENV A=1 B=\"two words\" \\\n", "ARG V\nFROM a:${V}\n", "RUN echo $((1<<2))\nUSER x\n",
        "RUN python3 - <<'EOF' && \\\n  echo\nprint(1)\nEOF\n", "COPY ...\nUSER <name>\n",
        "# escape=`\nFROM a\nRUN dir c:\\\nRUN a `\n  b\n", "LABEL a=\"it's\"\n",
        "COPY [\"a b\", \"c\"]\n", "FROM --platform=$P a AS b\nSHELL [\"bash\", \"-c\"]\n",
        "RUN cat > /x << 'EOF'\necho\nEOF\nUSER x\n", "RUN cat <<EOF\nthe fragment ends here\n",
        "# syntax=docker/dockerfile:1\n...\nRUN x\n"}) {
    const auto mistake = FindDockerfileMistake(code);
    EXPECT_FALSE(mistake) << code << ": " << mistake->message;
  }
}

TEST(DockerfileSyntax, FindsWhatDockerWouldRefuse) {
  struct Case {
    std::string_view code;
    std::size_t line;
  };
  for (const Case& c :
       {Case{"FROM\n", 1}, Case{"FROM a b\n", 1}, Case{"FROM a\nCOPY x\n", 2},
        Case{"USER x\nENV A\n", 2}, Case{"ENV A=\"x\n", 1}, Case{"SHELL bash\n", 1},
        Case{"RUN echo `date`\nCOPPY a b\n", 2}, Case{"RUN echo $((1<<2))\nCOPPY a b\n2\n", 2},
        Case{"FORM ubuntu:24.04\n", 1}, Case{"# syntax=docker/dockerfile:1\nRUN x\n", 2},
        Case{"# syntax=docker/dockerfile:1\nFROM a\nRUN <<EOF\nx\n", 3}}) {
    const auto mistake = FindDockerfileMistake(c.code);
    ASSERT_TRUE(mistake) << c.code;
    EXPECT_EQ(mistake->line, c.line) << c.code << ": " << mistake->message;
  }
  for (const std::string_view code : {"RUN x\n", "COPPY a b\n", "Step 1/3\n", "ARG a\n", ""}) {
    EXPECT_TRUE(FindDockerfileMistake(code, Extent::kWhole)) << code;
  }
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
