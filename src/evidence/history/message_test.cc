// SPDX-License-Identifier: Apache-2.0
#include "evidence/history/message.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace sibyl::evidence {
namespace {

TEST(WordsOfMessage, LeavesTrailersAndAddressesOut) {
  EXPECT_EQ(WordsOfMessage("Fix the ring buffer (#123)\n\nIt wrapped too early, see "
                           "https://example.org/1 for more.\n\nFixes #77\n"
                           "Signed-off-by: Ada <ada@example.org>\nCHANGE-ID: I0123\n"
                           "ghstack-source-id: 0f0f\n"),
            "Fix the ring buffer (#123)\nIt wrapped too early, see for more.");
  EXPECT_EQ(WordsOfMessage("https://example.org/only\n"), "");
  EXPECT_EQ(WordsOfMessage(""), "");
}

TEST(WordsOfMessage, IsBoundedAndValid) {
  std::string long_message;
  for (int i = 0; i < 5000; ++i) long_message += "line \xC3\xA9\n";
  const std::string words = WordsOfMessage(long_message);
  EXPECT_LE(words.size(), 1200U);
  EXPECT_LT(std::count(words.begin(), words.end(), '\n'), 41);
  EXPECT_EQ(WordsOfMessage("caf\xE9"), "caf\xEF\xBF\xBD");
}

TEST(SubjectOf, IsTheFirstLineThatHasWords) {
  EXPECT_EQ(SubjectOf("\n\n  Subject here \nBody"), "Subject here");
  EXPECT_EQ(SubjectOf(""), "");
  EXPECT_LE(SubjectOf(std::string(1000, 'x')).size(), 300U);
}

TEST(IsRevert, KnowsTheCustomsOfSeveralTools) {
  EXPECT_TRUE(IsRevert("Revert \"Add a cache\"\n\nThis reverts commit 0123.\n"));
  EXPECT_TRUE(IsRevert("Back out changeset 12"));
  EXPECT_FALSE(IsRevert("Reverting a list in place is faster"));
  EXPECT_FALSE(IsRevert("Add revert"));
}

TEST(IsRobot, DoesNotTakePeopleForPrograms) {
  EXPECT_TRUE(IsRobot("dependabot[bot] <x@users.noreply.example.org>"));
  EXPECT_TRUE(IsRobot("PyTorch UpdateBot <x@example.org>"));
  EXPECT_TRUE(IsRobot("merge-bot <x@example.org>"));
  EXPECT_TRUE(IsRobot("pytorchbot <x@example.org>"));
  EXPECT_FALSE(IsRobot("Jane Talbot <bot@example.org>"));
  EXPECT_FALSE(IsRobot("Ada Abbot"));
  EXPECT_FALSE(IsRobot(""));
}

}  // namespace
}  // namespace sibyl::evidence
