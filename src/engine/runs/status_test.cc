// SPDX-License-Identifier: Apache-2.0
// The order in which `sibyl status` shows the runs of a ledger with several plans.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "engine/expand_operations.h"
#include "engine/test_operations.h"
#include "engine/text/render.h"
#include "runner/process_id.h"
#include "runner/test_runs.h"

namespace sibyl::engine {
namespace {

class StatusOrder : public OperationTest {
 protected:
  StatusOrder() {
    MakeOracle();
    own_ = OwnFolder::Open(*oracle_, *UserState::Open(folder_.path() / "state")).value();
  }

  // At that second.
  runner::Journal At(int second) {
    clocks_.push_back(
        std::make_unique<FixedClock>(Time(std::chrono::seconds(1'800'000'000 + second))));
    return runner::Journal::Open(*own_, *clocks_.back()).value();
  }
  std::int64_t Begin(const std::string& name, int second) {
    runner::Journal journal = At(second);
    const runner::RunSpec spec{.name = name, .fingerprint = "1", .jobs = {runner::Quick("a")}};
    return journal.Begin(spec, runner::Existing::kResume)->run;
  }
  std::vector<std::string> Shown(std::vector<GivenValue> given = {}) {
    std::vector<std::string> shown;
    const Json answer = Answer(kStatus, std::move(given));
    for (const Json& run : answer["runs"]) {
      shown.push_back(run["plan"].get<std::string>() + " " + run["state"].get<std::string>());
    }
    return shown;
  }

  std::optional<OwnFolder> own_;
  std::vector<std::unique_ptr<FixedClock>> clocks_;
};

TEST_F(StatusOrder, WhatIsWorkedOnComesFirstThenWhatIsInterruptedThenWhatFinishedLast) {
  const std::int64_t first = Begin("first", 1);
  Begin("second", 2);
  Begin("third", 3);
  Begin("fourth", 4);
  ASSERT_TRUE(At(10).FinishRun("third", "").ok());
  ASSERT_TRUE(At(20).FinishRun("second", "").ok());
  runner::Journal journal = At(30);
  const auto lease = journal.Claim(first, {.holder = runner::FormatProcessId(runner::ThisProcess()),
                                           .lease = std::chrono::minutes(1)});
  ASSERT_TRUE(lease.ok() && *lease);
  EXPECT_EQ(Shown(),
            (std::vector<std::string>{"first running", "fourth interrupted", "second finished"}));
  EXPECT_EQ(Shown({{"all", ""}}), (std::vector<std::string>{"first running", "fourth interrupted",
                                                            "second finished", "third finished"}));
}

// Issue 24: docs/operate.md promised it, and only the board and --json had it.
TEST_F(StatusOrder, APartThatIsHeldIsShownWithItsHolder) {
  const std::int64_t run = Begin("plan", 1);
  runner::Journal journal = At(30);
  const runner::ProcessId holder = runner::ThisProcess();
  const auto lease = journal.Claim(
      run, {.holder = runner::FormatProcessId(holder), .lease = std::chrono::minutes(1)});
  ASSERT_TRUE(lease.ok() && *lease);
  ASSERT_TRUE(journal.Renew(run, {{.lease = **lease, .progress = R"({"step":"writing"})"}}).ok());
  const Arguments arguments = Arguments::Make(kStatus, {}).value();
  const Rendered shown = RenderStatus(Done(kStatus, {}), {.terminal = {}, .arguments = arguments});
  const std::string line = fmt::format("{} on {}: writing", holder.number, holder.host);
  EXPECT_NE(shown.results.find(line), std::string::npos) << shown.results;
}

// Issue 22: a ticked part whose file the oracle does not have is run, and was "done" in the list.
TEST_F(StatusOrder, ATickedPartWithoutItsFileIsOpen) {
  constexpr const char* kPart =
      "## PART {0}: Create x/0{0}-a.md (100 lines)\n\n- [✓] PART {0}: Create x/0{0}-a.md\n\n"
      "**Step 3: Write Knowledge File**\n- [ ] Create x/0{0}-a.md (~100 lines)\n"
      "- [ ] Section 1: One (~100 lines)\n      - first\n      - second\n\n";
  Write("oracle/_ingest-auto/expansion-t/ingestion.md", "# Oracle Knowledge Expansion: Tides\n\n" +
                                                            fmt::format(fmt::runtime(kPart), 1) +
                                                            fmt::format(fmt::runtime(kPart), 2));
  Write("oracle/x/02-a.md", "# A\n");
  const std::string name = "_ingest-auto/expansion-t/ingestion.md";
  {
    runner::Journal journal = At(1);
    const runner::RunSpec spec{
        .name = name, .fingerprint = "1", .jobs = {runner::Quick("x/01-a.md")}};
    ASSERT_TRUE(journal.Begin(spec, runner::Existing::kResume).ok());
  }
  const Json answer = Answer(kStatus, {});
  ASSERT_EQ(answer["plans"].size(), 1U) << answer;
  EXPECT_EQ(answer["plans"][0]["open"], 1) << answer;
  EXPECT_EQ(answer["plans"][0]["done"], 1) << answer;
  EXPECT_EQ(answer["runs"][0]["title"], "Oracle Knowledge Expansion: Tides");
  EXPECT_EQ(answer["runs"][0]["jobs"][0]["planned_points"], 2) << answer;
}

}  // namespace
}  // namespace sibyl::engine
