// SPDX-License-Identifier: Apache-2.0
// Several processes on one run: nobody does what another does, nobody waits for
// the dead, and no clock decides.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <csignal>
#include <fstream>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/strings.h"
#include "base/test_stopwatch.h"
#include "runner/job_queue.h"
#include "runner/lease_watch.h"
#include "runner/process_id.h"
#include "runner/test_runs.h"

namespace sibyl::runner {
namespace {

using std::chrono::milliseconds;

RunSpec Jobs(int count) {
  RunSpec spec{.name = "plan", .fingerprint = "1"};
  for (int i = 0; i < count; ++i) spec.jobs.push_back(Quick(std::to_string(i)));
  return spec;
}

class LeasesTest : public testing::Test {
 protected:
  const std::filesystem::path& path() const { return folder_.path(); }

  TemporaryFolder folder_;
};

TEST_F(LeasesTest, AJobIsGivenToOneOnly) {
  Journal a = OpenJournal(path());
  Journal b = OpenJournal(path());
  JobQueue mine = JobQueue::Begin(a, Jobs(2), Existing::kResume).value();
  JobQueue yours = JobQueue::Begin(b, Jobs(2), Existing::kResume).value();
  EXPECT_TRUE(yours.was_resumed());
  const auto first = mine.Claim(Claiming::kAny, milliseconds(1000)).value();
  const auto second = yours.Claim(Claiming::kAny, milliseconds(1000)).value();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->place, 0U);
  EXPECT_EQ(second->place, 1U);
  EXPECT_NE(first->token, second->token);
  EXPECT_FALSE(mine.Claim(Claiming::kAny, milliseconds(1000)).value());
}

TEST_F(LeasesTest, WhoLostItsLeaseIsRefused) {
  Journal journal = OpenJournal(path());
  JobQueue queue = JobQueue::Begin(journal, Jobs(1), Existing::kResume).value();
  const Lease old = *queue.Claim(Claiming::kAny, milliseconds(1000)).value();
  EXPECT_EQ(queue.Expire(old, Loss::kCrashed, {}).value(), Acceptance::kAccepted);
  EXPECT_EQ(queue.Complete(old, "late").value(), Acceptance::kRefused);
  const Lease fresh = *queue.Claim(Claiming::kAny, milliseconds(1000)).value();
  EXPECT_GT(fresh.token, old.token);
  EXPECT_EQ(fresh.attempt, 1) << "a lost process is not a failed attempt";
  EXPECT_EQ(queue.Complete(old, "late").value(), Acceptance::kRefused);
  EXPECT_EQ(queue.Fail(old, "late", 2).value(), Acceptance::kRefused);
  EXPECT_EQ(queue.Release(old, "late").value(), Acceptance::kRefused);
  EXPECT_EQ(queue.Renew({{.lease = old, .progress = {}}}).value(), std::vector<std::size_t>{0});
  EXPECT_EQ(queue.Complete(fresh, "in time").value(), Acceptance::kAccepted);
  EXPECT_EQ(queue.Jobs().value()[0].payload, "in time");
}

TEST_F(LeasesTest, ALateCallerDoesNotStartARunAgainThatWasJustFinished) {
  Journal a = OpenJournal(path());
  Journal late = OpenJournal(path());
  JobQueue mine = JobQueue::Begin(a, Jobs(1), Existing::kJoin).value();
  const Lease lease = *mine.Claim(Claiming::kAny, milliseconds(1000)).value();
  EXPECT_EQ(mine.Complete(lease, "done").value(), Acceptance::kAccepted);
  RunSpec changed = Jobs(1);  // publishing changed the inputs
  changed.fingerprint = "2";
  changed.jobs[0].fingerprint = "2";
  JobQueue joined = JobQueue::Begin(late, changed, Existing::kJoin).value();
  EXPECT_EQ(joined.standing(), Standing::kFinished);
  EXPECT_EQ(joined.run(), mine.run());
  EXPECT_FALSE(joined.Claim(Claiming::kAny, milliseconds(1000)).value());
  Journal next = OpenJournal(path());
  EXPECT_EQ(JobQueue::Begin(next, changed, Existing::kJoin).value().standing(), Standing::kOpen);
}

TEST_F(LeasesTest, ARunInItsLastJobIsNotSupersededByACallerWithOtherJobs) {
  Journal a = OpenJournal(path());
  RunSpec spec = Jobs(1);
  spec.last = LastJob{.name = "publish"};
  JobQueue mine = JobQueue::Begin(a, spec, Existing::kJoin).value();
  const Lease lease = *mine.Claim(Claiming::kAny, milliseconds(1000)).value();
  EXPECT_EQ(mine.Complete(lease, "done").value(), Acceptance::kAccepted);
  RunSpec other = spec;
  other.jobs.push_back(Quick("more"));
  const Lease last = *mine.Claim(Claiming::kAny, milliseconds(1000)).value();
  Journal b = OpenJournal(path());
  const JobQueue yours = JobQueue::Begin(b, other, Existing::kJoin).value();
  EXPECT_EQ(yours.standing(), Standing::kOverWithOtherJobs);
  EXPECT_EQ(yours.run(), mine.run());
  EXPECT_FALSE(RunJobs(b, other, {.existing = Existing::kJoin}).ok());
  EXPECT_EQ(mine.Complete(last, "published").value(), Acceptance::kAccepted);
  EXPECT_EQ(JobQueue::Begin(b, other, Existing::kJoin).value().standing(),
            Standing::kOverWithOtherJobs)
      << "finished since";
}

TEST_F(LeasesTest, AJobThatLosesItsProcessAgainAndAgainFails) {
  Journal journal = OpenJournal(path());
  JobQueue queue = JobQueue::Begin(journal, Jobs(1), Existing::kResume).value();
  for (int i = 0; i < 3; ++i) {
    const auto lease = queue.Claim(Claiming::kAny, milliseconds(1000)).value();
    ASSERT_TRUE(lease) << i;
    EXPECT_EQ(queue.Expire(*lease, Loss::kCrashed, {.crashes = 3}).value(), Acceptance::kAccepted);
  }
  EXPECT_FALSE(queue.Claim(Claiming::kAny, milliseconds(1000)).value());
  EXPECT_EQ(queue.Jobs().value()[0].reason,
            "its process died 3 times while running it; the part may be what kills it");
}

TEST_F(LeasesTest, WhatAKilledProcessHeldIsTakenAtOnce) {
  Child child([this] {
    Journal journal = OpenJournal(path());
    RunSpec spec = Jobs(2);
    spec.jobs[0].work = UntilStopped;
    return RunJobs(journal, spec, {}).ok() ? 0 : 1;
  });
  Journal journal = OpenJournal(path());
  ASSERT_TRUE(Eventually([&] {
    return journal.database().Number("SELECT count(*) FROM job WHERE state='running'").value() == 1;
  }));
  child.Kill();
  EXPECT_EQ(child.Wait(), -SIGKILL);
  const auto began = std::chrono::steady_clock::now();
  const Result<RunReport> report = RunJobs(journal, Jobs(2), {.lease = std::chrono::hours(1)});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->jobs[0].payload, "made 0");
  EXPECT_TRUE(report->was_resumed);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

// A holder on another machine: nothing is known of it but its heartbeat.
TEST_F(LeasesTest, WhatAForeignProcessHeldIsTakenWhenItGivesNoSignForALease) {
  Journal journal = OpenJournal(path());
  {
    JobQueue queue = JobQueue::Begin(journal, Jobs(1), Existing::kResume).value();
    ASSERT_TRUE(queue.Claim(Claiming::kAny, milliseconds(30'000)).value());
    ASSERT_TRUE(journal.database().Execute("UPDATE job SET holder='far elsewhere 17 4'").ok());
  }
  TestStopwatch stopwatch;
  int ticks = 0;
  int told = 0;
  // Whatever the hands of our clock say; what counts is the stopwatch.
  const Result<RunReport> report =
      RunJobs(journal, Jobs(1),
              {.listener =
                   [&](const Event& event) {
                     if (event.kind == EventKind::kStarted && event.is_in_other_process) {
                       ++told;
                       EXPECT_EQ(event.holder, "far elsewhere 17 4");
                       EXPECT_EQ(event.lease, milliseconds(30'000));
                       stopwatch.Advance(milliseconds(1'000));
                     }
                     if (event.kind == EventKind::kReleased) {
                       EXPECT_GE(stopwatch.Read(), milliseconds(30'000));
                     }
                     if (event.kind != EventKind::kTick) return;
                     // A heartbeat came at 20 s, so the time began anew.
                     if (++ticks == 20) {
                       ASSERT_TRUE(journal.database().Execute("UPDATE job SET heartbeat=7").ok());
                     }
                     stopwatch.Advance(milliseconds(1'000));
                   },
               .stopwatch = &stopwatch});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->jobs[0].payload, "made 0");
  EXPECT_GE(stopwatch.Read(), milliseconds(50'000));
  EXPECT_EQ(told, 1) << "who is waited for is said, once";
}

class BackwardsClock : public Clock {
 public:
  Time Now() const override { return Time(std::chrono::seconds(now_ -= 3'600)); }
  Time WrittenNow() const override { return Now(); }

 private:
  mutable std::atomic<std::int64_t> now_ = 1'800'000'000;
};

TEST_F(LeasesTest, AClockThatGoesBackwardsNeitherFreesNorKeepsALease) {
  const BackwardsClock clock;
  Journal journal = OpenJournal(path(), clock);
  RunSpec spec = Jobs(4);
  std::atomic<int> runs = 0;
  for (Job& job : spec.jobs) {
    job.work = [&](JobContext& context) -> Result<std::string> {
      for (int i = 0; i < 30; ++i) {
        context.Report({.step = "step"});
        std::this_thread::sleep_for(milliseconds(10));
        if (context.stop().stop_requested()) return Broken("lost it");
      }
      ++runs;
      return std::string("done");
    };
  }
  const Result<RunReport> report = RunJobs(
      journal, spec, {.jobs = 2, .lease = milliseconds(200), .heartbeat = milliseconds(20)});
  ASSERT_TRUE(report.ok());
  for (const JobOutcome& job : report->jobs) EXPECT_EQ(job.payload, "done");
  EXPECT_EQ(runs, 4);
}

TEST_F(LeasesTest, TwoProcessesShareTheWorkAndBothKnowTheResult) {
  const auto log = folder_.path() / "log";
  const auto work_together = [&] {
    Journal journal = OpenJournal(path());
    RunSpec spec = Jobs(12);
    for (Job& job : spec.jobs) {
      job.work = [&log, name = job.name](JobContext&) -> Result<std::string> {
        std::this_thread::sleep_for(milliseconds(20));
        std::ofstream(log, std::ios::app) << name + "\n" << std::flush;
        return "made " + name;
      };
    }
    spec.last = LastJob{
        .name = "last",
        .work = [&log](JobContext&, const std::vector<JobOutcome>& all) -> Result<std::string> {
          for (const JobOutcome& job : all) {
            if (job.payload != "made " + job.name) return Broken("missing " + job.name);
          }
          std::ofstream(log, std::ios::app) << "last\n" << std::flush;
          return std::string("published");
        }};
    const Result<RunReport> report = RunJobs(journal, spec, {.jobs = 2});
    return report.ok() && report->last->payload == "published" && report->jobs.size() == 12 ? 0 : 1;
  };
  Child a(work_together);
  Child b(work_together);
  EXPECT_EQ(a.Wait(), 0);
  EXPECT_EQ(b.Wait(), 0);
  const std::string text = ReadFile(log).value();
  std::vector<std::string_view> lines = SplitLines(text);
  EXPECT_EQ(lines.size(), 13U) << text;
  EXPECT_EQ(lines.back(), "last");
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(std::unique(lines.begin(), lines.end()), lines.end()) << "a job ran twice:\n" << text;
}

TEST(LeaseWatch, StartsAnewWithEverySign) {
  LeaseWatch watch;
  const milliseconds lease{100};
  EXPECT_FALSE(watch.IsStale({.place = 1, .token = 1, .heartbeat = 0}, lease, milliseconds(0)));
  EXPECT_FALSE(watch.IsStale({.place = 1, .token = 1, .heartbeat = 0}, lease, milliseconds(99)));
  EXPECT_FALSE(watch.IsStale({.place = 1, .token = 1, .heartbeat = 1}, lease, milliseconds(150)));
  EXPECT_FALSE(watch.IsStale({.place = 1, .token = 2, .heartbeat = 1}, lease, milliseconds(240)));
  EXPECT_TRUE(watch.IsStale({.place = 1, .token = 2, .heartbeat = 1}, lease, milliseconds(340)));
}

RC_GTEST_PROP(LeaseWatch, NeverTakesFromAHolderThatGivesSignsInTime, ()) {
  LeaseWatch watch;
  const milliseconds lease{100};
  milliseconds now{*rc::gen::inRange(0, 1'000'000)};
  std::int64_t heartbeat = 0;
  const auto pauses = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 100));
  watch.IsStale({.place = 0, .token = 1, .heartbeat = heartbeat}, lease, now);
  for (const int pause : pauses) {
    now += milliseconds(pause);
    RC_ASSERT(!watch.IsStale({.place = 0, .token = 1, .heartbeat = heartbeat}, lease, now));
    watch.IsStale({.place = 0, .token = 1, .heartbeat = ++heartbeat}, lease, now);
  }
}

TEST(ProcessId, KnowsItselfAndThoseThatAreGone) {
  const ProcessId self = ThisProcess();
  EXPECT_EQ(LifeOf(self), Life::kAlive);
  EXPECT_EQ(ParseProcessId(FormatProcessId(self)), self);
  ProcessId reused = self;
  reused.started += 1;
  EXPECT_EQ(LifeOf(reused), Life::kGone) << "the number is another process's now";
  ProcessId foreign = self;
  foreign.space = "another-boot/pid:[1]";
  EXPECT_EQ(LifeOf(foreign), Life::kUnknown);
  Child child([] { return 0; });
  ProcessId dead = self;
  dead.number = child.pid();
  child.Wait();
  EXPECT_EQ(LifeOf(dead), Life::kGone);
  for (const std::string_view text : {"", "a", "a b c d", "a b 1", "a b 1 2 3", "a b 1x 2"}) {
    EXPECT_FALSE(ParseProcessId(text)) << text;
  }
}

}  // namespace
}  // namespace sibyl::runner
