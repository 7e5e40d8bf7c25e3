// SPDX-License-Identifier: Apache-2.0
#include "index/words/thesaurus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "index/words/word_files.h"

namespace sibyl::index {
namespace {

constexpr std::string_view kRules =
    "# Not a rule: memory\n"
    "card cards : gpu device\n"
    "copy move + memory buffer + faster : pinned\n"
    "slow : profiler\n";

std::vector<std::string> Found(std::string_view question, std::string_view rules = kRules) {
  TermForms forms;
  std::vector<std::string> words;
  for (const Alternative& alternative : FindAlternatives(question, rules, forms)) {
    words.insert(words.end(), alternative.words.begin(), alternative.words.end());
  }
  return words;
}

TEST(ThesaurusTest, AWordOfARuleWithOneGroupIsEnough) {
  EXPECT_EQ(Found("which card is it"), (std::vector<std::string>{"gpu", "device"}));
}

TEST(ThesaurusTest, EveryGroupMustBeMet) {
  EXPECT_TRUE(Found("copy a buffer").empty());
  EXPECT_EQ(Found("faster ways to move memory"), std::vector<std::string>{"pinned"});
}

TEST(ThesaurusTest, FormsOfAWordAreTheSame) {
  EXPECT_EQ(Found("copying buffers faster"), std::vector<std::string>{"pinned"});
  EXPECT_EQ(Found("COPIED memories, faster"), std::vector<std::string>{"pinned"});
}

TEST(ThesaurusTest, WordsThatOnlyBeginAlikeAreNot) {
  EXPECT_TRUE(Found("cardinal slowdown").empty());
}

TEST(ThesaurusTest, WordsOfTheSourcesAndCommentsAskForNothing) {
  EXPECT_TRUE(Found("gpu pinned profiler rule").empty());
}

TEST(ThesaurusTest, NothingAskedFindsNothing) {
  EXPECT_TRUE(Found("").empty());
  EXPECT_TRUE(Found("card", "").empty());
}

TEST(ThesaurusTest, TheTableKnowsWhatRecordingAndRunningAgainIs) {
  const std::vector<std::string> words =
      Found("record GPU work once and run it again cheaply", ThesaurusTable());
  EXPECT_NE(std::find(words.begin(), words.end(), "capture"), words.end());
  EXPECT_NE(std::find(words.begin(), words.end(), "replay"), words.end());
}

}  // namespace
}  // namespace sibyl::index
