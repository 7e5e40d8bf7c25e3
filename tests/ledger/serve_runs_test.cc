// SPDX-License-Identifier: Apache-2.0
// Workers, with either ledger.
#include "runner/serve_runs.h"

#include <atomic>
#include <map>
#include <thread>

#include "ledgers.h"
#include "runner/snapshot.h"

namespace sibyl::runner {
namespace {

using std::chrono::milliseconds;

using ServeRunsTest = LedgerTest;
INSTANTIATE_TEST_SUITE_P(Both, ServeRunsTest, testing::Values("journal", "postgres"),
                         [](const auto& info) { return std::string(info.param); });

class Source : public JobSource {
 public:
  explicit Source(Work work) : work_(std::move(work)) {}
  bool Wants(const RunInfo& run) override { return !unwanted.contains(run.name); }
  Result<Work> WorkOf(const RunInfo& run, const Lease& job) override {
    taken.push_back(run.name + " " + job.name);
    if (job.name == impossible) {
      if (is_noted) refused.insert(job.place);
      return Broken("other inputs");
    }
    return work_;
  }

  std::vector<std::size_t> Refused(const RunInfo& /*run*/) override {
    return {refused.begin(), refused.end()};
  }

  std::set<std::size_t> refused;
  std::vector<std::string> taken;
  std::set<std::string> unwanted;
  std::string impossible;
  bool is_noted = false;  ///< The impossible job is not claimed again.

 private:
  Work work_;
};

Work Quickly() {
  return [](JobContext&) -> Result<std::string> { return std::string("done"); };
}

RunSpec Named(std::string name, int jobs) {
  RunSpec spec = SpecOf(jobs);
  spec.name = std::move(name);
  return spec;
}

TEST_P(ServeRunsTest, DoesEveryJobButTheLast) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(5));
  Source source(Quickly());
  const Result<ServeReport> report = ServeRuns(*ledger, source, {.jobs = 2, .until_idle = true});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->done, 5U);
  EXPECT_EQ(queue.Jobs()->at(4).payload, "done");
  EXPECT_EQ(queue.Jobs()->at(5).state, JobState::kWaiting) << "publishing is not for workers";
}

TEST_P(ServeRunsTest, EndsAtOnceWithoutRunsIfItIsToldTo) {
  const auto ledger = Open();
  Source source(Quickly());
  EXPECT_EQ(ServeRuns(*ledger, source, {.until_idle = true})->done, 0U);
}

TEST_P(ServeRunsTest, EndsAfterAsManyPartsAsItWasAskedFor) {
  const auto ledger = Open();
  MustBegin(*ledger, SpecOf(5));
  Source source(Quickly());
  EXPECT_EQ(ServeRuns(*ledger, source, {.jobs = 4, .max_jobs = 3})->done, 3U);
  EXPECT_EQ(source.taken.size(), 3U) << "no more are claimed than are wanted";
}

TEST_P(ServeRunsTest, RunsTakeTurns) {
  const auto ledger = Open();
  MustBegin(*ledger, Named("a", 8));
  MustBegin(*ledger, Named("b", 8));
  MustBegin(*ledger, Named("c", 2));
  std::atomic<int> begun = 0;
  Source source([&](JobContext&) -> Result<std::string> {
    ++begun;
    Eventually([&] { return begun >= 6; });
    return std::string("done");
  });
  ASSERT_EQ(ServeRuns(*ledger, source, {.jobs = 6, .max_jobs = 6})->done, 6U);
  std::map<char, int> counts;
  for (const std::string& each : source.taken) ++counts[each[0]];
  EXPECT_EQ(counts, (std::map<char, int>{{'a', 2}, {'b', 2}, {'c', 2}}));
}

TEST_P(ServeRunsTest, OnlyWantedRunsAreWorkedOn) {
  const auto ledger = Open();
  MustBegin(*ledger, Named("a", 2));
  JobQueue other = MustBegin(*ledger, Named("b", 2));
  Source source(Quickly());
  source.unwanted.insert("b");
  EXPECT_EQ(ServeRuns(*ledger, source, {.until_idle = true})->done, 2U);
  EXPECT_EQ(other.Jobs()->at(0).state, JobState::kWaiting);
}

// Issue 24: one part that was planned differently kept a worker from all others.
TEST_P(ServeRunsTest, OnlyTheJobThatIsRefusedIsLeftToOthers) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(4));
  Source source(Quickly());
  source.impossible = "b";
  source.is_noted = true;
  const Result<ServeReport> report = ServeRuns(*ledger, source, {.until_idle = true});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->done, 3U);
  EXPECT_EQ(report->released, 1U) << "claimed once";
  EXPECT_EQ(queue.Jobs()->at(1).state, JobState::kWaiting);
}

TEST_P(ServeRunsTest, AStopPutsItsJobsBackWithWhatTheyKept) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(2));
  std::stop_source stop;
  Source source([&](JobContext& context) { return UntilStopped(context); });
  std::jthread stopper([&] {
    std::this_thread::sleep_for(milliseconds(200));
    stop.request_stop();
  });
  const auto began = std::chrono::steady_clock::now();
  const auto report = ServeRuns(*ledger, source, {.jobs = 2, .stop = stop.get_token()});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
  EXPECT_EQ(report->released, 2U);
  for (std::size_t place = 0; place < 2; ++place) {
    const JobRow row = queue.Jobs()->at(place);
    EXPECT_EQ(row.state, JobState::kWaiting);
    EXPECT_EQ(row.crashes + row.lost + row.attempts, 0) << "preempted is not crashed";
    EXPECT_EQ(row.reason, "the worker was stopped");
    EXPECT_EQ(row.released, 1);
  }
}

TEST_P(ServeRunsTest, AJobThatDoesNotStopIsPutBackBeforeTheProcessIsKilled) {
  const auto ledger = Open();
  const auto other = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  JobQueue seen = MustBegin(*other, SpecOf(1));
  std::atomic<bool> is_running = false;
  std::atomic<bool> may_end = false;
  std::stop_source stop;
  Source source([&](JobContext&) -> Result<std::string> {
    is_running = true;
    Eventually([&] { return may_end.load(); });
    return std::string("too late");
  });
  std::jthread observer([&] {
    Eventually([&] { return is_running.load(); });
    stop.request_stop();
    Eventually([&] { return seen.Jobs()->at(0).state == JobState::kWaiting; });
    may_end = true;
  });
  const auto report =
      ServeRuns(*ledger, source, {.stop = stop.get_token(), .grace = milliseconds(50)});
  observer.join();
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->released, 1U);
  EXPECT_EQ(report->done + report->lost, 0U);
  const JobRow row = queue.Jobs()->at(0);
  EXPECT_EQ(row.state, JobState::kWaiting) << "the result came too late";
  EXPECT_EQ(row.payload, "");
  EXPECT_EQ(row.released, 1);
  EXPECT_EQ(row.crashes + row.lost + row.attempts, 0);
}

TEST_P(ServeRunsTest, AFailedAttemptIsTriedAgainAndThenFails) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  Source source([](JobContext&) -> Result<std::string> { return Broken("nothing found"); });
  const auto report = ServeRuns(*ledger, source, {.until_idle = true});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->retried, 1U);
  EXPECT_EQ(report->failed, 1U);
  EXPECT_EQ(queue.Jobs()->at(0).reason, "nothing found");
}

TEST_P(ServeRunsTest, AJobOfALostHolderIsTaken) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  ASSERT_TRUE(*queue.ClaimFor({.holder = "far elsewhere 17 4", .lease = milliseconds(300)}));
  Source source(Quickly());
  EXPECT_EQ(ServeRuns(*ledger, source, {.until_idle = true, .look = milliseconds(50)})->done, 1U);
  EXPECT_EQ(queue.Jobs()->at(0).lost, 1);
}

TEST_P(ServeRunsTest, WorkersAndAPublisherFinishTogether) {
  const auto ledger = Open();
  RunSpec spec = SpecOf(12);
  for (Job& job : spec.jobs) job.work = Quickly();
  const auto first = Open();
  const auto second = Open();
  std::stop_source stop;
  std::atomic<std::size_t> by_workers = 0;
  std::vector<std::jthread> workers;
  for (Ledger* own : {first.get(), second.get()}) {
    workers.emplace_back([&, own] {
      Source source(Quickly());
      by_workers += ServeRuns(*own, source, {.stop = stop.get_token()})->done;
    });
  }
  const Result<RunReport> report = RunJobs(*ledger, spec, {});
  stop.request_stop();
  workers.clear();
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->ending, Ending::kFinished);
  EXPECT_EQ(report->last->payload, "published");
  for (const JobOutcome& job : report->jobs) EXPECT_EQ(job.payload, "done");
}

}  // namespace
}  // namespace sibyl::runner
