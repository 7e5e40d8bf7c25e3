// SPDX-License-Identifier: Apache-2.0
// Kills `sibyl expand` at every write of its journal and at every change of the
// oracle, and runs it again: files, history and git's status must equal those of an
// undisturbed run.
#include <gtest/gtest.h>

#include <atomic>

#include "base/files/files.h"
#include "engine/expansion_report.h"
#include "expansion/expansion.h"
#include "library/library.h"
#include "oracle/run_event.h"
#include "planned_oracle.h"
#include "runner/test_disk.h"

namespace sibyl {
namespace {

using library::FaultyDisk;
using runner::TestDisk;

constexpr std::string_view kHopeless = R"(
## PART 4: How Gadget brews coffee

- [ ] PART 4: Create cuda/04-coffee.md (~90 lines)

**Step 3: Write**
- [ ] Section 1: Coffee (~50 lines)
      - Espresso pressure regulation
)";

struct Disturbance {
  library::Disk* disk = nullptr;
  const Clock* clock = &library::kTestClock;
  std::function<void(const oracle::RunEvent&)> event = {};
  std::function<std::stop_token()> catch_interrupt = {};
};

Result<engine::Outcome> Expand(const TestOracle& oracle, const Disturbance& disturbance = {}) {
  return engine::ReportOfRun(SIBYL_TRY(expansion::Expand(
      {.working_folder = oracle.path(),
       .oracle = oracle.path(),
       .clock = *disturbance.clock,
       .store = Original::Get().store(),
       .state = oracle.state(),
       .event = disturbance.event,
       .catch_interrupt = disturbance.catch_interrupt},
      {.plan = std::string(library::kTestPlanPath), .jobs = 2, .disk = disturbance.disk})));
}

// Runs in its own process: threads do not survive a fork.
int ExitOf(const TestOracle& oracle, library::Disk* disk = nullptr) {
  ::setenv("SOURCE_DATE_EPOCH", "1794733500", 1);  // NOLINT(concurrency-mt-unsafe)
  const auto outcome = Expand(oracle, {.disk = disk});
  return outcome.ok() && outcome->holds ? 0 : 1;
}

std::map<std::string, std::string> Undisturbed() {
  const Copy oracle;
  EXPECT_EQ(library::InChild([&] { return ExitOf(oracle); }), 0);
  return oracle.Everything();
}

// `doomed` gets the number of the operation at which to die, and returns 0 if there
// is none; then the run is resumed.
void EndsTheSameWherever(const std::function<int(const TestOracle&, int)>& doomed) {
  const auto expected = Undisturbed();
  ASSERT_EQ(expected.at("git status"), "");
  ASSERT_TRUE(expected.contains("cuda/03-graphs.md"));
  bool went_through = false;
  int at = 0;
  while (!went_through) {
    ASSERT_LT(++at, 500);
    const Copy oracle;
    const int ended = library::InChild([&] { return doomed(oracle, at); });
    went_through = ended == 0;
    ASSERT_EQ(library::InChild([&] { return ExitOf(oracle); }), 0) << at;
    ASSERT_EQ(oracle.Everything(), expected) << "after trouble at operation " << at;
  }
  EXPECT_GT(at, 25);
}

TEST(WholeRun, KilledAtEveryJournalWriteItEndsTheSame) {
  EndsTheSameWherever([](const TestOracle& oracle, int at) {
    TestDisk::Install();
    TestDisk::Arm(TestDisk::Trouble::kKill, at);
    return ExitOf(oracle);
  });
}

TEST(WholeRun, KilledAtEveryChangeOfTheOracleItEndsTheSame) {
  EndsTheSameWherever([](const TestOracle& oracle, int at) {
    FaultyDisk disk(FaultyDisk::Trouble::kKill, at);
    return ExitOf(oracle, &disk);
  });
}

TEST(WholeRun, WithAFullDiskAtEveryJournalWriteItEndsTheSame) {
  EndsTheSameWherever([](const TestOracle& oracle, int at) {
    TestDisk::Install();
    TestDisk::Arm(TestDisk::Trouble::kFull, at);
    const int ended = ExitOf(oracle);
    // A failed cleanup at the end is not an error, but the fault did occur.
    return ended != 0 || TestDisk::has_struck() ? 1 : 0;
  });
}

TEST(WholeRun, WithAFullDiskAtEveryChangeOfTheOracleItEndsTheSame) {
  EndsTheSameWherever([](const TestOracle& oracle, int at) {
    FaultyDisk disk(FaultyDisk::Trouble::kFull, at);
    const int ended = ExitOf(oracle, &disk);
    return ended != 0 || disk.operations() >= at ? 1 : 0;
  });
}

TEST(WholeRun, TwoAtOnceMakeOneOracleAndOneCommit) {
  const auto expected = Undisturbed();
  for (int round = 0; round < 5; ++round) {
    const Copy oracle;
    const pid_t other = ::fork();
    if (other == 0) ::_exit(ExitOf(oracle));
    const int ours = library::InChild([&] { return ExitOf(oracle); });
    int status = 0;
    ::waitpid(other, &status, 0);
    EXPECT_EQ(ours, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ASSERT_EQ(oracle.Everything(), expected) << round;
  }
}

TEST(WholeRun, APartThatAlwaysFailsDoesNotStopTheOthers) {
  const Copy oracle;
  oracle.Write(std::string(library::kTestPlanPath), std::string(kPlan) + std::string(kHopeless));
  const auto outcome = Expand(oracle);
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_FALSE(outcome->holds);
  const Json& part = outcome->data["parts"][3];
  EXPECT_EQ(part["state"], "failed");
  EXPECT_EQ(part["attempts"], 2);
  EXPECT_TRUE(oracle.Has("cuda/03-graphs.md"));
  EXPECT_FALSE(oracle.Has("cuda/04-coffee.md"));
  const std::string plan = oracle.Read(std::string(library::kTestPlanPath));
  EXPECT_NE(plan.find("- [x] PART 3"), std::string::npos);
  EXPECT_NE(plan.find("- [/] PART 4"), std::string::npos);
  EXPECT_NE(plan.find("do not cover its only point"), std::string::npos) << plan;
}

TEST(WholeRun, ARefusedCommitIsMadeWhenTheHookAllowsIt) {
  const auto expected = Undisturbed();
  const Copy oracle;
  oracle.SetHook("pre-commit", "#!/bin/sh\necho 'not on a Sunday' >&2\nexit 1\n");
  const auto refused = Expand(oracle);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("not on a Sunday"), std::string::npos)
      << refused.error().message;
  EXPECT_NE(refused.error().hint.find("sibyl expand"), std::string::npos);
  oracle.SetHook("pre-commit", "#!/bin/sh\nexit 0\n");
  ASSERT_EQ(library::InChild([&] { return ExitOf(oracle); }), 0);
  EXPECT_EQ(oracle.Everything(), expected);
}

TEST(WholeRun, AClockThatGoesBackwardsChangesNothingButDates) {
  class Backwards : public Clock {
   public:
    Time Now() const override { return Time(std::chrono::seconds(1'794'733'500 - 100 * ++asked_)); }
    Time WrittenNow() const override { return library::kTestClock.WrittenNow(); }

   private:
    mutable std::atomic<int> asked_ = 0;
  };
  const Backwards clock;
  const Copy oracle;
  const auto outcome = Expand(oracle, {.clock = &clock});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_TRUE(outcome->holds);
  EXPECT_EQ(outcome->data["totals"]["delivered"], 3);
}

TEST(WholeRun, APlanThatIsEditedWhileItRunsIsKeptAndWhatWasDoneIsNotDoneAgain) {
  const Copy oracle;
  const std::string name(library::kTestPlanPath);
  const std::string edited = std::string(kPlan) + "\nA note of mine.\n";
  const auto before = oracle.Git({"rev-parse", "HEAD"});
  const auto refused =
      Expand(oracle, {.event = [&](const oracle::RunEvent&) { oracle.Write(name, edited); }});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("the plan was edited during the run"), std::string::npos);
  EXPECT_EQ(oracle.Read(name), edited);
  EXPECT_EQ(oracle.Git({"rev-parse", "HEAD"}), before);
  EXPECT_FALSE(oracle.Has("cuda/02-streams.md"));

  const auto outcome = Expand(oracle);
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(outcome->data["parts"][0]["was_known"], true);
  EXPECT_EQ(outcome->data["parts"][1]["was_known"], true);
  const std::string now =
      oracle.Read("_ingest-auto/completed/expansion-gadget-2026-11-15/ingestion.md");
  EXPECT_TRUE(now.ends_with("\nA note of mine.\n"));
  EXPECT_NE(now.find("- [x] PART 1"), std::string::npos);
}

TEST(WholeRun, InterruptedItKeepsWhatItHasAndGoesOn) {
  const auto expected = Undisturbed();
  const Copy oracle;
  std::stop_source stop;
  const auto refused = Expand(oracle, {.event =
                                           [&](const oracle::RunEvent& event) {
                                             if (event.moment == oracle::RunMoment::kDelivered)
                                               stop.request_stop();
                                           },
                                       .catch_interrupt = [&] { return stop.get_token(); }});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kCancelled);
  EXPECT_NE(refused.error().message.find("written and kept"), std::string::npos);
  EXPECT_FALSE(oracle.Has("cuda/02-streams.md"));
  ASSERT_EQ(library::InChild([&] { return ExitOf(oracle); }), 0);
  EXPECT_EQ(oracle.Everything(), expected);
}

}  // namespace
}  // namespace sibyl
