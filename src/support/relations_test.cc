// SPDX-License-Identifier: Apache-2.0
#include "support/relations.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/evidence_text.h"

namespace sibyl::support {
namespace {

// The first contradiction; empty: there is none.
std::string Contradiction(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  const std::vector<std::string> found = ContradictedRelations(
      Read(statements->all.front(), evidence, tokenizer), cards::ReadDefinitions(lines));
  return found.empty() ? "" : found.front();
}

constexpr std::string_view kCalls =
    "void unblock() {\n  unblock_quietly();\n  check_flag();\n}\nvoid unblock_quietly() {}\n";

TEST(Relations, OfCalls) {
  EXPECT_EQ(Contradiction("`unblock` calls `unblock_quietly`.", kCalls), "");
  EXPECT_EQ(Contradiction("`unblock_quietly` calls `unblock`.", kCalls),
            "in the cited lines, unblock calls unblock_quietly");
  EXPECT_EQ(Contradiction("`unblock_quietly` is called by `unblock`.", kCalls), "");
  EXPECT_NE(Contradiction("`unblock` is called by `unblock_quietly`.", kCalls), "");
  EXPECT_NE(Contradiction("`unblock_quietly` checks a flag and hands over to `unblock`.", kCalls),
            "");
  EXPECT_EQ(Contradiction("`unblock_quietly` never calls `unblock`.", kCalls), "");
}

TEST(Relations, OfCallsByMembersAndByResults) {
  EXPECT_NE(Contradiction("`unblock_quietly` of `Gate` simply calls `unblock`.", kCalls), "");
  EXPECT_EQ(Contradiction("`unblock` of `Gate` simply calls `unblock_quietly`.", kCalls), "");
  EXPECT_NE(Contradiction("`unblock_quietly` takes the result of `unblock`.", kCalls), "");
  EXPECT_EQ(Contradiction("`unblock` takes the result of `unblock_quietly`.", kCalls), "");
}

TEST(Relations, OfWhatBelongsToAType) {
  constexpr std::string_view kLines =
      "struct Send {\n  int source_pe;\n};\nstruct Receive {\n  int target_pe;\n};\n";
  EXPECT_EQ(Contradiction("`source_pe` belongs to `Send`.", kLines), "");
  EXPECT_EQ(Contradiction("`source_pe` belongs to `Receive`.", kLines),
            "in the cited lines, source_pe belongs to Send");
  EXPECT_EQ(Contradiction("`source_pe` does not belong to `Receive`.", kLines), "");
}

TEST(Relations, OfTheOrderOfCalls) {
  EXPECT_EQ(Contradiction("It runs `unblock_quietly` followed by `check_flag`.", kCalls), "");
  EXPECT_EQ(Contradiction("It runs `check_flag` followed by `unblock_quietly`.", kCalls),
            "in the cited lines, unblock_quietly comes before check_flag");
  EXPECT_EQ(Contradiction("It runs `check_flag` after `unblock_quietly`.", kCalls), "");
}

TEST(Relations, OfBases) {
  constexpr std::string_view kLines = "class out_of_memory : public bad_alloc {\n};\n";
  EXPECT_EQ(Contradiction("`out_of_memory` derives from `bad_alloc`.", kLines), "");
  EXPECT_EQ(Contradiction("`bad_alloc` derives from `out_of_memory`.", kLines),
            "in the cited lines, out_of_memory derives from bad_alloc");
}

TEST(Relations, OfPartsAndWholes) {
  constexpr std::string_view kLines =
      "struct Send {\n  int source_pe;\n};\nstruct Receive {\n  int target_pe;\n};\n"
      "void run(int depth) {}\nvoid stop(int code) {}\n";
  EXPECT_EQ(Contradiction("The member `source_pe` of `Send` is a number.", kLines), "");
  EXPECT_EQ(Contradiction("The member `source_pe` of `Receive` is a number.", kLines),
            "in the cited lines, source_pe belongs to Send");
  EXPECT_EQ(Contradiction("The parameter `depth` of `run` is a number.", kLines), "");
  EXPECT_EQ(Contradiction("The parameter `depth` of `stop` is a number.", kLines),
            "in the cited lines, depth belongs to run");
  EXPECT_EQ(Contradiction("The parameter `depth` of `other` is a number.", kLines), "");
}

TEST(Relations, LinesWithoutThemSayNothing) {
  EXPECT_EQ(Contradiction("`unblock_quietly` calls `unblock`.", "int depth = 4;\n"), "");
}

}  // namespace
}  // namespace sibyl::support
