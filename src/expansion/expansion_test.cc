// SPDX-License-Identifier: Apache-2.0
#include "expansion/expansion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "base/files/files.h"
#include "expansion/agent_run.h"
#include "expansion/draft_payload.h"
#include "expansion/test_expansion.h"
#include "oracle/run_event.h"

namespace sibyl::expansion {
namespace {

constexpr std::string_view kGadgetPlan = "_ingest-auto/expansion-gadget/ingestion.md";

constexpr std::string_view kSecondPart = R"(
## PART 2: The price of zeppelins

- [ ] PART 2: Create gadget/02-zeppelins.md (~80 lines)

**Step 3: Write Knowledge File**
- [ ] Section 1: Zeppelins (~50 lines)
      - Price of zeppelins
)";

class ExpandTest : public testing::Test {
 protected:
  ExpandTest() { Plan(kNotesPlan); }

  void Plan(std::string_view text) const {
    expansion_.Write("oracle/" + std::string(kGadgetPlan), text);
  }
  Result<ExpansionResult> Run(ExpandRequest request = {}) const {
    request.plan = std::string(kGadgetPlan);
    request.committing = library::Committing::kLeave;
    oracle::Context context = expansion_.context();
    context.event = listener_;
    context.catch_interrupt = [this] { return interrupt_.get_token(); };
    return Expand(context, request);
  }
  ExpansionResult Done(ExpandRequest request = {}) const {
    auto result = Run(std::move(request));
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return std::move(result).value();
  }
  std::string Read(const std::string& path) const {
    const Result<std::string> text = ReadFile(expansion_.oracle() / path);
    return text.ok() ? *text : "no file " + path;
  }

  TestExpansion expansion_;
  std::function<void(const oracle::RunEvent&)> listener_;
  std::stop_source interrupt_;
};

TEST_F(ExpandTest, WritesPublishesAndMovesThePlan) {
  const ExpansionResult result = Done();
  ASSERT_EQ(result.jobs.size(), 1U);
  EXPECT_EQ(result.jobs[0].state, runner::JobState::kDone);
  ASSERT_EQ(result.published.files.size(), 1U);
  EXPECT_EQ(result.published.files[0].path, "gadget/01-queue.md");
  EXPECT_EQ(result.published.files[0].covered, 1U);
  EXPECT_NE(Read("gadget/01-queue.md").find("64 entries"), std::string::npos);
  EXPECT_EQ(Read(std::string(kGadgetPlan)), "no file " + std::string(kGadgetPlan));
  EXPECT_NE(Read(result.published.plan_now).find("- [x] PART 1"), std::string::npos);
  EXPECT_FALSE(result.web.has_value());
  EXPECT_FALSE(result.model.has_value());
}

TEST_F(ExpandTest, APlanThatIsDoneIsNotDoneAgain) {
  Done();
  const std::string page = Read("gadget/01-queue.md");
  const ExpansionResult again = Done();
  EXPECT_TRUE(again.work.file.is_completed);
  EXPECT_TRUE(again.jobs.empty());
  EXPECT_EQ(Read("gadget/01-queue.md"), page);
}

TEST_F(ExpandTest, OnePartThatFailsDoesNotStopTheOthers) {
  Plan(std::string(kNotesPlan) + std::string(kSecondPart));
  const ExpansionResult result = Done();
  ASSERT_EQ(result.published.files.size(), 1U);
  ASSERT_EQ(result.published.failed.size(), 1U);
  EXPECT_EQ(result.published.failed[0].part, 2);
  EXPECT_NE(result.published.failed[0].reason.find("do not cover its only point"),
            std::string::npos);
  EXPECT_NE(Read(result.published.plan_now).find("- [/] PART 2"), std::string::npos);
}

TEST_F(ExpandTest, APartThatIsNotAskedForIsNotRun) {
  Plan(std::string(kNotesPlan) + std::string(kSecondPart));
  const ExpansionResult result = Done({.numbers = {1}});
  EXPECT_EQ(result.jobs.size(), 1U);
  EXPECT_TRUE(result.published.failed.empty());
  EXPECT_EQ(result.published.plan_now, kGadgetPlan) << "a part is open";
}

TEST_F(ExpandTest, NothingToRunPublishesNothing) {
  const ExpansionResult result = Done({.numbers = {7}});
  EXPECT_TRUE(result.jobs.empty());
  EXPECT_TRUE(result.published.files.empty());
  EXPECT_EQ(result.work.choices.findings.at(0).code, "expand/no-part");
  EXPECT_EQ(Read(std::string(kGadgetPlan)), kNotesPlan);
}

TEST_F(ExpandTest, WithoutPinsItIsAnErrorBeforeAnythingIsWritten) {
  ASSERT_TRUE(std::filesystem::remove(expansion_.oracle() / "sibyl.lock"));
  expansion_.Write("oracle/sibyl.toml", "");
  EXPECT_EQ(Run().error().kind, ErrorKind::kUsage);
  EXPECT_FALSE(std::filesystem::exists(expansion_.oracle() / "gadget"));
}

TEST_F(ExpandTest, TellsHowItGoesOn) {
  std::vector<oracle::RunMoment> moments;
  std::vector<std::string> targets;
  listener_ = [&](const oracle::RunEvent& event) {
    moments.push_back(event.moment);
    for (const auto& part : event.parts) targets.push_back(part.target);
  };
  Done();
  ASSERT_FALSE(moments.empty());
  EXPECT_EQ(moments.front(), oracle::RunMoment::kBegun);
  EXPECT_EQ(targets, std::vector<std::string>{"gadget/01-queue.md"});
  for (const oracle::RunMoment moment :
       {oracle::RunMoment::kDelivered, oracle::RunMoment::kPublishing}) {
    EXPECT_NE(std::find(moments.begin(), moments.end(), moment), moments.end());
  }
}

TEST_F(ExpandTest, AnInterruptedRunPublishesNothingAndGoesOnLater) {
  interrupt_.request_stop();
  const auto stopped = Run();
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kCancelled);
  EXPECT_NE(stopped.error().hint.find("sibyl expand"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(expansion_.oracle() / "gadget/01-queue.md"));
  interrupt_ = std::stop_source();
  EXPECT_EQ(Done().published.files.size(), 1U);
}

// A journal is a file like any other: what it holds goes through the gate again.
TEST_F(ExpandTest, AFalseDraftInTheJournalIsNotPublished) {
  draft::Draft draft = expansion_.PageCiting("`queue_size` changes the length of the queue.",
                                             expansion_.Cite("queue.md:3"));
  {
    const auto run = AgentRun::Open(expansion_.context(), kGadgetPlan, Joining::kBegin).value();
    const auto lease =
        run->queue()->ClaimFor({.holder = "agent:eve", .lease = std::chrono::hours(1)});
    ASSERT_TRUE(lease.ok() && *lease);
    ASSERT_TRUE(run->queue()->Complete(**lease, FormatDraft(draft)).ok());
  }
  const auto result = Run();
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("[ident/unknown]"), std::string::npos)
      << result.error().message;
  EXPECT_FALSE(std::filesystem::exists(expansion_.oracle() / "gadget/01-queue.md"));
}

TEST_F(ExpandTest, ATrueDraftOfAnAgentIsPublishedAsItsOwn) {
  const draft::Draft draft = expansion_.PageCiting("The length of the queue is 64 entries.",
                                                   expansion_.Cite("queue.md:3"));
  {
    const auto run = AgentRun::Open(expansion_.context(), kGadgetPlan, Joining::kBegin).value();
    const auto lease =
        run->queue()->ClaimFor({.holder = "agent:ada", .lease = std::chrono::hours(1)});
    ASSERT_TRUE(lease.ok() && *lease);
    ASSERT_TRUE(run->queue()->Complete(**lease, FormatDraft(draft)).ok());
  }
  const ExpansionResult result = Done();
  EXPECT_TRUE(result.jobs.at(0).was_known);
  // The gate adds to the stamp what it found.
  std::string text = draft.text;
  const std::string_view before = " citations hold";
  text.insert(text.find(before) + before.size(), " · 1 of 1 statements grounded");
  EXPECT_EQ(Read("gadget/01-queue.md"), text);
}

TEST_F(ExpandTest, AJournalThatIsNotOursIsMovedAsideAndSaid) {
  expansion_.Write("oracle/.sibyl/journal.db", "not a journal");
  const ExpansionResult result = Done();
  EXPECT_TRUE(std::any_of(result.findings.begin(), result.findings.end(),
                          [](const Finding& finding) { return finding.code == kMovedAsideCode; }));
  EXPECT_EQ(result.published.files.size(), 1U);
}

TEST_F(ExpandTest, NeedsAnOracle) {
  oracle::Context context = expansion_.context();
  context.oracle.reset();
  EXPECT_EQ(Expand(context, {.plan = "plan.md"}).error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace sibyl::expansion
