// SPDX-License-Identifier: Apache-2.0
#include "base/whole_word.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl {
namespace {

TEST(FindWholeWord, IsNotInsideAWord) {
  EXPECT_EQ(FindWholeWord("cache caches cache", "cache"), 0U);
  EXPECT_EQ(FindWholeWord("cache caches cache", "cache", 1), 13U);
  EXPECT_EQ(FindWholeWord("my_cache cache2 écache", "cache"), std::nullopt);
  EXPECT_EQ(FindWholeWord("(cache)", "cache"), 1U);
  EXPECT_EQ(FindWholeWord("a.b", "."), 1U) << "only word bytes are touched by others";
  EXPECT_EQ(FindWholeWord("x --flag y", "--flag"), 2U);
  EXPECT_EQ(FindWholeWord("text", ""), std::nullopt);
  EXPECT_EQ(FindWholeWord("", "text"), std::nullopt);
  EXPECT_EQ(FindWholeWord("text", "text", 9), std::nullopt);
}

TEST(FindWholeWord, IsLinearInAWordThatRepeatsThePiece) {
  EXPECT_EQ(FindWholeWord(std::string(4'000'000, 'a'), "aaaa"), std::nullopt);
}

}  // namespace
}  // namespace sibyl
