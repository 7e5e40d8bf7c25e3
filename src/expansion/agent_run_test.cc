// SPDX-License-Identifier: Apache-2.0
#include "expansion/agent_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "expansion/test_expansion.h"

namespace sibyl::expansion {
namespace {

using runner::JobRow;
using runner::JobState;

constexpr std::string_view kTwoPartPlan = R"(# Knowledge expansion: Gadget

## PART 1: The queue of Gadget

- [ ] PART 1: Create gadget/01-queue.md (~80 lines)

## PART 2: The drops of Gadget

- [ ] PART 2: Create gadget/02-drops.md (~80 lines)
)";

class AgentRunTest : public testing::Test {
 protected:
  AgentRunTest() { expansion_.Write("oracle/plan.md", kTwoPartPlan); }

  std::unique_ptr<AgentRun> Open(Joining joining, std::string_view plan = "plan.md") const {
    auto run = AgentRun::Open(expansion_.context(), plan, joining);
    EXPECT_TRUE(run.ok()) << (run.ok() ? "" : run.error().message);
    return std::move(run).value();
  }

  TestExpansion expansion_;
};

TEST_F(AgentRunTest, LookingBeginsNothing) {
  const auto look = Open(Joining::kLook);
  EXPECT_FALSE(look->queue().has_value());
  EXPECT_TRUE(look->Rows()->empty());
  EXPECT_EQ(look->work().choices.running(), 2U);
  EXPECT_FALSE(Open(Joining::kLook)->queue().has_value());
}

TEST_F(AgentRunTest, BeginningMakesAJobOfEachPartThatRuns) {
  const auto run = Open(Joining::kBegin);
  ASSERT_TRUE(run->queue().has_value());
  const std::vector<JobRow> rows = *run->Rows();
  ASSERT_EQ(rows.size(), 2U) << "without the last, which publishes";
  EXPECT_EQ(rows[0].name, "gadget/01-queue.md");
  EXPECT_EQ(rows[1].name, "gadget/02-drops.md");
  EXPECT_EQ(rows[0].state, JobState::kWaiting);
}

TEST_F(AgentRunTest, TheRunThatIsOpenIsJoined) {
  const std::int64_t run = Open(Joining::kBegin)->queue()->run();
  EXPECT_EQ(Open(Joining::kBegin)->queue()->run(), run);
  EXPECT_EQ(Open(Joining::kLook)->queue()->run(), run);
}

TEST_F(AgentRunTest, AChangedSourceDoesNotThrowAwayWhatAgentsHave) {
  const auto first = Open(Joining::kBegin);
  const auto lease =
      first->queue()->ClaimFor({.holder = "agent:ada", .lease = std::chrono::hours(1)});
  ASSERT_TRUE(lease.ok() && *lease);
  expansion_.Write("oracle/gadget/09-more.md", "# More\n\nSomething else.\n");
  const auto again = Open(Joining::kBegin);
  EXPECT_EQ(again->queue()->run(), first->queue()->run());
  EXPECT_EQ(again->Rows()->at(0).state, JobState::kRunning);
}

TEST_F(AgentRunTest, AnEditedPlanWithOtherPartsIsAnotherRun) {
  const std::int64_t before = Open(Joining::kBegin)->queue()->run();
  std::string text(kTwoPartPlan);
  text.replace(text.find("02-drops"), 8, "03-drops");
  expansion_.Write("oracle/plan.md", text);
  const auto run = Open(Joining::kBegin);
  EXPECT_NE(run->queue()->run(), before);
  EXPECT_EQ(run->Rows()->at(1).name, "gadget/03-drops.md");
}

TEST_F(AgentRunTest, APlanInWhichNothingRunsHasNoQueue) {
  expansion_.Write("oracle/plan.md", "# Knowledge expansion: Gadget\n\n## PART 1: TBD\n");
  const auto run = Open(Joining::kBegin);
  EXPECT_FALSE(run->queue().has_value());
  EXPECT_TRUE(run->Rows()->empty());
}

TEST_F(AgentRunTest, ACompletedPlanHasNoQueue) {
  expansion_.Write("oracle/_ingest-auto/completed/expansion-gadget/ingestion.md", kTwoPartPlan);
  const auto run = Open(Joining::kBegin, "_ingest-auto/expansion-gadget/ingestion.md");
  EXPECT_TRUE(run->work().file.is_completed);
  EXPECT_FALSE(run->queue().has_value());
}

TEST_F(AgentRunTest, OnlyBeginningCopiesAPlanFromElsewhere) {
  expansion_.Write("gadget.md", kTwoPartPlan);
  const auto copy = expansion_.oracle() / "_ingest-auto/expansion-gadget/ingestion.md";
  Open(Joining::kLook, "../gadget.md");
  EXPECT_FALSE(std::filesystem::exists(copy));
  Open(Joining::kBegin, "../gadget.md");
  EXPECT_TRUE(std::filesystem::exists(copy));
}

TEST_F(AgentRunTest, FindsThePartThatWritesAFile) {
  const auto run = Open(Joining::kLook);
  ASSERT_NE(run->PartOf("gadget/02-drops.md"), nullptr);
  EXPECT_EQ(run->PartOf("gadget/02-drops.md")->number, 2);
  EXPECT_EQ(run->PartOf("gadget/02-drops"), nullptr);
  EXPECT_EQ(run->PartOf(""), nullptr);
}

TEST_F(AgentRunTest, TellsWhatIsWrongWithPartsAndWithTheJournal) {
  expansion_.Write("oracle/gadget/02-drops.md", "# Drops\n");
  EXPECT_EQ(Open(Joining::kBegin)->Findings().at(0).code, "expand/target");
  expansion_.Write("oracle/.sibyl/journal.db", "not a journal");
  const std::vector<Finding> findings = Open(Joining::kLook)->Findings();
  EXPECT_TRUE(std::any_of(findings.begin(), findings.end(),
                          [](const Finding& finding) { return finding.code == kMovedAsideCode; }));
}

TEST_F(AgentRunTest, HandsOnThatThePlanIsMissing) {
  const auto run = AgentRun::Open(expansion_.context(), "none.md", Joining::kBegin);
  EXPECT_EQ(run.error().kind, ErrorKind::kNotFound);
}

TEST(CanFinalize, WhenEveryJobHasAnOutcomeAndThereIsOne) {
  const auto rows = [](std::vector<JobState> states) {
    std::vector<JobRow> made;
    for (const JobState state : states) made.push_back({.state = state});
    return made;
  };
  EXPECT_FALSE(CanFinalize({}));
  EXPECT_TRUE(CanFinalize(rows({JobState::kDone})));
  EXPECT_TRUE(CanFinalize(rows({JobState::kDone, JobState::kFailed, JobState::kCancelled})));
  EXPECT_FALSE(CanFinalize(rows({JobState::kDone, JobState::kWaiting})));
  EXPECT_FALSE(CanFinalize(rows({JobState::kRunning, JobState::kDone})));
}

TEST_F(AgentRunTest, ATextWithoutAPartIsNotAPlanAndNothingIsCopied) {
  expansion_.Write("oracle/notes.md", "# Notes\n");
  const auto run = AgentRun::Open(expansion_.context(), "notes.md", Joining::kBegin);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(run.error().message, "expanding notes.md: not a plan, since it has no PART");
}

}  // namespace
}  // namespace sibyl::expansion
