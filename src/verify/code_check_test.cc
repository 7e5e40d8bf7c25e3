// SPDX-License-Identifier: Apache-2.0
#include "verify/code_check.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "base/subprocess.h"
#include "base/temporary_folder.h"
#include "verify/code_tools.h"
#include "verify/sandbox.h"
#include "verify/syntax.h"

namespace sibyl::verify {
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

TEST(Includes, OfPlacesAreNotGivenToACompiler) {
  EXPECT_TRUE(HasPlainIncludes("#include <cuda_runtime.h>\n#  include \"a/b.h\"\n#define X 1\n"));
  for (const std::string_view code :
       {"#include \"/etc/passwd\"\n", "#include </etc/passwd>\n", "#include \"../../x\"\n",
        "#define P \"/etc/passwd\"\n#include P\n", "#inc\\\nlude \"/etc/passwd\"\n",
        "%:include \"/etc/passwd\"\n", "/**/ # /**/ include /**/ \"/etc/passwd\"\n",
        "#include_next </etc/passwd>\n", "#embed \"/etc/passwd\"\n"}) {
    EXPECT_FALSE(HasPlainIncludes(code)) << code;
  }
}

CodeResult Ask(std::string_view info, std::string_view code) {
  return CodeChecker({.depth = CodeDepth::kTools}).Check(info, code);
}

TEST(CodeTools, ParsePython) {
  if (!FindProgram("python3")) GTEST_SKIP() << "no python3";
  EXPECT_EQ(Ask("python", "x = 1\n").verdict, Verdict::kSupported);
  EXPECT_EQ(Ask("python", "    x = 1\n    y = 2\n").verdict, Verdict::kSupported);
  const CodeResult broken = Ask("python", "x = 1\ny = = 2\nz = 3\n");
  EXPECT_EQ(broken.verdict, Verdict::kContradicted);
  EXPECT_EQ(broken.line, 2U);
  for (const std::string_view fragment :
       {"def f(x):\n", "foo(a,\n", ">>> x = = 1\n", "print \"a\"\nx = 1\n", "%timeit f()\n",
        "train(<your data>)\n"}) {
    EXPECT_EQ(Ask("python", fragment).verdict, Verdict::kUndecidable) << fragment;
  }
}

TEST(CodeTools, ParseShellAndNeverRunIt) {
  if (!FindProgram("bash")) GTEST_SKIP() << "no bash";
  const TemporaryFolder folder;
  const std::string trap = (folder.path() / "ran").string();
  EXPECT_EQ(Ask("bash", "touch " + trap + "\n").verdict, Verdict::kSupported);
  EXPECT_FALSE(std::filesystem::exists(trap));
  EXPECT_EQ(Ask("sh", "if true; then echo; fi | | cat\necho\n").verdict, Verdict::kContradicted);
  for (const std::string_view fragment :
       {"fi\n", "for x in a b; do\n", "$ make\n", "pip install torch==<version>\n"}) {
    EXPECT_EQ(Ask("bash", fragment).verdict, Verdict::kUndecidable) << fragment;
  }
}

TEST(CodeTools, CompileWholePrograms) {
  if (!FindProgram("g++")) GTEST_SKIP() << "no g++";
  EXPECT_EQ(Ask("cpp", "#include <vector>\nint main() { std::vector<int> v; return 0; }\n").verdict,
            Verdict::kSupported);
  const CodeResult broken =
      Ask("cpp", "#include <vector>\nint main() {\n  std::vektor<int> v;\n}\n");
  EXPECT_EQ(broken.verdict, Verdict::kContradicted);
  EXPECT_EQ(broken.line, 3U);
  EXPECT_EQ(Ask("cpp", "#include <no_such_header.h>\nint main() { return f(); }\n").verdict,
            Verdict::kUndecidable);
  EXPECT_EQ(Ask("cpp", "return Foo(bar);\n").verdict, Verdict::kUndecidable) << "a fragment";
}

TEST(CodeTools, LetNothingOutOfThisMachine) {
  if (!FindProgram("g++")) GTEST_SKIP() << "no g++";
  const CodeResult result =
      Ask("cpp", "#include <cstdio>\n#include \"/etc/passwd\"\nint main() {}\n");
  EXPECT_EQ(result.verdict, Verdict::kUndecidable);
  EXPECT_EQ((result.message + result.reason).find("root"), std::string::npos);
}

TEST(CodeTools, AreEndedWhenTheyAreMadeToLoop) {
  if (!FindProgram("g++")) GTEST_SKIP() << "no g++";
  const auto start = std::chrono::steady_clock::now();
  // Ten macros, each ten times the one before: 10^10 numbers.
  std::string bomb = "#define A0 1\n";
  for (int i = 1; i <= 10; ++i) {
    bomb += "#define A" + std::to_string(i);
    for (int j = 0; j < 10; ++j) bomb += (j == 0 ? " A" : ",A") + std::to_string(i - 1);
    bomb += '\n';
  }
  const CodeChecker checker(
      {.depth = CodeDepth::kTools, .tool_time = std::chrono::milliseconds(1500)});
  const CodeResult result = checker.Check("cpp check", bomb + "int x[] = {A10};\n");
  EXPECT_EQ(result.verdict, Verdict::kUndecidable) << result.message;
  EXPECT_EQ(checker.Check("python", "x = 1\n").verdict, Verdict::kSupported)
      << "the rest is still checked";
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(CodeTools, CompileKernels) {
  if (!std::filesystem::exists("/usr/local/cuda/bin/nvcc")) GTEST_SKIP() << "no nvcc";
  const std::string good =
      "#include <cstdio>\n__global__ void k(int* x) { x[threadIdx.x] = 1; }\n"
      "int main() { k<<<1, 32>>>(nullptr); return cudaDeviceSynchronize(); }\n";
  const CodeResult compiled = Ask("cuda", good);
  EXPECT_EQ(compiled.verdict, Verdict::kSupported) << compiled.message << compiled.reason;
  std::string bad = good;
  bad.replace(bad.find("cudaDeviceSynchronize"), 21, "cudaDeviceSynchronise");
  const CodeResult broken = Ask("cuda", bad);
  EXPECT_EQ(broken.verdict, Verdict::kContradicted) << broken.message;
  EXPECT_EQ(broken.line, 3U);
}

TEST(Sandbox, HasNoNetworkAndNoHome) {
  const TemporaryFolder folder;
  const auto outcome = RunSandboxed({.program = "/bin/sh",
                                     .arguments = {"-c", "echo $HOME; cat /proc/net/dev | wc -l"},
                                     .folder = folder.path()});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_TRUE(outcome->output.starts_with(folder.path().string()));
  if (HasNamespaces()) {
    EXPECT_TRUE(outcome->output.ends_with("\n3\n")) << "two lines of heading and lo";
  }
  EXPECT_EQ(RunSandboxed({.program = "no-such-tool", .folder = folder.path()}).error().kind,
            ErrorKind::kNotFound);
}

TEST(CodeJudgements, StandAtTheLineOfTheMistake) {
  const auto statements =
      ReadStatements("# A\n\n```cmake\nset(A 1)\nset B 2\n```\n\n```text\nx(\n```\n");
  ASSERT_TRUE(statements.ok());
  const auto judgements = CodeChecker({}).Judge("a.md", *statements);
  ASSERT_EQ(judgements.size(), 1U);
  EXPECT_EQ(judgements[0].verdict, Verdict::kContradicted);
  EXPECT_EQ(judgements[0].place.line, 5U);
}

}  // namespace
}  // namespace sibyl::verify
