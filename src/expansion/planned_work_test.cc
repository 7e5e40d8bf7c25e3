// SPDX-License-Identifier: Apache-2.0
#include "expansion/planned_work.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "expansion/test_expansion.h"

namespace sibyl::expansion {
namespace {

constexpr std::string_view kThreeParts = R"(# Knowledge expansion: Gadget

## PART 1: One

- [ ] PART 1: Create gadget/01-one.md (~80 lines)

## PART 2: Two

- [ ] PART 2: Create gadget/02-two.md (~300 lines)

## PART 3: Three

- [ ] PART 3: Create gadget/03-three.md
)";

class PlannedWorkTest : public testing::Test {
 protected:
  PlannedWorkTest() { expansion_.Write("oracle/plan.md", kThreeParts); }

  PlannedWork Plan(ExpandRequest request, Intake intake = Intake::kLook) const {
    request.plan = request.plan.empty() ? "plan.md" : request.plan;
    Result<PlannedWork> work = PlanWork(expansion_.context(), request, intake);
    EXPECT_TRUE(work.ok()) << (work.ok() ? "" : work.error().message);
    return work.ok() ? *std::move(work) : PlannedWork{};
  }

  TestExpansion expansion_;
};

TEST_F(PlannedWorkTest, ReadsThePlanAndChoosesItsParts) {
  const PlannedWork work = Plan({.numbers = {2}});
  EXPECT_EQ(work.file.path, "plan.md");
  ASSERT_EQ(work.plan.parts.size(), 3U);
  ASSERT_EQ(work.choices.parts.size(), 3U);
  EXPECT_EQ(work.choices.running(), 1U);
  EXPECT_EQ(work.choices.parts[1].state, PartState::kRuns);
}

TEST_F(PlannedWorkTest, ACeilingOfLinesOnlyLowersTheBudgets) {
  const PlannedWork work = Plan({.max_lines = 100});
  EXPECT_EQ(work.plan.parts[0].line_budget, 80U);
  EXPECT_EQ(work.plan.parts[1].line_budget, 100U);
  EXPECT_EQ(work.plan.parts[2].line_budget, 100U) << "a part without a budget gets the ceiling";
}

TEST_F(PlannedWorkTest, WithoutACeilingTheBudgetsAreThePlans) {
  const PlannedWork work = Plan({});
  EXPECT_EQ(work.plan.parts[1].line_budget, 300U);
  EXPECT_FALSE(work.plan.parts[2].line_budget.has_value());
}

TEST_F(PlannedWorkTest, FindingsNameThePlanAsItWasNamed) {
  const PlannedWork work = Plan({.numbers = {9}});
  ASSERT_EQ(work.choices.findings.size(), 1U);
  EXPECT_EQ(work.choices.findings[0].place.file, "plan.md");
}

TEST_F(PlannedWorkTest, PassesOnHowExistingFilesAreTreated) {
  expansion_.Write("oracle/gadget/01-one.md", "# One\n");
  EXPECT_EQ(Plan({}).choices.parts[0].state, PartState::kRefused);
  const PlannedWork work = Plan({.existing = library::ExistingFile::kReplace});
  EXPECT_EQ(work.choices.parts[0].state, PartState::kRuns);
  EXPECT_EQ(work.choices.parts[0].existing, library::ExistingFile::kReplace);
}

TEST_F(PlannedWorkTest, ATextWithoutPartsIsRefused) {
  expansion_.Write("oracle/plan.md", "");
  const Result<PlannedWork> work =
      PlanWork(expansion_.context(), {.plan = "plan.md"}, Intake::kCopy);
  ASSERT_FALSE(work.ok());
  EXPECT_EQ(work.error().kind, ErrorKind::kUsage);
}

TEST_F(PlannedWorkTest, OnlyACopyingIntakeWritesIntoTheOracle) {
  expansion_.Write("elsewhere.md", kThreeParts);
  const auto is_copied = [&] {
    return std::filesystem::exists(expansion_.oracle() / "_ingest-auto/expansion-elsewhere");
  };
  Plan({.plan = "../elsewhere.md"}, Intake::kLook);
  EXPECT_FALSE(is_copied());
  Plan({.plan = "../elsewhere.md"}, Intake::kCopy);
  EXPECT_TRUE(is_copied());
}

TEST_F(PlannedWorkTest, HandsOnThatThePlanIsMissing) {
  const auto work = PlanWork(expansion_.context(), {.plan = "none.md"}, Intake::kLook);
  EXPECT_EQ(work.error().kind, ErrorKind::kNotFound);
}

}  // namespace
}  // namespace sibyl::expansion
