// SPDX-License-Identifier: Apache-2.0
#include "index/thesaurus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "index/thesaurus_words.h"

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

TEST(ThesaurusTest, EveryLineOfTheTableIsARuleOrAComment) {
  std::set<std::string_view> seen;
  for (std::string_view rest = kThesaurus; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty() || line[0] == '#') continue;
    EXPECT_EQ(std::count(line.begin(), line.end(), ':'), 1) << line;
    EXPECT_LE(std::count(line.begin(), line.end(), '+'), 3) << line;
    EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ' ' || c == '+' || c == ':' ||
             c == '_';
    })) << line;
    EXPECT_TRUE(seen.insert(line).second) << line;
  }
  EXPECT_GT(seen.size(), 200U);
}

TEST(ThesaurusTest, TheTableKnowsWhatRecordingAndRunningAgainIs) {
  const std::vector<std::string> words =
      Found("record GPU work once and run it again cheaply", kThesaurus);
  EXPECT_NE(std::find(words.begin(), words.end(), "capture"), words.end());
  EXPECT_NE(std::find(words.begin(), words.end(), "replay"), words.end());
}

}  // namespace
}  // namespace sibyl::index
