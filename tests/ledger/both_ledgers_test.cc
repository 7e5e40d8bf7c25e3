// SPDX-License-Identifier: Apache-2.0
// What every ledger does: the same tests for the journal and for PostgreSQL.
#include <atomic>
#include <set>
#include <thread>

#include "ledgers.h"
#include "runner/snapshot.h"

namespace sibyl::runner {
namespace {

INSTANTIATE_TEST_SUITE_P(Both, LedgerTest, testing::Values("journal", "postgres"),
                         [](const auto& info) { return std::string(info.param); });

JobRow RowOf(JobQueue& queue, std::size_t place) {
  const Result<std::vector<JobRow>> rows = queue.Jobs();
  EXPECT_TRUE(rows.ok()) << rows.error().message;
  return rows.ok() && place < rows->size() ? (*rows)[place] : JobRow{};
}

TEST_P(LedgerTest, AJobIsGivenToOneOnly) {
  const auto a = Open();
  const auto b = Open();
  JobQueue mine = MustBegin(*a, SpecOf(2));
  JobQueue yours = MustBegin(*b, SpecOf(2));
  EXPECT_FALSE(mine.was_resumed());
  EXPECT_TRUE(yours.was_resumed());
  EXPECT_EQ(mine.run(), yours.run());
  const Lease first = MustClaim(mine);
  const Lease second = MustClaim(yours);
  EXPECT_EQ(first.place, 0U);
  EXPECT_EQ(second.place, 1U);
  EXPECT_NE(first.token, second.token);
  EXPECT_FALSE(MayClaim(mine)) << "the last job waits for the others";
  EXPECT_TRUE(IsAccepted(mine.Complete(first, "A")));
  EXPECT_FALSE(MayClaim(mine));
  EXPECT_TRUE(IsAccepted(yours.Complete(second, "B")));
  const Lease last = MustClaim(mine);
  EXPECT_TRUE(last.is_last);
  EXPECT_EQ(last.place, 2U);
  EXPECT_FALSE(MayClaim(yours));
  EXPECT_TRUE(IsAccepted(mine.Complete(last, "P")));
  EXPECT_FALSE(MayClaim(yours)) << "the run is over";
  EXPECT_EQ(RowOf(yours, 1).payload, "B");
  EXPECT_EQ(RowOf(yours, 2).state, JobState::kDone);
}

TEST_P(LedgerTest, AJobIsClaimedByItsPlace) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(3));
  const auto claim = [&](std::size_t place) {
    return queue.ClaimFor({.holder = "agent:ada", .lease = kLongLease, .place = place}).value();
  };
  EXPECT_EQ(claim(1)->place, 1U);
  EXPECT_FALSE(claim(1)) << "held";
  EXPECT_FALSE(claim(3)) << "the last job is not for agents";
  EXPECT_FALSE(claim(9));
  EXPECT_EQ(RowOf(queue, 1).holder, "agent:ada");
  EXPECT_EQ(RowOf(queue, 1).lease, kLongLease);
}

TEST_P(LedgerTest, AHolderThatLostItsLeaseIsRefused) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  const Lease old = MustClaim(queue);
  EXPECT_EQ(old.payload, "");
  EXPECT_TRUE(IsAccepted(queue.Keep(old, "half", "{}")));
  EXPECT_TRUE(IsAccepted(queue.Expire(old, Loss::kCrashed, {})));
  const Lease fresh = MustClaim(queue);
  EXPECT_GT(fresh.token, old.token);
  EXPECT_EQ(fresh.attempt, 1) << "a loss is not an attempt";
  EXPECT_EQ(fresh.payload, "half") << "the next holder continues it";
  EXPECT_EQ(RowOf(queue, 0).payload, "half");
  EXPECT_FALSE(IsAccepted(queue.Complete(old, "late")));
  EXPECT_FALSE(IsAccepted(queue.Keep(old, "late", "")));
  EXPECT_FALSE(IsAccepted(queue.Fail(old, "late", 2)));
  EXPECT_FALSE(IsAccepted(queue.Release(old, "late")));
  EXPECT_FALSE(IsAccepted(queue.Expire(old, Loss::kCrashed, {})));
  const auto lost = queue.Renew({{.lease = old}, {.lease = fresh, .progress = "news"}});
  ASSERT_TRUE(lost.ok());
  EXPECT_EQ(lost->size(), 1U);
  EXPECT_EQ(RowOf(queue, 0).progress, "news");
  EXPECT_TRUE(IsAccepted(queue.Complete(fresh, "whole")));
  EXPECT_EQ(RowOf(queue, 0).payload, "whole");
}

TEST_P(LedgerTest, ARenewalKeepsWhatItDoesNotMention) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  const Lease lease = MustClaim(queue);
  ASSERT_TRUE(queue.Renew({{.lease = lease, .progress = R"({"step":"a \"b\" \\, {c}"})"}}).ok());
  ASSERT_TRUE(queue.Renew({{.lease = lease}}).ok());
  EXPECT_EQ(RowOf(queue, 0).progress, R"({"step":"a \"b\" \\, {c}"})");
  EXPECT_EQ(RowOf(queue, 0).heartbeat, 2);
}

TEST_P(LedgerTest, AFailedJobIsTriedOnceMore) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  EXPECT_TRUE(IsAccepted(queue.Fail(MustClaim(queue), "first", 2)));
  EXPECT_EQ(RowOf(queue, 0).state, JobState::kWaiting);
  EXPECT_EQ(RowOf(queue, 0).reason, "first");
  const Lease again = MustClaim(queue);
  EXPECT_EQ(again.attempt, 2);
  EXPECT_TRUE(IsAccepted(queue.Fail(again, "second", 2)));
  EXPECT_EQ(RowOf(queue, 0).state, JobState::kFailed);
  EXPECT_TRUE(MustClaim(queue).is_last) << "a failed job is an outcome";
}

TEST_P(LedgerTest, AReleaseIsNeitherAnAttemptNorALoss) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  for (int i = 0; i < 7; ++i) {
    const Lease lease = MustClaim(queue);
    EXPECT_EQ(lease.attempt, 1);
    EXPECT_TRUE(IsAccepted(queue.Release(lease, "preempted")));
  }
  EXPECT_EQ(RowOf(queue, 0).released, 7);
  EXPECT_EQ(RowOf(queue, 0).crashes + RowOf(queue, 0).lost, 0);
  EXPECT_EQ(RowOf(queue, 0).attempts, 0);
  EXPECT_EQ(RowOf(queue, 0).state, JobState::kWaiting);
}

TEST_P(LedgerTest, AJobThatCrashesItsProcessAgainAndAgainFails) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(RowOf(queue, 0).state, JobState::kWaiting);
    EXPECT_TRUE(IsAccepted(queue.Expire(MustClaim(queue), Loss::kCrashed, {})));
  }
  EXPECT_EQ(RowOf(queue, 0).state, JobState::kFailed);
  EXPECT_EQ(RowOf(queue, 0).crashes, 5);
  EXPECT_NE(RowOf(queue, 0).reason.find("died 5 times"), std::string::npos);
}

// Issue 24: preempted is not crashed.
TEST_P(LedgerTest, MachinesThatDisappearDoNotFailAJob) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  const auto lose = [&](const MostLosses& most) {
    const auto lease = queue.ClaimFor({.holder = "far elsewhere 17 4", .lease = {}});
    ASSERT_TRUE(lease.ok() && *lease);
    ASSERT_TRUE(
        Eventually([&] { return IsAccepted(queue.Expire(**lease, Loss::kExpired, most)); }));
  };
  for (int i = 0; i < 7; ++i) lose({});
  EXPECT_EQ(RowOf(queue, 0).state, JobState::kWaiting);
  EXPECT_EQ(RowOf(queue, 0).lost, 7);
  EXPECT_EQ(RowOf(queue, 0).crashes, 0);
  EXPECT_TRUE(IsAccepted(queue.Expire(MustClaim(queue), Loss::kCrashed, {.crashes = 2})))
      << "they are not counted together";
  EXPECT_EQ(RowOf(queue, 0).state, JobState::kWaiting);
  lose({.expired = 8});
  EXPECT_EQ(RowOf(queue, 0).state, JobState::kFailed) << "but not forever";
  EXPECT_NE(RowOf(queue, 0).reason.find("8 workers disappeared"), std::string::npos);
  EXPECT_EQ(ledger->ReadAll()->runs[0].jobs[0].lost, 8);
}

TEST_P(LedgerTest, AJobThatIsPutBackIsDoneAgainBeforeTheLast) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "A")));
  EXPECT_TRUE(queue.PutBack(0, "the plan was edited").ok());
  EXPECT_EQ(RowOf(queue, 0).payload, "");
  EXPECT_FALSE(MayClaim(queue, Claiming::kOnlyLast));
  EXPECT_FALSE(MustClaim(queue).is_last);
}

TEST_P(LedgerTest, WaitingJobsAreCancelledUnlessOneRuns) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(2));
  const Lease lease = MustClaim(queue);
  EXPECT_TRUE(queue.CancelWaiting("time").ok());
  EXPECT_EQ(RowOf(queue, 1).state, JobState::kWaiting);
  EXPECT_TRUE(IsAccepted(queue.Complete(lease, "A")));
  EXPECT_TRUE(queue.CancelWaiting("time").ok());
  EXPECT_EQ(RowOf(queue, 1).state, JobState::kCancelled);
  EXPECT_EQ(RowOf(queue, 1).reason, "time");
  EXPECT_TRUE(MustClaim(queue, Claiming::kOnlyLast).is_last);
  JobQueue resumed = MustBegin(*ledger, SpecOf(2));
  EXPECT_EQ(RowOf(resumed, 1).state, JobState::kWaiting) << "what a limit cut off runs again";
}

TEST_P(LedgerTest, AFailedLastJobIsTriedAgainWhenTheRunIsResumed) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "A")));
  EXPECT_TRUE(IsAccepted(queue.Fail(MustClaim(queue), "no space", 1)));
  EXPECT_EQ(RowOf(queue, 1).state, JobState::kFailed);
  JobQueue again = MustBegin(*ledger, SpecOf(1));
  EXPECT_EQ(again.run(), queue.run());
  EXPECT_TRUE(IsAccepted(again.Complete(MustClaim(again), "P")));
  EXPECT_FALSE(ledger->FindOpen("plan").value()) << "finished";
}

TEST_P(LedgerTest, AnotherFingerprintIsAnotherRunWithTheUnchangedJobs) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(2));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "A")));
  RunSpec changed = SpecOf(2, "2");
  changed.jobs[1].fingerprint = "other";
  JobQueue later = MustBegin(*ledger, changed);
  EXPECT_NE(later.run(), queue.run());
  EXPECT_EQ(RowOf(later, 0).payload, "A");
  EXPECT_EQ(RowOf(later, 0).state, JobState::kDone);
  EXPECT_EQ(RowOf(later, 1).state, JobState::kWaiting);
  const auto jobs = queue.Jobs();
  ASSERT_FALSE(jobs.ok());
  EXPECT_EQ(jobs.error().kind, ErrorKind::kUnavailable);
  EXPECT_FALSE(queue.OpenName().ok());
  EXPECT_EQ(later.OpenName().value(), "plan");
}

TEST_P(LedgerTest, RestartKeepsNothing) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "A")));
  JobQueue again = MustBegin(*ledger, SpecOf(1), Existing::kRestart);
  EXPECT_NE(again.run(), queue.run());
  EXPECT_EQ(RowOf(again, 0).state, JobState::kWaiting);
}

TEST_P(LedgerTest, ARunThatFinishedWhileThisWasOpenIsJoined) {
  const auto late = Open();
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "A")));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "P")));
  JobQueue joined = MustBegin(*late, SpecOf(1));
  EXPECT_EQ(joined.run(), queue.run());
  EXPECT_EQ(joined.standing(), Standing::kFinished);
  EXPECT_EQ(MustBegin(*late, SpecOf(1, "2"), Existing::kJoin).run(), queue.run())
      << "publishing changes the inputs";
  const auto next = Open();
  EXPECT_NE(MustBegin(*next, SpecOf(1)).run(), queue.run()) << "it was over before";
}

TEST_P(LedgerTest, ARunInItsLastJobIsNotSupersededByACallerWithOtherJobs) {
  const auto a = Open();
  const auto b = Open();
  JobQueue mine = MustBegin(*a, SpecOf(1), Existing::kJoin);
  EXPECT_TRUE(IsAccepted(mine.Complete(MustClaim(mine), "A")));
  const Lease last = MustClaim(mine);
  RunSpec other = SpecOf(2);
  EXPECT_EQ(MustBegin(*b, other, Existing::kJoin).standing(), Standing::kOverWithOtherJobs);
  EXPECT_TRUE(IsAccepted(mine.Complete(last, "P")));
  EXPECT_EQ(MustBegin(*b, other, Existing::kJoin).standing(), Standing::kOverWithOtherJobs);
}

TEST_P(LedgerTest, OneRunPublishesAtATime) {
  const auto a = Open();
  const auto b = Open();
  RunSpec other = SpecOf(1);
  other.name = "other";
  JobQueue mine = MustBegin(*a, SpecOf(1));
  JobQueue yours = MustBegin(*b, other);
  EXPECT_TRUE(IsAccepted(mine.Complete(MustClaim(mine), "A")));
  EXPECT_TRUE(IsAccepted(yours.Complete(MustClaim(yours), "B")));
  const Lease last = MustClaim(mine);
  EXPECT_TRUE(last.is_last);
  EXPECT_FALSE(MayClaim(yours)) << "the other run is publishing";
  EXPECT_TRUE(IsAccepted(mine.Fail(last, "the disk is full", 2)));
  const Lease next = MustClaim(yours);
  EXPECT_TRUE(next.is_last);
  EXPECT_FALSE(MayClaim(mine));
  EXPECT_TRUE(IsAccepted(yours.Complete(next, "P")));
  EXPECT_TRUE(MustClaim(mine).is_last);
}

TEST_P(LedgerTest, APublisherThatIsGoneDoesNotKeepOthersWaiting) {
  const auto a = Open();
  const auto b = Open();
  RunSpec other = SpecOf(1);
  other.name = "other";
  JobQueue mine = MustBegin(*a, SpecOf(1));
  JobQueue yours = MustBegin(*b, other);
  EXPECT_TRUE(IsAccepted(mine.Complete(MustClaim(mine), "A")));
  EXPECT_TRUE(IsAccepted(yours.Complete(MustClaim(yours), "B")));
  const auto gone =
      mine.ClaimFor({.holder = "far elsewhere 17 4", .lease = {}, .which = Claiming::kOnlyLast});
  ASSERT_TRUE(gone.ok() && *gone);
  EXPECT_TRUE(Eventually([&] { return MayClaim(yours); }));
  EXPECT_TRUE(IsAccepted(mine.Expire(**gone, Loss::kExpired, {})));
}

TEST_P(LedgerTest, ARunIsFinishedByOtherMeans) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(2));
  EXPECT_TRUE(ledger->FinishRun("plan", "P").ok());
  EXPECT_TRUE(ledger->FinishRun("plan", "P").ok());
  EXPECT_TRUE(ledger->FinishRun("none", "P").ok());
  EXPECT_FALSE(ledger->FindOpen("plan").value());
  EXPECT_FALSE(MayClaim(queue));
  EXPECT_EQ(RowOf(queue, 2).payload, "P");
}

TEST_P(LedgerTest, APayloadIsKeptByteForByte) {
  std::string bytes;
  for (int i = 0; i < 70'000; ++i) bytes += static_cast<char>(i * 7);
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(2));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), bytes)));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "")));
  EXPECT_EQ(RowOf(queue, 0).payload, bytes);
  EXPECT_EQ(RowOf(queue, 1).payload, "");
  const auto late = Open();
  EXPECT_EQ(late->Jobs(queue.run())->at(0).payload, bytes);
}

TEST_P(LedgerTest, TextsOfAnyBytesAreAccepted) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  EXPECT_TRUE(IsAccepted(queue.Fail(MustClaim(queue), std::string("a\0b\xff", 4), 1)));
  EXPECT_EQ(RowOf(queue, 0).state, JobState::kFailed);
  EXPECT_TRUE(RowOf(queue, 0).reason.starts_with("a"));
}

TEST_P(LedgerTest, APayloadThatIsTooLongIsRefused) {
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  const Lease lease = MustClaim(queue);
  const std::string bytes((std::size_t{64} << 20) + 1, 'x');
  EXPECT_EQ(queue.Complete(lease, bytes).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(queue.Keep(lease, bytes, "").error().kind, ErrorKind::kUsage);
  EXPECT_TRUE(IsAccepted(queue.Complete(lease, "short")));
}

TEST_P(LedgerTest, ChangesAreSeenByThoseWhoLook) {
  const auto a = Open();
  const auto b = Open();
  JobQueue mine = MustBegin(*a, SpecOf(3));
  JobQueue yours = MustBegin(*b, SpecOf(3));
  std::string mark;
  EXPECT_EQ(yours.Changes(mark)->size(), 4U) << "everything at first";
  const Lease lease = MustClaim(mine);
  const auto has = [&](std::size_t place, JobState state) {
    const std::vector<JobRow> rows = yours.Changes(mark).value();
    for (const JobRow& row : rows) {
      if (row.place == place && row.state == state) return true;
    }
    return false;
  };
  EXPECT_TRUE(has(0, JobState::kRunning));
  EXPECT_TRUE(has(0, JobState::kRunning)) << "a running job is always shown";
  EXPECT_TRUE(IsAccepted(mine.Complete(lease, "A")));
  EXPECT_TRUE(has(0, JobState::kDone));
}

TEST_P(LedgerTest, ARunWithoutALastJobEndsWithItsJobs) {
  const auto ledger = Open();
  RunSpec spec = SpecOf(2);
  spec.last.reset();
  JobQueue queue = MustBegin(*ledger, spec);
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "A")));
  EXPECT_TRUE(ledger->FindOpen("plan").value());
  EXPECT_TRUE(IsAccepted(queue.Fail(MustClaim(queue), "no", 1)));
  EXPECT_FALSE(ledger->FindOpen("plan").value());
  spec.jobs.clear();
  spec.name = "empty";
  MustBegin(*ledger, spec);
  EXPECT_FALSE(ledger->FindOpen("empty").value()) << "nothing to do";
}

TEST_P(LedgerTest, KeepsTheNewestRunsOnly) {
  const auto ledger = Open();
  for (int i = 0; i < 25; ++i) {
    JobQueue queue = MustBegin(*ledger, SpecOf(1, std::to_string(i)), Existing::kRestart);
    EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "A")));
    EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "P")));
  }
  MustBegin(*ledger, SpecOf(1, "new"));
  const Result<Snapshot> all = ledger->ReadAll();
  ASSERT_TRUE(all.ok()) << all.error().message;
  ASSERT_EQ(all->runs.size(), 21U);
  EXPECT_EQ(all->runs[0].state, RunState::kOpen);
  EXPECT_EQ(all->runs[1].jobs[0].payload, "A");
  EXPECT_EQ(all->runs[2].jobs[0].payload, "A");
  EXPECT_EQ(all->runs[3].jobs[0].payload, "") << "payloads of old runs are dropped";
}

TEST_P(LedgerTest, ClocksThatAreApartChangeNothing) {
  const FixedClock behind{Time(std::chrono::seconds(1'800'000'000 - 7'200))};
  const FixedClock ahead{Time(std::chrono::seconds(1'800'000'000 + 7'200))};
  const auto a = Open(behind);
  const auto b = Open(ahead);
  RunSpec spec = SpecOf(1);
  JobQueue mine = MustBegin(*a, spec);
  const Lease lease = MustClaim(mine);
  const Result<RunReport> seen = [&] {
    std::stop_source stop;
    RunOptions options{.stop = stop.get_token()};
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(700));
      stop.request_stop();
    });
    Result<RunReport> report = RunJobs(*b, spec, options);
    stopper.join();
    return report;
  }();
  ASSERT_TRUE(seen.ok()) << seen.error().message;
  EXPECT_EQ(seen->ending, Ending::kInterrupted) << "it waited for the holder";
  EXPECT_TRUE(IsAccepted(mine.Complete(lease, "A"))) << "nobody has taken it";
}

TEST_P(LedgerTest, ManyParticipantsDoEveryJobOnce) {
  constexpr int kParticipants = 6;
  constexpr int kJobs = 60;
  std::atomic<int> done = 0;
  std::atomic<int> published = 0;
  RunSpec spec{.name = "plan", .fingerprint = "1"};
  for (int i = 0; i < kJobs; ++i) {
    spec.jobs.push_back({.name = std::to_string(i),
                         .fingerprint = "f",
                         .work = [&done, i](JobContext&) -> Result<std::string> {
                           ++done;
                           return "made " + std::to_string(i);
                         }});
  }
  spec.last = LastJob{
      .name = "publish",
      .work = [&](JobContext&, const std::vector<JobOutcome>& outcomes) -> Result<std::string> {
        ++published;
        std::string all;
        for (const JobOutcome& each : outcomes) all += each.payload + "\n";
        return all;
      }};
  std::vector<std::unique_ptr<Ledger>> ledgers;
  for (int i = 0; i < kParticipants; ++i) ledgers.push_back(Open());
  std::vector<std::string> results(kParticipants);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kParticipants; ++i) {
      threads.emplace_back([&, i] {
        const auto at = static_cast<std::size_t>(i);
        const Result<RunReport> report = RunJobs(*ledgers[at], spec, {.jobs = 2});
        results[at] = report.ok() ? report->last->payload : report.error().message;
      });
    }
  }
  EXPECT_EQ(done, kJobs) << "nothing is doubled";
  EXPECT_EQ(published, 1);
  for (const std::string& result : results) EXPECT_EQ(result, results[0]);
  EXPECT_EQ(results[0].substr(0, 14), "made 0\nmade 1\n");
}

TEST_P(LedgerTest, TheSignatureOfALeaseIsValidForThisLedger) {
  const auto a = Open();
  const auto b = Open();
  EXPECT_EQ(a->SignLease("1-0-7"), b->SignLease("1-0-7"));
  EXPECT_NE(a->SignLease("1-0-7"), a->SignLease("1-0-8"));
  EXPECT_EQ(a->place(), b->place());
}

TEST_P(LedgerTest, TwoJobsOfOneNameAreRefused) {
  const auto ledger = Open();
  RunSpec spec = SpecOf(2);
  spec.jobs[1].name = "a";
  EXPECT_EQ(JobQueue::Begin(*ledger, spec, Existing::kResume).error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace sibyl::runner
