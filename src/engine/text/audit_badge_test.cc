// SPDX-License-Identifier: Apache-2.0
#include "engine/text/audit_badge.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace sibyl::engine {
namespace {

std::string ColourOf(const BadgeCounts& counts) {
  const std::string svg = DrawBadge(counts);
  const std::size_t at = svg.rfind("fill=\"", svg.find("<g ")) + 6;
  return svg.substr(at, 7);
}

TEST(Badge, SaysHowManyHoldAndIsGreenAmberOrRed) {
  EXPECT_TRUE(Contains(DrawBadge({.hold = 182, .decided = 190}), ">182/190</text>"));
  EXPECT_TRUE(Contains(DrawBadge({.hold = 182, .decided = 190}), "<title>citations 182/190<"));
  const std::string green = ColourOf({.hold = 190, .decided = 190});
  const std::string amber = ColourOf({.hold = 171, .decided = 190});
  const std::string red = ColourOf({.hold = 170, .decided = 190});
  EXPECT_NE(green, amber);
  EXPECT_NE(amber, red);
  EXPECT_NE(green, red);
  EXPECT_EQ(ColourOf({.hold = 189, .decided = 190}), amber) << "one failure is not green";
  EXPECT_EQ(ColourOf({.hold = 0, .decided = 190}), red);
}

TEST(Badge, IsNotGreenIfNothingWasCheckedOrNotAllOfIt) {
  const std::string green = ColourOf({.hold = 1, .decided = 1});
  EXPECT_NE(ColourOf({}), green);
  EXPECT_TRUE(Contains(DrawBadge({}), ">none</text>"));
  EXPECT_NE(ColourOf({.hold = 1, .decided = 1, .is_complete = false}), green);
}

TEST(Badge, ReferencesNothingOutside) {
  const std::string svg = DrawBadge({.hold = 1, .decided = 2});
  EXPECT_FALSE(Contains(svg, "href"));
  EXPECT_FALSE(Contains(svg, "url("));
  EXPECT_FALSE(Contains(svg, "script"));
  EXPECT_EQ(svg.find("http"), svg.rfind("http")) << "only the name space";
}

TEST(Badge, CountsCodeCitationsWithoutAnOracleAndAllChecksWithOne) {
  Outcome outcome;
  outcome.data["code_counts"] = {{"holds", 3}, {"drifted", 1}, {"undecided", 5}};
  outcome.data["counts"] = {{"supported", 7}, {"absent", 2}, {"undecidable", 9}};
  EXPECT_EQ(CountForBadge(outcome).label, "checks");
  EXPECT_EQ(CountForBadge(outcome).hold, 7U);
  EXPECT_EQ(CountForBadge(outcome).decided, 9U);
  outcome.data["repository"] = ".";
  EXPECT_EQ(CountForBadge(outcome).label, "citations");
  EXPECT_EQ(CountForBadge(outcome).hold, 3U);
  EXPECT_EQ(CountForBadge(outcome).decided, 4U);
  EXPECT_TRUE(CountForBadge(outcome).is_complete);
  outcome.findings.push_back({.code = "audit/unread", .message = "x", .hint = "", .place = {}});
  EXPECT_FALSE(CountForBadge(outcome).is_complete);
}

}  // namespace
}  // namespace sibyl::engine
