// SPDX-License-Identifier: Apache-2.0
#include "code/code_check.h"

#include <gtest/gtest.h>

#include <string>

#include "code/code_tools.h"
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

TEST(CodeBlocks, AreWholeOnlyWhenAWordOfTheFenceSaysIt) {
  EXPECT_EQ(CompletenessOf("cpp,check", "int x;"), Completeness::kWhole);
  EXPECT_EQ(CompletenessOf("check", "int x;"), Completeness::kWhole);
  for (const char* info : {"cpp title=check.cc", "cpp checked", "cpp no-check", "cpp recheck"}) {
    EXPECT_EQ(CompletenessOf(info, "int x;"), Completeness::kFragment) << info;
  }
  EXPECT_EQ(CompletenessOf("cpp check nocheck", "int x;"), Completeness::kSkipped);
}

TEST(CodeBlocks, AProgramHasMainAndItsIncludes) {
  for (const char* code :
       {"#include <a>\nint main() {}\n", "#include <a>\nint main (int, char**) {}\n",
        "// The domain remains.\n#include <a>\nint main() {}\n"}) {
    EXPECT_EQ(CompletenessOf("cpp", code), Completeness::kWhole) << code;
  }
  for (const char* code : {"int main() {}\n", "#include <a>\n", "#include <a>\nint mainly(int);\n",
                           "#include <a>\nint main = 1;\n", "#include <a>\nprint main()\n"}) {
    EXPECT_EQ(CompletenessOf("cpp", code), Completeness::kFragment) << code;
  }
}

TEST(CodeBlocks, HaveTheLanguageOfTheFirstWord) {
  for (const auto& [info, language] :
       {std::pair{"cuda", BlockLanguage::kCuda}, std::pair{"CU", BlockLanguage::kCuda},
        std::pair{"c", BlockLanguage::kC}, std::pair{"python title=x", BlockLanguage::kPython},
        std::pair{"bash,check", BlockLanguage::kShell},
        std::pair{"json{1,3}", BlockLanguage::kJson},
        std::pair{"Dockerfile", BlockLanguage::kDockerfile}, std::pair{"", BlockLanguage::kUnknown},
        std::pair{" cpp", BlockLanguage::kUnknown}, std::pair{"cppx", BlockLanguage::kUnknown},
        std::pair{"title=cpp", BlockLanguage::kUnknown}}) {
    EXPECT_EQ(BlockLanguageOf(info), language) << info;
  }
}

TEST(CodeReading, SupportsOnlyWhatItReadsToTheEnd) {
  const auto verdict = [](std::string_view info, std::string_view code) {
    return ReadCode(BlockLanguageOf(info), CompletenessOf(info, code), code).verdict;
  };
  EXPECT_EQ(verdict("cmake", "set(A 1)\n"), statement::Verdict::kSupported);
  EXPECT_EQ(verdict("json", "{}"), statement::Verdict::kSupported);
  EXPECT_EQ(verdict("json", "\"a\": 1,"), statement::Verdict::kUndecidable);
  EXPECT_EQ(verdict("cpp", "int x;\n"), statement::Verdict::kUndecidable);
  EXPECT_EQ(verdict("python", "x = = 1\n"), statement::Verdict::kUndecidable);
  EXPECT_EQ(verdict("text", "set B 2\n"), statement::Verdict::kUndecidable);
}

TEST(CodeReading, SaysWhyABlockIsNotChecked) {
  const CodeChecker checker({});
  EXPECT_EQ(checker.Check("cmake nocheck", "set B 2\n").message,
            "not checked: its fence says nocheck");
  EXPECT_EQ(checker.Check("cpp", "int x;\n").message,
            "not checked: a fragment, without syntax errors");
  EXPECT_EQ(checker.Check("python", "x = 1\n").message,
            "not checked: a fragment, which needs --code");
  EXPECT_EQ(checker.Check("python check", "x = 1\n").message,
            "not checked here: 'verify --code' does that");
  EXPECT_EQ(checker.Check("cpp", "#include <cstdio>\nint main() {}\n").message,
            "not compiled here: 'verify --code' does that")
      << "a whole program is not a fragment";
  EXPECT_EQ(checker.Check("cmake", std::string(300'000, '(')).message,
            "not checked: it is too long");
  EXPECT_FALSE(checker.Unchecked()) << "no tool was wanted";
}

TEST(CodeReading, AMistakeNamesItsReader) {
  const CodeResult result = CodeChecker({}).Check("cmake", "set(A 1)\nset B 2\n");
  EXPECT_EQ(result.verdict, statement::Verdict::kContradicted);
  EXPECT_EQ(result.line, 2U);
  EXPECT_EQ(result.reason, "it was parsed by sibyl");
}

TEST(CodeTool, ExistsForLanguagesThatAreNotReadHere) {
  for (const char* info : {"c", "cpp", "cuda", "python", "bash", "toml"}) {
    EXPECT_TRUE(HasTool(BlockLanguageOf(info))) << info;
  }
  for (const char* info : {"cmake", "dockerfile", "json", "text"}) {
    EXPECT_FALSE(HasTool(BlockLanguageOf(info))) << info;
  }
}

TEST(CodeTool, IsNotStartedForAFragmentOrASession) {
  // Without a sandbox an answer means that none was needed.
  const auto message = [](std::string_view info, std::string_view code) {
    const Result<CodeResult> result = AskTool({.language = BlockLanguageOf(info),
                                               .completeness = CompletenessOf(info, code),
                                               .code = code,
                                               .bubblewrap = "/no/such/bwrap"});
    return result.ok() ? result->message : "error: " + result.error().message;
  };
  EXPECT_EQ(message("cpp", "int x;\n"), "a fragment, which cannot be compiled alone");
  EXPECT_EQ(message("toml", "a = <value>\n"), "code with placeholders");
  EXPECT_EQ(message("python", ">>> x\n"), "an interactive session, or code with placeholders");
  EXPECT_EQ(message("cmake", "set(A 1)\n"), "no tool checks this language");
  EXPECT_EQ(message("bash", "$ make\n"), "an interactive session, not a script");
}

TEST(CodeTool, OmittedLinesAreALineOfDots) {
  EXPECT_TRUE(HasPlaceholderLine("a\n  ...\nb\n"));
  EXPECT_TRUE(HasPlaceholderLine("// ...\n"));
  EXPECT_FALSE(HasPlaceholderLine("f(args...);\n"));
  EXPECT_FALSE(HasPlaceholderLine(""));
}

TEST(CodeTool, IsGivenNoMoreBlocksThanTheLimit) {
  const CodeChecker checker({.depth = CodeDepth::kTools, .max_blocks = 0});
  EXPECT_EQ(checker.Check("python", "x = 1\n").message, "not checked: too many blocks to compile");
}

TEST(CodeJudgements, AreInTheOrderOfTheBlocks) {
  const auto statements = statement::ReadStatements(
      "# A\n\n```json\n{}\n```\n\n```cmake\nset B 2\n```\n\n```python\nx\n```\n");
  ASSERT_TRUE(statements.ok());
  const auto judgements = CodeChecker({}).Judge("a.md", *statements);
  ASSERT_EQ(judgements.size(), 3U);
  EXPECT_EQ(judgements[0].verdict, statement::Verdict::kSupported);
  EXPECT_EQ(judgements[1].verdict, statement::Verdict::kContradicted);
  EXPECT_EQ(judgements[2].verdict, statement::Verdict::kUndecidable);
  for (const auto& judgement : judgements) {
    EXPECT_EQ(judgement.code, "code/broken");
    EXPECT_EQ(judgement.place.file, "a.md");
  }
  EXPECT_EQ(judgements[0].place.line, 3U) << "as a whole: its fence";
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
