// SPDX-License-Identifier: Apache-2.0
#include "code/code_tools.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "base/files/temporary_folder.h"
#include "base/process/sandbox.h"
#include "code/code_check.h"

namespace sibyl::code {
namespace {

class CodeTools : public testing::Test {
 protected:
  void SetUp() override {
    const Result<Sandbox> sandbox = Sandbox::Open();
    if (!sandbox.ok()) GTEST_SKIP() << sandbox.error().message;
  }
};

CodeResult Ask(std::string_view info, std::string_view code) {
  return CodeChecker({.depth = CodeDepth::kTools}).Check(info, code);
}

TEST_F(CodeTools, ParsePython) {
  if (!FindSystemProgram("python3")) GTEST_SKIP() << "no python3";
  EXPECT_EQ(Ask("python", "x = 1\n").verdict, statement::Verdict::kSupported);
  EXPECT_EQ(Ask("python", "    x = 1\n    y = 2\n").verdict, statement::Verdict::kSupported);
  const CodeResult broken = Ask("python", "x = 1\ny = = 2\nz = 3\n");
  EXPECT_EQ(broken.verdict, statement::Verdict::kContradicted);
  EXPECT_EQ(broken.line, 2U);
  for (const std::string_view fragment :
       {"def f(x):\n", "foo(a,\n", ">>> x = = 1\n", "print \"a\"\nx = 1\n", "%timeit f()\n",
        "train(<your data>)\n"}) {
    EXPECT_EQ(Ask("python", fragment).verdict, statement::Verdict::kUndecidable) << fragment;
  }
}

TEST_F(CodeTools, ParseShellAndNeverRunIt) {
  if (!FindSystemProgram("bash")) GTEST_SKIP() << "no bash";
  const TemporaryFolder folder;
  const std::string trap = (folder.path() / "ran").string();
  EXPECT_EQ(Ask("bash", "touch " + trap + "\n").verdict, statement::Verdict::kSupported);
  EXPECT_FALSE(std::filesystem::exists(trap));
  EXPECT_EQ(Ask("sh", "if true; then echo; fi | | cat\necho\n").verdict,
            statement::Verdict::kContradicted);
  for (const std::string_view fragment :
       {"fi\n", "for x in a b; do\n", "$ make\n", "pip install torch==<version>\n"}) {
    EXPECT_EQ(Ask("bash", fragment).verdict, statement::Verdict::kUndecidable) << fragment;
  }
}

TEST_F(CodeTools, CompileWholePrograms) {
  if (!FindSystemProgram("g++")) GTEST_SKIP() << "no g++";
  EXPECT_EQ(Ask("cpp", "#include <vector>\nint main() { std::vector<int> v; return 0; }\n").verdict,
            statement::Verdict::kSupported);
  const CodeResult broken =
      Ask("cpp", "#include <vector>\nint main() {\n  std::vektor<int> v;\n}\n");
  EXPECT_EQ(broken.verdict, statement::Verdict::kContradicted);
  EXPECT_EQ(broken.line, 3U);
  EXPECT_EQ(Ask("cpp", "#include <no_such_header.h>\nint main() { return f(); }\n").verdict,
            statement::Verdict::kUndecidable);
  EXPECT_EQ(Ask("cpp", "return Foo(bar);\n").verdict, statement::Verdict::kUndecidable)
      << "a fragment";
  const std::string c = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); return !p; }\n";
  EXPECT_EQ(Ask("c", c).verdict, statement::Verdict::kSupported);
  EXPECT_EQ(Ask("cpp", c).verdict, statement::Verdict::kContradicted);
}

TEST_F(CodeTools, AreEndedWhenTheyAreMadeToLoop) {
  if (!FindSystemProgram("g++")) GTEST_SKIP() << "no g++";
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
  EXPECT_EQ(result.verdict, statement::Verdict::kUndecidable) << result.message;
  EXPECT_EQ(checker.Check("python", "x = 1\n").verdict, statement::Verdict::kSupported)
      << "the rest is still checked";
}

TEST_F(CodeTools, CompileKernels) {
  if (!std::filesystem::exists("/usr/local/cuda/bin/nvcc")) GTEST_SKIP() << "no nvcc";
  const std::string good =
      "#include <cstdio>\n__global__ void k(int* x) { x[threadIdx.x] = 1; }\n"
      "int main() { k<<<1, 32>>>(nullptr); return cudaDeviceSynchronize(); }\n";
  const CodeResult compiled = Ask("cuda", good);
  EXPECT_EQ(compiled.verdict, statement::Verdict::kSupported)
      << compiled.message << compiled.reason;
  std::string bad = good;
  bad.replace(bad.find("cudaDeviceSynchronize"), 21, "cudaDeviceSynchronise");
  const CodeResult broken = Ask("cuda", bad);
  EXPECT_EQ(broken.verdict, statement::Verdict::kContradicted) << broken.message;
  EXPECT_EQ(broken.line, 3U);
}

TEST(CodeWithoutASandbox, IsNotCheckedAndCounted) {
  const CodeChecker checker({.depth = CodeDepth::kTools, .bubblewrap = "/no/such/bwrap"});
  EXPECT_FALSE(checker.Unchecked());
  const std::string program = "#include <vector>\nint main() { return 0; }\n";
  const CodeResult result = checker.Check("cpp", program);
  EXPECT_EQ(result.verdict, statement::Verdict::kUndecidable);
  EXPECT_EQ(result.message,
            "not checked: the sandbox, bubblewrap (/no/such/bwrap), is not installed");
  EXPECT_EQ(result.reason, "install it: apt install bubblewrap");
  for (const auto& [info, code] :
       {std::pair{"cpp", program.c_str()}, std::pair{"python", "x = = 1\nx = 1\n"},
        std::pair{"bash", "echo | | cat\necho\n"}, std::pair{"toml", "a = = 1\n"}}) {
    EXPECT_EQ(checker.Check(info, code).verdict, statement::Verdict::kUndecidable) << code;
  }
  ASSERT_TRUE(checker.Unchecked());
  EXPECT_EQ(checker.Unchecked()->blocks, 5U) << "a repeated block counts again";
  EXPECT_EQ(checker.Unchecked()->reason.kind, ErrorKind::kUnavailable);
}

TEST(CodeWithoutASandbox, IsStillRead) {
  const CodeChecker checker({.depth = CodeDepth::kTools, .bubblewrap = "/no/such/bwrap"});
  EXPECT_EQ(checker.Check("cmake", "set B 2\n").verdict, statement::Verdict::kContradicted);
  EXPECT_EQ(checker.Check("cmake", "set(B 2)\n").verdict, statement::Verdict::kSupported);
  EXPECT_EQ(checker.Check("json", "{\"a\": 1,}").verdict, statement::Verdict::kContradicted);
  EXPECT_EQ(checker.Check("cpp", "f(a];\n").verdict, statement::Verdict::kContradicted);
  EXPECT_EQ(checker.Check("cpp", "return Foo(bar);\n").verdict, statement::Verdict::kUndecidable);
  EXPECT_FALSE(checker.Unchecked()) << "no tool would have been asked about any of them";
}

}  // namespace
}  // namespace sibyl::code
