// SPDX-License-Identifier: Apache-2.0
#include "support/grounding.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sibyl::support {
namespace {

using statement::Verdict;

Grounding JudgeText(std::string_view text, std::string_view lines, std::string_view context = "") {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Grounder grounder;
  return grounder.Judge(statements->all.front(), {.text = lines, .context = context});
}

std::string_view VerdictOf(std::string_view text, std::string_view lines,
                           std::string_view context = "") {
  return statement::VerdictName(JudgeText(text, lines, context).verdict);
}

TEST(Grounding, OfAStatementThatTheLinesCarry) {
  EXPECT_EQ(
      VerdictOf("The queue of tasks holds 64 entries.",
                "// The number of entries in the task queue.\nconstexpr int kEntries = 64;\n"),
      "supported");
}

TEST(Grounding, OfAStatementAboutSomethingElse) {
  EXPECT_EQ(VerdictOf("Bananas are rich in potassium.",
                      "// Licensed under the Apache License, Version 2.0\n"),
            "absent");
}

TEST(Grounding, NumbersAreComparedByWhatTheyMean) {
  constexpr std::string_view kLines =
      "// bytes of the workspace\nworkspace = empty(32 * 1024 * 1024)\n";
  EXPECT_EQ(VerdictOf("The workspace has 32 MiB.", kLines), "supported");
  EXPECT_EQ(VerdictOf("The workspace has 32 KiB.", kLines), "absent");
}

TEST(Grounding, DefaultsAreThoseOfTheDefinition) {
  constexpr std::string_view kLines = "- `PROM_DUMP=<0|1>` (default: `0`)\n  Enables the dump.\n";
  EXPECT_EQ(VerdictOf("Out of the box `PROM_DUMP` is 0.", kLines), "supported");
  EXPECT_EQ(VerdictOf("Out of the box `PROM_DUMP` is 1.", kLines), "contradicted");
  EXPECT_EQ(VerdictOf("By default `PROM_DUMP` is enabled.", kLines), "contradicted");
  constexpr std::string_view kOption = "option(USE_CACHE \"Keep a cache of results\" OFF)\n";
  EXPECT_EQ(VerdictOf("`USE_CACHE` is off by default.", kOption), "supported");
  EXPECT_EQ(VerdictOf("`USE_CACHE` is on by default.", kOption), "contradicted");
  EXPECT_EQ(VerdictOf("The cache is enabled by default.", kOption), "contradicted");
}

TEST(Grounding, AnOverclaimIsRefused) {
  constexpr std::string_view kLines =
      "The result of the reduction is usually the same for repeated runs.\n";
  EXPECT_EQ(VerdictOf("The result of the reduction is always the same for repeated runs.", kLines),
            "absent");
}

TEST(Grounding, TheOppositeIsADoubt) {
  EXPECT_EQ(VerdictOf("Once the ring buffer is full, it overwrites the newest element.",
                      "// If the ring buffer is full, the oldest element is overwritten.\n"),
            "undecidable");
}

TEST(Grounding, ExplainsEveryWord) {
  const Grounding grounding =
      JudgeText("The configuration is kept.", "load_config(); // and retain it\n");
  ASSERT_FALSE(grounding.words.empty());
  EXPECT_EQ(grounding.words.front().text, "configuration");
  EXPECT_NE(grounding.words.front().ground, Ground::kNone);
}

}  // namespace
}  // namespace sibyl::support
