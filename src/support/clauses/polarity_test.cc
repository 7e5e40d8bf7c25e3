// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/polarity.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/grounding.h"

namespace sibyl::support {
namespace {

std::string Asserted(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  return AssertsDenied(Read(statements->all.front(), evidence, tokenizer), evidence).value_or("");
}

TEST(Polarity, AWordThatTheLinesDeny) {
  constexpr std::string_view kLines = "// This function is not thread safe.\nvoid Add();\n";
  EXPECT_EQ(Asserted("`Add` is thread safe.", kLines), "thread");
  EXPECT_EQ(Asserted("`Add` is not thread safe.", kLines), "");
  EXPECT_EQ(Asserted("If `Add` were thread safe, it would lock.", kLines), "");
}

TEST(Polarity, WithoutDeniesWhatFollowsIt) {
  constexpr std::string_view kLines = "Measurements without synchronization are not accurate.\n";
  EXPECT_EQ(Asserted("Measurements without synchronization are accurate.", kLines), "accurate");
  EXPECT_EQ(Asserted("Measurements without synchronization are not accurate.", kLines), "");
}

// Issue 26.
TEST(Polarity, AnArticleIsNoDistance) {
  constexpr std::string_view kLines = "# Do not all-gather the input tensor\n";
  EXPECT_EQ(Asserted("Without an all-gather, the input is quantized.", kLines), "");
  EXPECT_EQ(Asserted("An all-gather quantizes the input.", kLines), "gather");
}

TEST(Polarity, OnlyIfTheyDenyItEverywhere) {
  EXPECT_EQ(Asserted("`Add` synchronizes.", "It does not synchronize. `Get` synchronizes.\n"), "");
  EXPECT_EQ(Asserted("`Add` blocks.", "if (!block) return;\n"), "") << "code";
  EXPECT_EQ(Asserted("`Add` blocks.", "If it does not block, it returns false.\n"), "");
  EXPECT_EQ(Asserted("`Add` counts pages.", "It does not only count pages.\n"), "");
}

TEST(Polarity, TheWordThatIsDenied) {
  EXPECT_EQ(Asserted("Copying the binary adds 60 %.", "It is on par with no binary cloning.\n"),
            "");
  EXPECT_EQ(Asserted("It may end up cached badly.", "It may not be cached properly.\n"), "");
}

TEST(Polarity, LimitsAreDenialsToo) {
  constexpr std::string_view kLines = "It does not save anything but the last epoch.\n";
  EXPECT_EQ(Asserted("It saves nothing but the last epoch.", kLines), "");
}

TEST(Polarity, NotAllIsAPart) {
  constexpr std::string_view kLines = "The jobs do not cover all possible combinations.\n";
  EXPECT_EQ(Asserted("The jobs cover a selection of combinations.", kLines), "");
  EXPECT_EQ(Asserted("The jobs cover all combinations.", kLines), "cover");
}

TEST(Polarity, NoDeniesItsOwnClause) {
  EXPECT_EQ(Asserted("The instruction is selected.", "No stall, instruction is selected.\n"), "");
}

TEST(Polarity, WordsInQuotationMarksAreTheSources) {
  constexpr std::string_view kLines = "It is not available, so it is off.\n";
  EXPECT_EQ(Asserted("The message is \"It is available\".", kLines), "");
  EXPECT_EQ(Asserted("It is available.", kLines), "available");
}

}  // namespace
}  // namespace sibyl::support
