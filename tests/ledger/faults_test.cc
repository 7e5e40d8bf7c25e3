// SPDX-License-Identifier: Apache-2.0
// Faults of workers, of the network and of the database. After each, nothing is
// lost and nothing is done twice. SIBYL_LONG_FAULTS=1 makes them longer.
#include <fmt/format.h>
#include <sys/wait.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "base/files/files.h"
#include "base/process/environment.h"
#include "ledgers.h"
#include "relay.h"
#include "runner/snapshot.h"

namespace sibyl::runner {
namespace {

using std::chrono::milliseconds;

class LedgerFaults : public testing::Test {
 protected:
  void SetUp() override {
    const Result<PostgresServer*> server = PostgresServer::Shared();
    if (!server.ok()) GTEST_SKIP() << server.error().message;
    server_ = *server;
    address_ = server_->NewDatabase();
  }
  std::unique_ptr<PostgresLedger> Open(PostgresOptions options = {}) {
    if (options.address.empty()) options.address = address_;
    if (options.oracle.empty()) options.oracle = "oracle";
    auto ledger = PostgresLedger::Open(options, kTestClock);
    EXPECT_TRUE(ledger.ok()) << ledger.error().message;
    return ledger.ok() ? std::move(ledger).value() : nullptr;
  }
  std::string Through(const Relay& relay) const {
    return address_.substr(0, address_.find("host=")) + "host=" + relay.folder().string();
  }

  PostgresServer* server_ = nullptr;
  std::string address_;
};

// What anybody can see of a run, without numbers that differ each time.
std::string Shown(const std::vector<JobRow>& rows) {
  std::string text;
  for (const JobRow& row : rows) {
    text += fmt::format("{} {} {} {} attempts {} losses '{}' '{}'\n", row.place, row.name,
                        JobStateName(row.state), row.attempts, row.crashes + row.lost, row.reason,
                        row.payload);
  }
  return text;
}

// Every operation once.
std::string PlayThrough(PostgresLedger& ledger) {
  JobQueue queue = MustBegin(ledger, SpecOf(4));
  const Lease a = MustClaim(queue);
  EXPECT_TRUE(IsAccepted(queue.Keep(a, "half", "{}")));
  EXPECT_TRUE(queue.Renew({{.lease = a, .progress = "news"}}).value().empty());
  EXPECT_TRUE(IsAccepted(queue.Complete(a, "A")));
  const Lease b = MustClaim(queue);
  EXPECT_TRUE(IsAccepted(queue.Fail(b, "not found", 2)));
  const Lease again = MustClaim(queue);
  EXPECT_EQ(again.place, b.place);
  EXPECT_TRUE(IsAccepted(queue.Release(again, "preempted")));
  const Lease third = MustClaim(queue);
  EXPECT_TRUE(IsAccepted(queue.Expire(third, Loss::kCrashed, {})));
  const Lease fourth = MustClaim(queue);
  EXPECT_TRUE(IsAccepted(queue.Complete(fourth, "B")));
  EXPECT_TRUE(queue.PutBack(a.place, "edited").ok());
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "A2")));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "C")));
  EXPECT_TRUE(queue.CancelWaiting("time").ok());
  std::string mark;
  EXPECT_EQ(queue.Changes(mark)->size(), 5U);
  EXPECT_TRUE(ledger.FindOpen("plan").value());
  const Lease last = MustClaim(queue);
  EXPECT_TRUE(last.is_last);
  EXPECT_TRUE(IsAccepted(queue.Complete(last, "P")));
  EXPECT_FALSE(ledger.FindOpen("plan").value());
  const std::string shown = Shown(*queue.Jobs());
  MustBegin(ledger, SpecOf(1, "next"));
  EXPECT_TRUE(ledger.FinishRun("plan", "by hand").ok());
  EXPECT_EQ(ledger.ReadAll()->runs.size(), 2U);
  return shown;
}

TEST_F(LedgerFaults, AConnectionThatIsCutInTheMiddleOfAnyStatement) {
  std::atomic<int> statements = 0;
  const auto play = [&](Relay::Cut cut, int at) {
    Relay relay(server_->socket());
    relay.Arm(cut, at);
    const auto ledger = Open(
        {.address = Through(relay), .oracle = fmt::format("{} {}", static_cast<int>(cut), at)});
    std::string shown = PlayThrough(*ledger);
    if (at == 0) statements = relay.statements();
    return at == 0 || relay.has_cut() ? shown : std::string();
  };
  Open();  // the tables
  const std::string undisturbed = play(Relay::Cut::kAnswer, 0);
  EXPECT_NE(undisturbed.find("0 a done 2 attempts 0 losses"), std::string::npos) << undisturbed;
  EXPECT_GT(statements, 40);
  std::atomic<int> next = 0;
  const auto play_all = [&] {
    for (int i = next++; i < 2 * statements && !HasFailure(); i = next++) {
      const Relay::Cut cut = i % 2 == 0 ? Relay::Cut::kRequest : Relay::Cut::kAnswer;
      EXPECT_EQ(play(cut, i / 2 + 1), undisturbed)
          << (i % 2 == 0 ? "request " : "answer ") << i / 2 + 1 << " of " << statements;
    }
  };
  std::vector<std::jthread> players;
  for (int i = 0; i < 6; ++i) players.emplace_back(play_all);
}

TEST_F(LedgerFaults, AConnectionThatIsCutWhileTheTablesAreCreated) {
  for (const Relay::Cut cut : {Relay::Cut::kRequest, Relay::Cut::kAnswer}) {
    for (int at = 1; at <= 40; ++at) {
      address_ = server_->NewDatabase();
      Relay relay(server_->socket());
      relay.Arm(cut, at);
      const auto ledger = Open({.address = Through(relay)});
      ASSERT_TRUE(ledger) << "at " << at;
      const bool has_cut = relay.has_cut();
      relay.Arm(cut, 0);
      JobQueue queue = MustBegin(*ledger, SpecOf(1));
      EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "A"))) << "at " << at;
      if (!has_cut) break;
    }
  }
}

// Jobs that note in a file that they were done.
RunSpec NotingSpec(int jobs, const std::filesystem::path& notes, milliseconds time) {
  RunSpec spec{.name = "plan", .fingerprint = "1"};
  for (int i = 0; i < jobs; ++i) {
    spec.jobs.push_back({.name = std::to_string(i),
                         .fingerprint = "f",
                         .work = [=](JobContext& context) -> Result<std::string> {
                           const auto until = std::chrono::steady_clock::now() + time;
                           while (std::chrono::steady_clock::now() < until) {
                             if (context.stop().stop_requested()) return Broken("stopped");
                             std::this_thread::sleep_for(milliseconds(2));
                           }
                           std::ofstream(notes, std::ios::app) << i << std::endl;
                           return fmt::format("page {}", i);
                         }});
  }
  spec.last = LastJob{
      .name = "publish",
      .work = [notes](JobContext&, const std::vector<JobOutcome>& outcomes) -> Result<std::string> {
        std::ofstream(notes, std::ios::app) << "published" << std::endl;
        std::string tree;
        for (const JobOutcome& each : outcomes) tree += each.payload + "\n";
        return tree;
      }};
  return spec;
}

std::map<std::string, int> ReadNotes(const std::filesystem::path& notes) {
  std::map<std::string, int> counts;
  std::ifstream file(notes);
  for (std::string line; std::getline(file, line);) ++counts[line];
  return counts;
}

std::string TreeOf(int jobs) {
  std::string tree;
  for (int i = 0; i < jobs; ++i) tree += fmt::format("page {}\n", i);
  return tree;
}

bool IsLong() { return EnvironmentVariable("SIBYL_LONG_FAULTS").has_value(); }

TEST_F(LedgerFaults, ADatabaseThatIsStoppedKilledAndStartedAgain) {
  constexpr int kJobs = 40;
  constexpr int kWorkers = 4;
  TemporaryFolder folder;
  const RunSpec spec = NotingSpec(kJobs, folder.path() / "notes", milliseconds(150));
  std::vector<std::string> trees(kWorkers);
  std::atomic<int> losses = 0;
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < kWorkers; ++i) {
      workers.emplace_back([&, i] {
        const auto ledger = Open();
        const Result<RunReport> report = RunJobs(*ledger, spec, {.heartbeat = milliseconds(200)});
        losses += ledger->losses();
        trees[static_cast<std::size_t>(i)] =
            report.ok() ? report->last->payload : report.error().message;
      });
    }
    for (const int signal : {SIGKILL, SIGINT, SIGKILL}) {
      std::this_thread::sleep_for(milliseconds(400));
      server_->Stop(signal);
      std::this_thread::sleep_for(milliseconds(200));
      ASSERT_TRUE(server_->Start().ok());
    }
  }
  EXPECT_GE(losses, kWorkers) << "the connections were lost in the middle";
  for (const std::string& tree : trees) EXPECT_EQ(tree, TreeOf(kJobs));
  for (const auto& [note, times] : ReadNotes(folder.path() / "notes")) {
    EXPECT_EQ(times, 1) << note << " was done twice";
  }
  if (HasFailure()) std::cerr << runner::FormatSnapshot(*Open()->ReadAll());
}

// Bytes that the database cannot compress, so that they need new pages.
std::string Incompressible(std::size_t bytes) {
  std::string text;
  for (std::uint32_t state = 1; text.size() < bytes; state = state * 1664525U + 1013904223U) {
    text += static_cast<char>(state >> 24U);
  }
  return text;
}

TEST_F(LedgerFaults, ATableThatCannotGrowLosesNothing) {
  const auto server = PostgresServer::WithDisk({.module = SIBYL_FULL_DISK, .below = "base"});
  ASSERT_TRUE(server.ok()) << server.error().message;
  address_ = (*server)->NewDatabase();
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(2));
  const Lease a = MustClaim(queue);
  EXPECT_TRUE(IsAccepted(queue.Keep(a, "half", "{}")));
  const std::string page = Incompressible(4'000'000);
  (*server)->SetSpace(PostgresServer::Space::kNone);
  const Result<Acceptance> refused = queue.Complete(a, page);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(refused.error().hint.find("disk is full"), std::string::npos)
      << refused.error().message;
  (*server)->SetSpace(PostgresServer::Space::kFree);
  EXPECT_EQ(queue.Jobs()->at(0).state, JobState::kRunning);
  EXPECT_EQ(queue.Jobs()->at(0).payload, "half") << "what was there is still there";
  EXPECT_TRUE(IsAccepted(queue.Complete(a, page))) << "the same lease goes on";
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "B")));
  EXPECT_TRUE(queue.Jobs()->at(0).payload == page);
}

TEST_F(LedgerFaults, ADatabaseThatRestartsBecauseItsLogCannotGrow) {
  constexpr int kJobs = 60;
  constexpr std::size_t kWorkers = 3;
  const auto made = PostgresServer::WithDisk({.module = SIBYL_FULL_DISK, .below = "pg_wal"});
  ASSERT_TRUE(made.ok()) << made.error().message;
  PostgresServer& server = **made;
  address_ = server.NewDatabase();
  TemporaryFolder folder;
  const RunSpec spec = NotingSpec(kJobs, folder.path() / "notes", milliseconds(60));
  std::vector<std::string> trees(kWorkers);
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < kWorkers; ++i) {
      workers.emplace_back([&, i] {
        const auto ledger = Open({.patience = milliseconds(120'000)});
        const Result<RunReport> report = RunJobs(*ledger, spec, {.heartbeat = milliseconds(200)});
        trees[i] = report.ok() ? report->last->payload : report.error().message;
      });
    }
    while (ReadNotes(folder.path() / "notes").size() < 3) {
      std::this_thread::sleep_for(milliseconds(5));
    }
    server.SetSpace(PostgresServer::Space::kNone);
    while (!server.HasPanicked()) std::this_thread::sleep_for(milliseconds(5));
    server.SetSpace(PostgresServer::Space::kFree);
  }
  for (const std::string& tree : trees) EXPECT_EQ(tree, TreeOf(kJobs));
  for (const auto& [note, times] : ReadNotes(folder.path() / "notes")) {
    EXPECT_EQ(times, 1) << note << " was done twice";
  }
}

TEST_F(LedgerFaults, WorkersThatAreKilledAgainAndAgain) {
  const int jobs = IsLong() ? 400 : 48;
  const int kills = IsLong() ? 60 : 12;
  const milliseconds between(IsLong() ? 1'000 : 150);
  constexpr int kWorkers = 8;
  TemporaryFolder folder;
  const RunSpec spec = NotingSpec(jobs, folder.path() / "notes", milliseconds(100));
  Open();
  const auto is_over = [&] { return ReadNotes(folder.path() / "notes").contains("published"); };
  const auto work = [&] {
    const auto ledger = Open();
    // Only a run that ends after the ledger was opened is joined; otherwise a new one begins.
    if (is_over()) return 0;
    const Result<RunReport> report = RunJobs(*ledger, spec,
                                             {.lease = milliseconds(2'000),
                                              .heartbeat = milliseconds(200),
                                              .most_losses = {.crashes = 50}});
    return report.ok() && report->last->payload == TreeOf(jobs) ? 0 : 1;
  };
  std::vector<std::unique_ptr<Child>> workers;
  for (int i = 0; i < kWorkers; ++i) workers.push_back(std::make_unique<Child>(work));
  for (int i = 0; i < kills && !is_over(); ++i) {
    std::this_thread::sleep_for(between);
    std::unique_ptr<Child>& victim = workers[static_cast<std::size_t>(i % kWorkers)];
    victim->Kill();
    victim->Wait();
    victim = std::make_unique<Child>(work);
  }
  for (const auto& worker : workers) {
    const int exit = worker->Wait();
    EXPECT_TRUE(exit == 0 || exit == -SIGKILL) << exit;
  }
  const auto notes = ReadNotes(folder.path() / "notes");
  EXPECT_EQ(notes.size(), static_cast<std::size_t>(jobs) + 1) << "nothing is lost";
  int repeated = 0;
  for (const auto& [note, times] : notes) repeated += times - 1;
  EXPECT_LE(repeated, kills) << "only what a killed worker had in hand is done again";
}

TEST_F(LedgerFaults, AFrozenWorkerIsFenced) {
  TemporaryFolder folder;
  const auto ledger = Open();
  JobQueue queue = MustBegin(*ledger, SpecOf(1));
  Child frozen([&] {
    const auto own = Open({.patience = milliseconds(29'000)});
    JobQueue mine = JobQueue::Of(*own, queue.run());
    const Lease lease = **mine.Claim(Claiming::kAny, milliseconds(400));
    std::ofstream(folder.path() / "claimed") << lease.token;
    while (!std::filesystem::exists(folder.path() / "go")) {
      std::this_thread::sleep_for(milliseconds(5));
    }
    const bool refused = !IsAccepted(mine.Keep(lease, "late", "")) &&
                         !IsAccepted(mine.Complete(lease, "late")) &&
                         mine.Renew({{.lease = lease}}).value().size() == 1;
    return refused ? 0 : 1;
  });
  ASSERT_TRUE(Eventually([&] { return std::filesystem::exists(folder.path() / "claimed"); }));
  ::kill(frozen.pid(), SIGSTOP);
  const Result<RunReport> report = RunJobs(*ledger, SpecOf(1), {});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->jobs[0].payload, "made a");
  std::ofstream(folder.path() / "go") << 1;
  ::kill(frozen.pid(), SIGCONT);
  EXPECT_EQ(frozen.Wait(), 0) << "its writes are refused";
  EXPECT_EQ(queue.Jobs()->at(0).payload, "made a");
}

TEST_F(LedgerFaults, TwoPublishersPublishOnce) {
  TemporaryFolder folder;
  const std::filesystem::path notes = folder.path() / "notes";
  const RunSpec spec = NotingSpec(1, notes, milliseconds(1));
  constexpr std::size_t kPublishers = 6;
  std::vector<std::string> trees(kPublishers);
  // Opened before the first starts: a run that ended before would not be joined.
  std::vector<decltype(Open())> ledgers;
  for (std::size_t i = 0; i < kPublishers; ++i) ledgers.push_back(Open());
  {
    std::vector<std::jthread> publishers;
    for (std::size_t i = 0; i < kPublishers; ++i) {
      publishers.emplace_back([&, i] {
        const Result<RunReport> report = RunJobs(*ledgers[i], spec, {.jobs = 2});
        trees[i] = report.ok() ? report->last->payload : report.error().message;
      });
    }
  }
  for (const std::string& tree : trees) EXPECT_EQ(tree, "page 0\n");
  EXPECT_EQ(ReadNotes(notes)["published"], 1);
}

}  // namespace
}  // namespace sibyl::runner
