// SPDX-License-Identifier: Apache-2.0
#include "engine/reading/run_points.h"

#include <gtest/gtest.h>

namespace sibyl::engine {
namespace {

TEST(RunPoints, ACoveredPointHasItsPlace) {
  draft::Draft draft{.path = "a/01-x.md",
                     .text =
                         "# X\n\n## 1. One\n\n### 1.1 First\\_thing\n\n```\n### 1.2 not one\n"
                         "```\n\n### 1.2 Second\n"};
  draft.sections.push_back({.title = "One",
                            .points = {{.point = "first", .where = "1.1"},
                                       {.point = "second", .where = "1.2"},
                                       {.point = "known", .where = "[b](b.md)"},
                                       {.point = "third", .where = {}, .nearest = "b.rst:1-2"}}});
  const Json sections = PointsDelivered(draft);
  ASSERT_EQ(sections.size(), 1U);
  const Json& points = sections[0]["points"];
  EXPECT_EQ(sections[0]["title"], "One");
  EXPECT_EQ(points[0]["state"], "covered");
  EXPECT_EQ(points[0]["anchor"], "11-first_thing");
  EXPECT_EQ(points[1]["anchor"], "12-second");
  EXPECT_FALSE(points[2].contains("anchor"));
  EXPECT_EQ(points[3]["state"], "open");
  EXPECT_EQ(points[3]["nearest"], "b.rst:1-2");
}

TEST(RunPoints, APartThatWasNotWrittenHasItsPlan) {
  plan::Plan plan;
  plan.parts.push_back({.target = "a.md"});
  plan.parts.back().sections.push_back({.title = "S", .points = {{.text = "p"}}});
  EXPECT_EQ(PartOf(plan, "b.md"), nullptr);
  const plan::Part* part = PartOf(plan, "a.md");
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(PointsPlanned(*part)[0]["points"][0], (Json{{"point", "p"}, {"state", "planned"}}));
}

}  // namespace
}  // namespace sibyl::engine
