// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/parallels.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sibyl::support {
namespace {

// The two, with a slash between them; empty if the lines support the statement.
std::string InterchangeableIn(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  const ReadStatement read = Read(statements->all.front(), evidence, tokenizer);
  const std::optional<Interchangeable> found = FindInterchangeable(read, evidence);
  return found ? read.tokens[found->first].lower + "/" + read.tokens[found->second].lower : "";
}

TEST(Parallels, MembersOfOneEnumerationAreNot) {
  constexpr std::string_view kLines = "architectures: sm_100 sm_120 sm_75 sm_80\n";
  EXPECT_EQ(InterchangeableIn("It has sm_75, sm_80, sm_100 and sm_120.", kLines), "");
  EXPECT_EQ(InterchangeableIn("It runs on `b_dir`, `a_dir` and `c_dir`.", "a_dir c_dir b_dir\n"),
            "");
}

TEST(Parallels, NumbersOfDifferentUnitsAreNot) {
  EXPECT_EQ(InterchangeableIn("From 12.8 on, 64 registers are used.",
                              "uses 64 registers since version 12.8\n"),
            "");
}

TEST(Parallels, NamesOfTwoClauses) {
  constexpr std::string_view kLines =
      "copies the buffer with kWarp for sums\n"
      "and uses kRadix when the tables are hashed.\n";
  EXPECT_EQ(InterchangeableIn("`kWarp` serves sums, and `kRadix` hashed tables.", kLines), "");
  EXPECT_EQ(InterchangeableIn("`kRadix` serves sums, and `kWarp` hashed tables.", kLines),
            "kradix/kwarp");
}

TEST(Parallels, Numbers) {
  constexpr std::string_view kLines = "num_write_iters = 10000\nnum_read_iters = 100\n";
  EXPECT_EQ(InterchangeableIn("It runs 10000 write iterations and 100 read iterations.", kLines),
            "");
  EXPECT_EQ(InterchangeableIn("It runs 100 write iterations and 10000 read iterations.", kLines),
            "100/10000");
}

TEST(Parallels, Opposites) {
  constexpr std::string_view kLines = "The host allocates the page; the device frees it.\n";
  EXPECT_EQ(InterchangeableIn("The host allocates the page, the device frees it.", kLines), "");
  EXPECT_NE(InterchangeableIn("The device allocates the page, the host frees it.", kLines), "");
}

TEST(Parallels, NamesOfOtherKindsAreNotInterchangeable) {
  constexpr std::string_view kLines = "uses kRadix when the rows are long, see CMAKE_ROWS\n";
  EXPECT_EQ(InterchangeableIn("`CMAKE_ROWS` is about rows, and `kRadix` is used.", kLines), "");
  EXPECT_EQ(InterchangeableIn("`kRadix` is used for long rows of `kRadix`.", kLines), "");
}

// Thousands of names are compared in bounded time.
TEST(Parallels, AListInAnotherOrderSaysTheSame) {
  std::string text = "It has";
  std::string lines;
  for (int i = 0; i < 3000; ++i) {
    text += " `name_" + std::to_string(i) + "`,";
    lines += "name_" + std::to_string(2999 - i) + " = " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(InterchangeableIn(text + " and more.", lines), "");
}

}  // namespace
}  // namespace sibyl::support
