// SPDX-License-Identifier: Apache-2.0
#include "runner/runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "base/files/temporary_folder.h"
#include "runner/test_runs.h"

namespace sibyl::runner {
namespace {

using std::chrono::milliseconds;

class RunnerTest : public testing::Test {
 protected:
  RunReport MustRun(const RunSpec& spec, const RunOptions& options = {}) {
    Journal journal = Open();
    Result<RunReport> report = RunJobs(journal, spec, options);
    EXPECT_TRUE(report.ok()) << report.error().message;
    return report.ok() ? *std::move(report) : RunReport{};
  }
  Journal Open() { return OpenJournal(folder_.path()); }

  TemporaryFolder folder_;
};

TEST_F(RunnerTest, RunsEveryJobAndGivesThePayloadsInOrder) {
  RunSpec spec{.name = "plan", .fingerprint = "1"};
  for (int i = 0; i < 10; ++i) spec.jobs.push_back(Quick("job " + std::to_string(i)));
  const RunReport report = MustRun(spec, {.jobs = 3});
  ASSERT_EQ(report.jobs.size(), 10U);
  EXPECT_EQ(report.ending, Ending::kFinished);
  for (int i = 0; i < 10; ++i) {
    const JobOutcome& job = report.jobs[static_cast<std::size_t>(i)];
    EXPECT_EQ(job.state, JobState::kDone);
    EXPECT_EQ(job.payload, "made job " + std::to_string(i));
    EXPECT_EQ(job.attempts, 1);
  }
}

TEST_F(RunnerTest, RunsAsManyAtATimeAsItWasAskedTo) {
  std::atomic<int> now = 0;
  std::atomic<int> most = 0;
  RunSpec spec{.name = "plan", .fingerprint = "1"};
  for (int i = 0; i < 6; ++i) {
    spec.jobs.push_back({.name = std::to_string(i),
                         .fingerprint = "f",
                         .work = [&](JobContext&) -> Result<std::string> {
                           const int mine = ++now;
                           int seen = most;
                           while (seen < mine && !most.compare_exchange_weak(seen, mine)) {
                           }
                           Eventually([&] { return most >= 3; });
                           --now;
                           return std::string();
                         }});
  }
  MustRun(spec, {.jobs = 3});
  EXPECT_EQ(most, 3);
}

TEST_F(RunnerTest, TriesAFailedJobOnceMoreAndSaysSoToTheJob) {
  std::vector<int> attempts;
  RunSpec spec{.name = "plan", .fingerprint = "1", .jobs = {Quick("fine")}};
  spec.jobs.push_back({.name = "second time",
                       .fingerprint = "f",
                       .work = [&](JobContext& context) -> Result<std::string> {
                         attempts.push_back(context.attempt());
                         if (context.attempt() == 1) return Broken("nothing found");
                         return std::string("found");
                       }});
  spec.jobs.push_back(
      {.name = "never", .fingerprint = "f", .work = [](JobContext&) -> Result<std::string> {
         return Broken("nothing found at all");
       }});
  const RunReport report = MustRun(spec);
  EXPECT_EQ(attempts, (std::vector<int>{1, 2}));
  EXPECT_EQ(report.jobs[0].state, JobState::kDone);
  EXPECT_EQ(report.jobs[1].payload, "found");
  EXPECT_EQ(report.jobs[1].attempts, 2);
  EXPECT_EQ(report.jobs[2].state, JobState::kFailed);
  EXPECT_EQ(report.jobs[2].reason, "nothing found at all");
  EXPECT_EQ(report.jobs[2].attempts, 2);
  EXPECT_EQ(report.ending, Ending::kFinished);
}

TEST_F(RunnerTest, AJobThatThrowsFailsAlone) {
  RunSpec spec{.name = "plan", .fingerprint = "1", .jobs = {Quick("fine")}};
  spec.jobs.push_back(
      {.name = "throws", .fingerprint = "f", .work = [](JobContext&) -> Result<std::string> {
         throw std::runtime_error("out of cheese");
       }});
  const RunReport report = MustRun(spec, {.jobs = 2});
  EXPECT_EQ(report.jobs[0].state, JobState::kDone);
  EXPECT_EQ(report.jobs[1].reason, "stopped by an exception: out of cheese");
}

TEST_F(RunnerTest, TheLastJobSeesAllOutcomesAndRunsOnce) {
  int runs = 0;
  RunSpec spec{.name = "plan", .fingerprint = "1", .jobs = {Quick("a")}};
  spec.jobs.push_back({.name = "b",
                       .fingerprint = "f",
                       .work = [](JobContext&) -> Result<std::string> { return Broken("no"); }});
  spec.last = LastJob{
      .name = "publish",
      .work = [&](JobContext&, const std::vector<JobOutcome>& outcomes) -> Result<std::string> {
        ++runs;
        EXPECT_EQ(outcomes.size(), 2U);
        EXPECT_EQ(outcomes[0].payload, "made a");
        EXPECT_EQ(outcomes[1].state, JobState::kFailed);
        return std::string("published");
      }};
  const RunReport report = MustRun(spec, {.jobs = 4});
  EXPECT_EQ(runs, 1);
  ASSERT_TRUE(report.last);
  EXPECT_EQ(report.last->payload, "published");
  EXPECT_EQ(report.jobs.size(), 2U);
}

TEST_F(RunnerTest, ALastJobThatFailedIsTriedAloneWhenRunAgain) {
  std::atomic<int> job_runs = 0;
  bool hook_refuses = true;
  RunSpec spec{.name = "plan", .fingerprint = "1"};
  spec.jobs.push_back(
      {.name = "a", .fingerprint = "f", .work = [&](JobContext&) -> Result<std::string> {
         ++job_runs;
         return std::string("payload");
       }});
  spec.jobs.push_back(
      {.name = "b", .fingerprint = "f", .work = [&](JobContext&) -> Result<std::string> {
         ++job_runs;
         return Broken("never");
       }});
  spec.last =
      LastJob{.name = "publish",
              .work = [&](JobContext&, const std::vector<JobOutcome>&) -> Result<std::string> {
                if (hook_refuses) return Broken("the hook says no");
                return std::string("commit");
              }};
  const RunReport first = MustRun(spec);
  EXPECT_EQ(first.ending, Ending::kLastFailed);
  EXPECT_EQ(first.last->reason, "the hook says no");
  EXPECT_EQ(job_runs, 3);  // b twice
  hook_refuses = false;
  std::vector<JobState> states;
  const RunReport second = MustRun(spec, {.joined = [&states](const std::vector<JobOutcome>& jobs) {
                                     for (const JobOutcome& job : jobs) states.push_back(job.state);
                                   }});
  EXPECT_EQ(states, (std::vector<JobState>{JobState::kDone, JobState::kFailed}));
  EXPECT_EQ(second.ending, Ending::kFinished);
  EXPECT_TRUE(second.was_resumed);
  EXPECT_EQ(second.last->payload, "commit");
  EXPECT_EQ(second.jobs[0].payload, "payload");
  EXPECT_TRUE(second.jobs[0].was_known);
  EXPECT_EQ(job_runs, 3);
}

TEST_F(RunnerTest, AnInterruptionStopsTheJobsAndTheNextRunGoesOn) {
  std::stop_source source;
  RunSpec spec{.name = "plan", .fingerprint = "1", .jobs = {Quick("quick")}};
  spec.jobs.push_back(
      {.name = "slow", .fingerprint = "f", .work = [&](JobContext& context) -> Result<std::string> {
         source.request_stop();
         return UntilStopped(context);
       }});
  spec.jobs.push_back(Quick("not begun"));
  const RunReport cut = MustRun(spec, {.stop = source.get_token()});
  EXPECT_EQ(cut.ending, Ending::kInterrupted);
  EXPECT_EQ(cut.jobs[0].state, JobState::kDone);
  EXPECT_EQ(cut.jobs[1].state, JobState::kCancelled);
  EXPECT_EQ(cut.jobs[1].reason, "interrupted");
  EXPECT_EQ(cut.jobs[1].attempts, 0);
  EXPECT_EQ(cut.jobs[2].state, JobState::kCancelled);

  spec.jobs[0].work = [](JobContext&) -> Result<std::string> { return Broken("run again"); };
  spec.jobs[1].work = [](JobContext&) -> Result<std::string> { return std::string("slow"); };
  const RunReport whole = MustRun(spec);
  EXPECT_EQ(whole.ending, Ending::kFinished);
  EXPECT_EQ(whole.jobs[0].payload, "made quick");
  EXPECT_EQ(whole.jobs[1].payload, "slow");
  EXPECT_EQ(whole.jobs[2].payload, "made not begun");
}

TEST_F(RunnerTest, WhenTheTimeIsSpentTheLastJobRunsWithWhatThereIs) {
  RunSpec spec{.name = "plan", .fingerprint = "1", .jobs = {Quick("quick")}};
  spec.jobs.push_back({.name = "slow", .fingerprint = "f", .work = UntilStopped});
  spec.jobs.push_back(Quick("not begun"));
  spec.last = LastJob{
      .name = "publish",
      .work = [](JobContext&, const std::vector<JobOutcome>& outcomes) -> Result<std::string> {
        EXPECT_EQ(outcomes[0].state, JobState::kDone);
        EXPECT_EQ(outcomes[1].state, JobState::kCancelled);
        EXPECT_EQ(outcomes[2].state, JobState::kCancelled);
        EXPECT_EQ(outcomes[2].reason, "the run's time limit of 0.2 s was reached");
        return std::string("partly");
      }};
  const RunReport report = MustRun(spec, {.max_time = milliseconds(200)});
  EXPECT_EQ(report.ending, Ending::kTimeSpent);
  EXPECT_EQ(report.last->payload, "partly");
}

TEST_F(RunnerTest, AJobThatRunsTooLongFailsAndTheOthersGoOn) {
  RunSpec spec{.name = "plan", .fingerprint = "1", .jobs = {Quick("quick")}};
  spec.jobs.push_back({.name = "slow", .fingerprint = "f", .work = UntilStopped});
  const RunReport report = MustRun(spec, {.max_job_time = milliseconds(100)});
  EXPECT_EQ(report.jobs[0].state, JobState::kDone);
  EXPECT_EQ(report.jobs[1].state, JobState::kFailed);
  EXPECT_EQ(report.jobs[1].reason, "exceeded its time limit of 0.1 s: asked to stop");
}

TEST_F(RunnerTest, AnotherFingerprintIsAnotherRunButUnchangedJobsAreKept) {
  std::stop_source source;
  RunSpec spec{.name = "plan", .fingerprint = "1", .jobs = {Quick("kept"), Quick("edited")}};
  spec.jobs.push_back({.name = "stops",
                       .fingerprint = "f",
                       .work = [&](JobContext& context) -> Result<std::string> {
                         source.request_stop();
                         return UntilStopped(context);
                       }});
  MustRun(spec, {.stop = source.get_token()});

  const auto again = [](JobContext&) -> Result<std::string> { return std::string("again"); };
  spec.fingerprint = "2";
  spec.jobs[1].fingerprint = "g";
  for (Job& job : spec.jobs) job.work = again;
  const RunReport report = MustRun(spec);
  EXPECT_FALSE(report.was_resumed);
  EXPECT_EQ(report.jobs[0].payload, "made kept");
  EXPECT_EQ(report.jobs[1].payload, "again");
  EXPECT_EQ(report.jobs[2].payload, "again");
}

TEST_F(RunnerTest, AFinishedRunIsRunAgainUnlessItFinishedWhileWeWereReadingThePlan) {
  int runs = 0;
  const RunSpec spec{
      .name = "plan",
      .fingerprint = "1",
      .jobs = {{.name = "a", .fingerprint = "f", .work = [&](JobContext&) -> Result<std::string> {
                  return std::to_string(++runs);
                }}}};
  Journal opened_before = Open();
  MustRun(spec);
  EXPECT_EQ(runs, 1);
  const Result<RunReport> joined = RunJobs(opened_before, spec, {});
  ASSERT_TRUE(joined.ok());
  EXPECT_EQ(joined->jobs[0].payload, "1");
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(MustRun(spec).jobs[0].payload, "2");
}

TEST_F(RunnerTest, RestartRunsEverythingAgain) {
  int runs = 0;
  std::stop_source source;
  RunSpec spec{
      .name = "plan",
      .fingerprint = "1",
      .jobs = {{.name = "a",
                .fingerprint = "f",
                .work = [&](JobContext&) -> Result<std::string> { return std::to_string(++runs); }},
               {.name = "stops",
                .fingerprint = "f",
                .work = [&](JobContext& context) -> Result<std::string> {
                  source.request_stop();
                  return UntilStopped(context);
                }}}};
  MustRun(spec, {.stop = source.get_token()});
  spec.jobs[1] = Quick("stops");
  EXPECT_EQ(MustRun(spec, {.existing = Existing::kRestart}).jobs[0].payload, "2");
}

TEST_F(RunnerTest, TwoJobsOfOneNameAreRefused) {
  Journal journal = Open();
  const Result<RunReport> report =
      RunJobs(journal, {.name = "plan", .fingerprint = "1", .jobs = {Quick("a"), Quick("a")}}, {});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().message, "running plan: two jobs are named 'a'");
}

TEST_F(RunnerTest, ARunWithoutJobsIsFinishedAtOnce) {
  EXPECT_EQ(MustRun({.name = "plan", .fingerprint = "1"}).ending, Ending::kFinished);
}

TEST_F(RunnerTest, EventsComeOnTheCallingThreadWithFigures) {
  const std::thread::id here = std::this_thread::get_id();
  std::vector<std::string> told;
  RunSpec spec{.name = "plan", .fingerprint = "1"};
  spec.jobs.push_back(
      {.name = "a", .fingerprint = "f", .work = [](JobContext& context) -> Result<std::string> {
         if (context.attempt() == 1) return Broken("thin");
         context.Report({.step = "gather", .figures = {{"points", 3}}});
         return std::string();
       }});
  MustRun(spec, {.listener = [&](const Event& event) {
            EXPECT_EQ(std::this_thread::get_id(), here);
            if (event.kind == EventKind::kTick) return;
            std::string line = std::to_string(static_cast<int>(event.kind)) + " " + event.job +
                               " " + std::to_string(event.attempt);
            if (event.kind == EventKind::kStep) {
              line += " " + event.progress.step + " " +
                      std::to_string(event.progress.figures.at(0).value);
            }
            if (event.kind == EventKind::kFinished) {
              line += " done " + std::to_string(event.totals.done);
            }
            told.push_back(line);
          }});
  EXPECT_EQ(told, (std::vector<std::string>{"0 a 1", "2 a 1", "0 a 2", "1 a 2 gather 3",
                                            "3 a 2 done 1"}));
}

TEST_F(RunnerTest, ALateRunOfTheSameNameEndsTheEarlierOne) {
  Journal mine = Open();
  RunSpec spec{.name = "plan", .fingerprint = "1"};
  spec.jobs.push_back(
      {.name = "a", .fingerprint = "f", .work = [&](JobContext&) -> Result<std::string> {
         MustRun({.name = "plan", .fingerprint = "2", .jobs = {Quick("a")}});
         return std::string();
       }});
  spec.last =
      LastJob{.name = "publish",
              .work = [](JobContext&, const std::vector<JobOutcome>&) -> Result<std::string> {
                ADD_FAILURE() << "must not publish what was superseded";
                return std::string();
              }};
  const Result<RunReport> report = RunJobs(mine, spec, {});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().kind, ErrorKind::kUnavailable);
}

TEST_F(RunnerTest, FinishRunEndsWhatWasPublishedByOtherMeans) {
  RunSpec spec{.name = "plan", .fingerprint = "1", .jobs = {Quick("a")}};
  spec.last =
      LastJob{.name = "publish",
              .work = [](JobContext&, const std::vector<JobOutcome>&) -> Result<std::string> {
                return Broken("no");
              }};
  Journal journal = Open();
  EXPECT_EQ(MustRun(spec).ending, Ending::kLastFailed);
  ASSERT_TRUE(journal.FinishRun("plan", "by hand").ok());
  const Result<RunReport> report = RunJobs(journal, spec, {});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->last->payload, "by hand");
}

}  // namespace
}  // namespace sibyl::runner
