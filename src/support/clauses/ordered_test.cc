// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/ordered.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sibyl::support {
namespace {

std::string TurnedIn(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  return CompareOrder(Read(statements->all.front(), evidence, tokenizer), evidence).turned;
}

TEST(Ordered, InTime) {
  constexpr std::string_view kLines = "// Shut down the sync manager before the client.\n";
  EXPECT_EQ(TurnedIn("The client is shut down before the sync manager.", kLines), "before");
  EXPECT_EQ(TurnedIn("The sync manager is shut down before the client.", kLines), "");
  EXPECT_EQ(TurnedIn("The client is shut down after the sync manager.", kLines), "");
  EXPECT_EQ(TurnedIn("The client stops after 5 seconds of the sync manager.", kLines), "");
}

TEST(Ordered, FromOneToTheOther) {
  constexpr std::string_view kLines = "Pages are moved from GPU to CPU.\n";
  EXPECT_EQ(TurnedIn("Pages are moved from CPU to GPU.", kLines), "from");
  EXPECT_EQ(TurnedIn("Pages are moved from GPU to CPU.", kLines), "");
}

TEST(Ordered, WhatIsKeptAndWhatIsNot) {
  constexpr std::string_view kLines =
      "Patterns are relative to the rule's path, not to the project directory.\n";
  EXPECT_EQ(
      TurnedIn("Patterns are relative to the project directory, not to the rule's path.", kLines),
      "not");
  EXPECT_EQ(TurnedIn("Patterns are relative to the rule's path rather than the project directory.",
                     kLines),
            "");
}

TEST(Ordered, WhatGoesFirstAndWhatRestsOnWhat) {
  EXPECT_EQ(TurnedIn("The `MODE_A` variable takes precedence over the `MODE_B` variable.",
                     "MODE_A is overridden by MODE_B.\n"),
            "precedence");
  EXPECT_EQ(
      TurnedIn("`codec_load` is built on top of `load_file`.", "load_file relies on codec_load.\n"),
      "built");
}

TEST(Ordered, OneButNotTheOther) {
  constexpr std::string_view kLines = "Managed memory is supported on Linux, not on Windows.\n";
  EXPECT_EQ(TurnedIn("Managed memory works on Windows but not yet on Linux.", kLines), "but");
  EXPECT_EQ(TurnedIn("Managed memory works on Linux but not yet on Windows.", kLines), "");
}

}  // namespace
}  // namespace sibyl::support
