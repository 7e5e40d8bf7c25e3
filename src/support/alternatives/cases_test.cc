// SPDX-License-Identifier: Apache-2.0
#include "support/alternatives/cases.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/grounding.h"

namespace sibyl::support {
namespace {

constexpr std::string_view kLines =
    "switch (major) {\n"
    "  case 3:\n"
    "  case 5:\n"
    "  case 6:\n"
    "    value = 256;\n"
    "    break;\n"
    "  case 8:\n"
    "  case 9:\n"
    "    value = 128;\n"
    "    break;\n"
    "  default:\n"
    "    return Error;\n"
    "}\n";

BranchFit FitOf(std::string_view text) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(kLines, "", tokenizer);
  return CompareCases(Read(statements->all.front(), evidence, tokenizer), ReadCases(kLines));
}

TEST(Cases, LabelsInARowHaveOneValue) {
  EXPECT_TRUE(FitOf("The granularity is 256 for 3, 5 and 6.").fits);
  EXPECT_TRUE(FitOf("The granularity is 128 for 8 and 9, and 256 for 3 to 6.").fits);
  EXPECT_TRUE(FitOf("For 5 it is 256.").fits);
}

TEST(Cases, ALabelOfAnotherCaseIsWrong) {
  EXPECT_EQ(FitOf("The granularity is 256 for 3, 5 and 8.").wrong, "8");
  EXPECT_EQ(FitOf("The granularity is 128 for 5 to 9.").wrong, "5");
}

TEST(Cases, OtherStatementsAreNotJudged) {
  EXPECT_FALSE(FitOf("The granularity is 256.").fits);
  EXPECT_FALSE(FitOf("There are 4 of them.").wrong.has_value());
  EXPECT_TRUE(ReadCases("case kA: x = 1;\n").empty());
}

}  // namespace
}  // namespace sibyl::support
