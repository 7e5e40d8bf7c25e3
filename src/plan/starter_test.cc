// SPDX-License-Identifier: Apache-2.0
#include "plan/starter.h"

#include <gtest/gtest.h>

#include "plan/check.h"
#include "plan/plan.h"

namespace sibyl::plan {
namespace {

TEST(Slug, IsLowerCaseWordsJoinedByHyphens) {
  EXPECT_EQ(SlugOf("CUDA graphs & streams (2026)"), "cuda-graphs-streams-2026");
  EXPECT_EQ(SlugOf("  --a//b--  "), "a-b");
  EXPECT_EQ(SlugOf("Müll"), "müll");
  EXPECT_EQ(SlugOf("../../etc/passwd"), "etc-passwd") << "no way out of the folder";
}

TEST(Slug, IsEmptyWithoutALetterOrDigit) { EXPECT_EQ(SlugOf(" ?!/.. "), ""); }

TEST(Slug, HasNoCharacterThatIsNotSeen) {
  EXPECT_EQ(SlugOf("cu\u202Eda\u202C \u2066gr\u200Baphs\u2069\uFEFF"), "cuda-graphs");
  EXPECT_EQ(SlugOf("soft\u00ADware\U000E0041"), "software");
  EXPECT_EQ(SlugOf("a\u00A0b\u2028c\u0085d\xFF"
                   "e"),
            "a-b-c-d-e");
  EXPECT_EQ(SlugOf("\u202E\u200F"), "") << "nothing that could name a file";
  EXPECT_EQ(SlugOf("का\u0301"), "का\u0301") << "combining marks are part of letters";
}

TEST(Slug, IsCutAtAWordAndNeverInsideACharacter) {
  const std::string words =
      SlugOf("one two three four five six seven eight nine ten eleven twelve");
  EXPECT_LE(words.size(), 60U);
  EXPECT_TRUE(words.ends_with("eleven")) << words;
  std::string umlauts;
  for (int i = 0; i < 50; ++i) umlauts += "ü";
  EXPECT_EQ(SlugOf("a" + umlauts).size() % 2, 1U) << "whole characters of two bytes after the a";
}

TEST(Starter, IsAPlanThatIsUnderstoodCompletely) {
  const std::string text =
      MakeStarter({.topic = "GPU memory", .slug = "gpu-memory", .date = "2026-11-15", .parts = 3});
  const LoadedPlan loaded = Parse("starter.md", text);
  EXPECT_EQ(loaded.plan.topic, "GPU memory");
  EXPECT_EQ(loaded.plan.date, "2026-11-15");
  ASSERT_EQ(loaded.plan.parts.size(), 3U);
  for (const Part& part : loaded.plan.parts) {
    EXPECT_EQ(part.status, PartStatus::kOpen);
    EXPECT_EQ(part.line_budget, 300U);
    EXPECT_EQ(part.sections.size(), 3U);
    for (const Section& section : part.sections) {
      EXPECT_EQ(section.points.size(), 2U);
      EXPECT_FALSE(section.cite.empty());
    }
    EXPECT_EQ(part.queries.size(), 2U);
    EXPECT_EQ(part.reads.size(), 0U);
    EXPECT_EQ(part.steps.size(), 5U);
    EXPECT_TRUE(part.unread.empty());
    EXPECT_FALSE(part.drop.empty());
  }
  EXPECT_EQ(loaded.plan.parts[2].target, "gpu-memory/03-subject-3.md");
  EXPECT_EQ(loaded.plan.criteria.size(), 2U);
  std::size_t untouched = 0;
  for (const Finding& finding : Check(loaded, "starter.md", text)) {
    if (finding.code == "part/template") {
      ++untouched;
      continue;
    }
    ADD_FAILURE() << finding.place.line << ": " << finding.message << " [" << finding.code << ']';
  }
  EXPECT_EQ(untouched, loaded.plan.parts.size()) << "an untouched starter is not ready to be run";
}

TEST(Starter, KeepsATopicWithLineEndsOnOneLine) {
  const std::string text = MakeStarter(
      {.topic = " two\n## PART 9: lines ", .slug = "two", .date = "2026-11-15", .parts = 1});
  EXPECT_TRUE(text.starts_with("# Oracle Knowledge Expansion: two ## PART 9: lines\n"));
  EXPECT_EQ(Parse("starter.md", text).plan.parts.size(), 1U);
}

}  // namespace
}  // namespace sibyl::plan
