// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/plan_operations.h"

#include <gtest/gtest.h>

#include "base/files/files.h"
#include "engine/test_operations.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kShownPlan = R"(# Expansion: Widgets

**Topic**: Widgets
**Date**: 2026-11-15

## PART 1: Create widgets/01-basics.md (200 lines)

- [ ] PART 1: Create widgets/01-basics.md

**Step 1: Research**
- [ ] Search: "widget basics"

**Step 3: Write Knowledge File**
- [ ] Section 1: What they are (~200 lines)
      - Kinds of widgets
      - Names of widgets
      Cite: the handbook

**Step 4: Create KNOWLEDGE DROP**
- [ ] Create KNOWLEDGE-DROP-widgets-2026-11-15.md
)";

class PlanOperations : public OperationTest {};

TEST_F(PlanOperations, ShowGivesEveryMemberThatTheFormatNames) {
  Write("plan.md", kShownPlan);
  const auto outcome = Run(kPlanShow, {{"plan", "plan.md"}});
  ASSERT_TRUE(outcome.ok());
  const Json& plan = outcome->data;
  for (const char* name : {"title", "topic", "date", "target_folder", "parts", "criteria"}) {
    EXPECT_TRUE(plan.contains(name)) << name;
  }
  ASSERT_EQ(plan["parts"].size(), 1U);
  const Json& part = plan["parts"][0];
  for (const char* name :
       {"number",      "through", "title", "status",    "completed", "target",       "targets",
        "line_budget", "goal",    "steps", "queries",   "urls",      "repositories", "reads",
        "sections",    "drop",    "line",  "last_line", "notes",     "lines"}) {
    EXPECT_TRUE(part.contains(name)) << name;
  }
  EXPECT_EQ(part["target"], "widgets/01-basics.md");
  EXPECT_EQ(part["status"], "open");
  EXPECT_EQ(part["line_budget"], 200);
  EXPECT_EQ(part["queries"], Json::array({"widget basics"}));
  EXPECT_EQ(part["sections"][0]["points"], Json::array({"Kinds of widgets", "Names of widgets"}));
  EXPECT_EQ(part["sections"][0]["lines"]["points"], Json::array({15, 16}));
  EXPECT_TRUE(part["completed"].is_null()) << "what is not said is null";
}

TEST_F(PlanOperations, ReadAFolderThroughItsIngestionFile) {
  Write("expansion/ingestion.md", kShownPlan);
  ASSERT_TRUE(Run(kPlanShow, {{"plan", "expansion"}}).ok());
  Write("empty/other.md", kShownPlan);
  const auto outcome = Run(kPlanShow, {{"plan", "empty"}});
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().message, "reading the plan: the folder empty has no ingestion.md");
}

TEST_F(PlanOperations, NameTheNearestFileWhenThereIsNone) {
  Write("plans/cuda.md", kShownPlan);
  const auto outcome = Run(kPlanShow, {{"plan", "plans/cuad.md"}});
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(outcome.error().hint, "did you mean 'plans/cuda.md'?");
}

TEST_F(PlanOperations, CheckTellsOfNumbersTakenInTheOracleThatHoldsThePlan) {
  Write("oracle/widgets/01-older.md", "# Older");
  Write("oracle/_ingest-auto/expansion/ingestion.md", kShownPlan);
  const auto outcome = Run(kPlanCheck, {{"plan", "oracle/_ingest-auto/expansion"}});
  ASSERT_TRUE(outcome.ok());
  ASSERT_FALSE(outcome->findings.empty());
  EXPECT_EQ(outcome->findings[0].place.file, "oracle/_ingest-auto/expansion/ingestion.md");
}

TEST_F(PlanOperations, CheckHoldsWhenThereAreNoErrors) {
  Write("plan.md", kShownPlan);
  const auto outcome = Run(kPlanCheck, {{"plan", "plan.md"}, {"plan", "plan.md"}});
  ASSERT_TRUE(outcome.ok());
  EXPECT_TRUE(outcome->holds);
  EXPECT_EQ(outcome->data["files"].size(), 2U);
}

TEST_F(PlanOperations, NewWritesAPlanInWhichOnlyThePointsAreToBeReplaced) {
  for (const char* parts : {"1", "2", "17"}) {
    const std::string file = std::string("plan-") + parts + ".md";
    const auto written =
        Run(kPlanNew, {{"topic", "GPU memory"}, {"output", file}, {"parts", parts}});
    ASSERT_TRUE(written.ok()) << written.error().message;
    const auto checked = Run(kPlanCheck, {{"plan", file}});
    ASSERT_TRUE(checked.ok());
    EXPECT_FALSE(checked->holds);
    for (const Finding& finding : checked->findings) {
      if (finding.code == "part/template") continue;
      ADD_FAILURE() << finding.place.line << ": " << finding.message << " [" << finding.code << ']';
    }
  }
}

TEST_F(PlanOperations, NewPutsThePlanIntoTheOracleWithNumbersThatAreFree) {
  oracle_ = folder_.path() / "oracle";
  Write("oracle/gpu-memory/07-older.md", "# Older");
  const auto outcome = Run(kPlanNew, {{"topic", "GPU memory"}});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(outcome->data["file"],
            "oracle/_ingest-auto/expansion-gpu-memory-2026-11-15/ingestion.md");
  const auto shown = Run(kPlanShow, {{"plan", outcome->data["file"]}});
  ASSERT_TRUE(shown.ok());
  EXPECT_EQ(shown->data["parts"][0]["target"], "gpu-memory/08-subject-1.md");
  EXPECT_EQ(shown->data["parts"][1]["target"], "gpu-memory/09-subject-2.md");
  for (const Finding& finding : shown->findings) EXPECT_EQ(finding.code, "part/template");
}

TEST_F(PlanOperations, NewNeverOverwrites) {
  const fs::path path = Write("mine.md", "my own words");
  const auto outcome = Run(kPlanNew, {{"topic", "x"}, {"output", "mine.md"}});
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().message, "writing the plan: mine.md already exists");
  EXPECT_EQ(*ReadFile(path), "my own words");
}

TEST_F(PlanOperations, NewRefusesATopicWithoutALetter) {
  EXPECT_FALSE(Run(kPlanNew, {{"topic", " ?! "}}).ok());
}

}  // namespace
}  // namespace sibyl::engine
