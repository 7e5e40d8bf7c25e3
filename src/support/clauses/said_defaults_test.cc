// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/said_defaults.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sibyl::support {
namespace {

std::string OtherIn(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  const auto other = FindOtherDefault(Read(statements->all.front(), evidence, tokenizer), evidence);
  return other ? other->said + "/" + other->there : "";
}

TEST(SaidDefaults, OfUsageTexts) {
  constexpr std::string_view kLines = "  -k N  keep going until N jobs fail (0: all) [default=1]\n";
  EXPECT_EQ(OtherIn("The limit is 3 by default.", kLines), "3/1");
  EXPECT_EQ(OtherIn("The limit is 1 by default; 0 lifts it.", kLines), "");
}

TEST(SaidDefaults, OfLists) {
  constexpr std::string_view kLines = "* 0 = warning (default)\n* 1 = info\n* 2 = debug\n";
  EXPECT_EQ(OtherIn("By default the level is info (1).", kLines), "1/0");
  EXPECT_EQ(OtherIn("By default the level is warning (0).", kLines), "");
}

TEST(SaidDefaults, BesideTheirNames) {
  constexpr std::string_view kLines = "- `stat_matches`: `false`. If true, the size is used.\n";
  EXPECT_EQ(OtherIn("`stat_matches` is `true` by default.", kLines), "true/false");
  EXPECT_EQ(OtherIn("`stat_matches` is `false` by default.", kLines), "");
}

TEST(SaidDefaults, OfAnotherNameDoNotCount) {
  constexpr std::string_view kLines =
      "`group_size`: one of 256, 128\n`tile_size`: of a tile, default is 8\n";
  EXPECT_EQ(OtherIn("`group_size` is 128 by default.", kLines), "");
}

TEST(SaidDefaults, OfWordsInQuotationMarks) {
  constexpr std::string_view kLines = "Set the compiler: \"nvcc\" (default) or \"clang++\".\n";
  EXPECT_EQ(
      OtherIn("Code is compiled with clang++ by default, and nvcc is the alternative.", kLines),
      "clang/nvcc");
  EXPECT_EQ(
      OtherIn("Code is compiled with nvcc by default, and clang++ is the alternative.", kLines),
      "");
}

TEST(SaidDefaults, OfANameThatIsMeantByItsParts) {
  constexpr std::string_view kLines =
      "* `app_FPGA_MODE`: valid are `emulation` and `hardware`. Default: `emulation`.\n";
  EXPECT_EQ(OtherIn("FPGA builds use the `hardware` mode unless another one is chosen.", kLines),
            "hardware/emulation");
}

}  // namespace
}  // namespace sibyl::support
