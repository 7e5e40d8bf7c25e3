// SPDX-License-Identifier: Apache-2.0
#include "support/alternatives/branches.h"

#include <gtest/gtest.h>

#include <string_view>

#include "support/grounding.h"

namespace sibyl::support {
namespace {

bool IsWrong(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  return CompareBranches(Read(statements->all.front(), evidence, tokenizer), evidence,
                         ReadBranches(lines))
      .wrong.has_value();
}

TEST(Branches, OfAConditionalExpression) {
  constexpr std::string_view kLines = "constexpr int kSwizzle = kBlock == 32 ? 2 : 3;\n";
  EXPECT_TRUE(IsWrong("`kSwizzle` is 3 when `kBlock` is 32 and 2 otherwise.", kLines));
  EXPECT_FALSE(IsWrong("`kSwizzle` is 2 when `kBlock` is 32 and 3 otherwise.", kLines));
  constexpr std::string_view kPython = "size = 64 if is_rocm else 32\n";
  EXPECT_TRUE(IsWrong("It is 32 with `is_rocm` and 64 elsewhere.", kPython));
  EXPECT_FALSE(IsWrong("It is 64 with `is_rocm` and 32 elsewhere.", kPython));
}

TEST(Branches, OfAConditionalExpressionInACondition) {
  constexpr std::string_view kLines =
      "    if x.numel() > (4000 if x.device.type == \"cpu\" else 100_000) and is_fast():\n";
  EXPECT_TRUE(IsWrong("Above 100,000 on a CPU and above 4000 on other devices.", kLines));
  EXPECT_FALSE(IsWrong("Above 4000 on a CPU and above 100,000 on other devices.", kLines));
}

TEST(Branches, OfDirectives) {
  constexpr std::string_view kLines =
      "#ifndef USE_ROCM\nint kLimit = 36;\n#else\nint kLimit = 16;\n#endif\n";
  EXPECT_TRUE(IsWrong("`kLimit` is 16 on CUDA and 36 on ROCm.", kLines));
  EXPECT_FALSE(IsWrong("`kLimit` is 36 on CUDA and 16 on ROCm.", kLines));
}

TEST(Branches, OfIfAndElse) {
  constexpr std::string_view kLines =
      "if (ENABLE_DEBUG) {\n  Add(\"-G\");\n} else {\n  Add(\"-lineinfo\");\n}\n";
  EXPECT_TRUE(IsWrong("`-lineinfo` is added when `ENABLE_DEBUG` is on.", kLines));
  EXPECT_FALSE(IsWrong("`-lineinfo` is added when `ENABLE_DEBUG` is off.", kLines));
  constexpr std::string_view kEarly = "if d.isVolta() {\n\treturn 48\n}\nreturn 16\n";
  EXPECT_TRUE(IsWrong("It is 16 for `isVolta` and 48 otherwise.", kEarly));
  EXPECT_FALSE(IsWrong("It is 48 for `isVolta` and 16 otherwise.", kEarly));
}

TEST(Branches, NothingIsSaidOfOtherAlternatives) {
  EXPECT_FALSE(IsWrong("`kMode` is 3 when `a` is on and 2 otherwise.", "int kMode = 2;\n"));
  // More than two branches, and a negated part of a condition.
  EXPECT_TRUE(ReadBranches("if a:\n  x = 1\nelif b:\n  x = 2\nelse:\n  x = 3\n").empty());
  EXPECT_TRUE(ReadBranches("x = 1 if not a and b else 2\n").empty());
  EXPECT_TRUE(ReadBranches("if\n#if\n ? \n else \n").empty());
}

TEST(Branches, OfALiteralThatTheStatementDoesNotHaveSayNothing) {
  constexpr std::string_view kLines = "least = 16 if device.type == \"xpu\" else 68\n";
  EXPECT_FALSE(IsWrong("A device needs at least 68 units.", kLines));
  EXPECT_TRUE(IsWrong("An `xpu` device needs at least 68 units.", kLines));
}

TEST(Branches, NotEmptyIsNoDenial) {
  constexpr std::string_view kLines =
      "if (!captures.empty()) {\n  Defer(block);\n} else {\n  Insert(block);\n}\n";
  EXPECT_FALSE(IsWrong("With captures under way, it calls `Defer`.", kLines));
  EXPECT_TRUE(IsWrong("With captures under way, it calls `Insert`.", kLines));
}

TEST(Branches, ZeroIsTheOtherCaseOfANumber) {
  constexpr std::string_view kLines = "value = minor ? 4 : 2;\n";
  EXPECT_FALSE(IsWrong("There are 2 if `minor` is 0, otherwise 4.", kLines));
}

}  // namespace
}  // namespace sibyl::support
