// SPDX-License-Identifier: Apache-2.0
#include "plan/budget.h"

#include <gtest/gtest.h>

namespace sibyl::plan {
namespace {

TEST(FindLineBudget, ReadsNumbersAsPeopleWriteThem) {
  EXPECT_EQ(FindLineBudget("Title (~400 lines)"), 400U);
  EXPECT_EQ(FindLineBudget("Title (1,200 lines)"), 1200U);
  EXPECT_EQ(FindLineBudget("300-400 lines"), 400U);
  EXPECT_EQ(FindLineBudget("500+ lines"), 500U);
  EXPECT_EQ(FindLineBudget("about 2.5k lines"), 2500U);
  EXPECT_EQ(FindLineBudget("400-line file"), std::nullopt);
  EXPECT_EQ(FindLineBudget("lines 39-79"), std::nullopt);
}

TEST(FindLineBudget, WhatWasDeliveredIsNoBudget) {
  EXPECT_EQ(FindLineBudget("a.md (Completed 2026-01-31 - 401 lines)"), std::nullopt);
  EXPECT_EQ(FindLineBudget("a.md (~600 lines) (Completed 2026-01-31)"), 600U);
}

TEST(FindCompletion, TakesTheMomentAsWritten) {
  EXPECT_EQ(FindCompletion("(Completed 2026-11-13 21:49 PST)"), "2026-11-13 21:49 PST");
  EXPECT_EQ(FindCompletion("- Completed 2026-01-31"), "2026-01-31");
  EXPECT_EQ(FindCompletion("(Completed 2026-01-31 - 401 lines)"), "2026-01-31");
  EXPECT_EQ(FindCompletion("COMPLETE ✅ (2026-01-31 16:45)"), "2026-01-31 16:45");
  EXPECT_EQ(FindCompletion("**Completed**: 2026-01-31T10:00Z"), "2026-01-31T10:00Z");
  EXPECT_EQ(FindCompletion("complete the work"), "");
}

TEST(SplitTitle, TakesRemarksOff) {
  const BareTitle overview = SplitTitle("Overview (30 lines) - what it is");
  EXPECT_EQ(overview.title, "Overview");
  EXPECT_EQ(overview.line_budget, 30U);
  EXPECT_EQ(overview.description, "what it is");
  EXPECT_EQ(SplitTitle("Turing (sm_75) (~100 lines)").title, "Turing (sm_75)");
  EXPECT_EQ(SplitTitle("Create a.md (Completed 2026-01-01)").title, "Create a.md");
  EXPECT_EQ(SplitTitle("(Completed 2026-01-01) Create a.md").title, "Create a.md");
  EXPECT_EQ(SplitTitle("**Bold** ✅").title, "Bold");
  EXPECT_EQ(SplitTitle("One - two").title, "One - two");
}

}  // namespace
}  // namespace sibyl::plan
