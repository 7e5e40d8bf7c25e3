// SPDX-License-Identifier: Apache-2.0
#include "index/builder/passage_cover.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>

namespace sibyl::index {
namespace {

void ExpectCovers(std::string_view text, const std::vector<CoveredPassage>& spans) {
  std::uint32_t at = 0;
  std::uint32_t line = 1;
  for (const CoveredPassage& span : spans) {
    ASSERT_EQ(span.begin, at);
    ASSERT_GT(span.end, span.begin);
    ASSERT_LE(span.end, text.size());
    ASSERT_EQ(span.first_line, line);
    const auto newlines = std::count(text.begin() + span.begin, text.begin() + span.end, '\n');
    ASSERT_TRUE(text[span.end - 1] == '\n' || span.end == text.size());
    ASSERT_EQ(span.last_line, line + newlines - (text[span.end - 1] == '\n' ? 1 : 0));
    at = span.end;
    line = span.last_line + 1;
  }
  ASSERT_EQ(at, text.size());
}

TEST(PassageCover, HasEachLineExactlyOnceWhateverIsGiven) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *rc::gen::container<std::string>(rc::gen::element('a', '\n', ' '));
    std::vector<PassageSpan> given;
    for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
      PassageSpan span;
      span.begin = *rc::gen::inRange<std::uint32_t>(0, 120);
      span.end = *rc::gen::inRange<std::uint32_t>(0, 120);
      given.push_back(span);
    }
    ExpectCovers(text, CoverText(text, given));
  }));
}

TEST(PassageCover, CutsTextWithoutStructureIntoWindows) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "line\n";
  const std::vector<CoveredPassage> spans = CoverText(text, {});
  ASSERT_EQ(spans.size(), 3U);
  EXPECT_EQ(spans[1].first_line, 41U);
  EXPECT_EQ(spans[1].last_line, 80U);
  EXPECT_EQ(spans[2].last_line, 100U);
}

TEST(PassageCover, KeepsHeadingsAndFillsTheGaps) {
  const std::string text = "intro\nvoid f() {\n}\nrest\n";
  const std::vector<PassageSpan> given = {{.first_line = 2,
                                           .last_line = 3,
                                           .begin = 6,
                                           .end = 19,
                                           .heading = "f",
                                           .kind = PassageKind::kDefinition}};
  const std::vector<CoveredPassage> spans = CoverText(text, given);
  ASSERT_EQ(spans.size(), 3U);
  EXPECT_EQ(spans[1].heading_view, "f");
  EXPECT_EQ(spans[1].first_line, 2U);
  EXPECT_EQ(spans[1].last_line, 3U);
  EXPECT_EQ(spans[2].heading_view, "");
}

TEST(PassageCover, CutsAnEndlessPassageAndRepeatsItsHeading) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "x\n";
  const std::vector<PassageSpan> given = {{.begin = 0, .end = 400, .heading = "big"}};
  const std::vector<CoveredPassage> spans = CoverText(text, given);
  EXPECT_EQ(spans.size(), 5U);
  for (const CoveredPassage& span : spans) EXPECT_EQ(span.heading_view, "big");
}

}  // namespace
}  // namespace sibyl::index
