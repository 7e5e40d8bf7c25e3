// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/default_switch.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sibyl::support {
namespace {

std::string OtherSwitchIn(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  const LineSentences sentences(lines, evidence.tokens());
  return FindOtherSwitch(Read(statements->all.front(), evidence, tokenizer), evidence, sentences)
      .value_or("");
}

constexpr std::string_view kLogging =
    "Request logging is disabled by default. You can enable it with `LOG_LEVEL`.\n";

TEST(DefaultSwitch, IsThatOfTheSameThing) {
  EXPECT_EQ(OtherSwitchIn("Request logging is on by default and is switched off by `LOG_LEVEL`.",
                          kLogging),
            "disabled");
  EXPECT_EQ(OtherSwitchIn("By default, request logging is enabled.", kLogging), "disabled");
  EXPECT_EQ(OtherSwitchIn("Request logging is off by default.", kLogging), "");
  EXPECT_EQ(OtherSwitchIn("Request logging is not enabled by default.", kLogging), "");
}

TEST(DefaultSwitch, AnExceptionIsNotTheDefault) {
  EXPECT_EQ(OtherSwitchIn("Request logging is disabled by default, though some servers turn it on.",
                          kLogging),
            "");
}

TEST(DefaultSwitch, OfSomethingElseDoesNotCount) {
  EXPECT_EQ(OtherSwitchIn("Compression of answers is enabled by default.", kLogging), "");
  EXPECT_EQ(OtherSwitchIn("The cache is on by default.",
                          "The cache is enabled by default, logging is disabled by default.\n"),
            "");
}

}  // namespace
}  // namespace sibyl::support
