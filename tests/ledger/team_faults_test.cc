// SPDX-License-Identifier: Apache-2.0
// The program on one ledger in PostgreSQL: publishers and workers as processes, a plan whose
// parts ask a model, and everything that goes wrong on a cluster. What is published must be
// what one undisturbed machine publishes: every file, the history, git's status.
// SIBYL_LONG_FAULTS=1 repeats each for longer and at more places.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/process/environment.h"
#include "ledgers.h"
#include "relay.h"
#include "team.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using runner::PostgresServer;
using runner::Relay;
using std::chrono::milliseconds;
using std::chrono::seconds;

bool IsLong() { return EnvironmentVariable("SIBYL_LONG_FAULTS").has_value(); }

class TeamFaults : public testing::Test {
 protected:
  void SetUp() override {
    const Result<PostgresServer*> server = PostgresServer::Shared();
    if (!server.ok()) GTEST_SKIP() << server.error().message;
    server_ = *server;
  }
  void TearDown() override {
    if (HasFailure() && team_) std::cerr << team_->Logs();
  }

  void MakeTeam(int parts, std::string address = {}) {
    team_ = std::make_unique<Team>(parts);
    expected_ = team_->Undisturbed();
    EXPECT_TRUE(expected_.contains("widgets/001-widget.md"));
    address_ = address.empty() ? server_->NewDatabase() : std::move(address);
    team_->UseLedger(address_);
  }

  void StartWorkers(int count) {
    for (int i = 0; i < count; ++i) workers_.push_back(team_->StartWorker({"-j", "2"}));
  }

  // Publishes what is written, perhaps after a publisher that failed, and compares.
  void ExpectTheSameOracle() {
    team_->LetGo();
    team_->AnswerAfter(milliseconds(0));
    Outcome published;
    for (int i = 0; i < 3; ++i) {
      published = team_->Sibyl({"expand", Team::kPlan, "--writer", "llm", "-j", "4"});
      if (published.succeeded()) break;
    }
    EXPECT_TRUE(published.succeeded()) << published.output << published.errors;
    workers_.clear();
    EXPECT_EQ(team_->Everything(), expected_);
  }

  static bool Within(seconds time, const std::function<bool()>& holds) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (!holds()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(milliseconds(20));
    }
    return true;
  }

  PostgresServer* server_ = nullptr;
  std::string address_;
  std::unique_ptr<Team> team_;
  std::map<std::string, std::string> expected_;
  std::vector<std::unique_ptr<RunningProgram>> workers_;
};

// The title of the issue: eight workers, one killed every second.
TEST_F(TeamFaults, EightWorkersOfWhichOneIsKilledAgainAndAgain) {
  MakeTeam(IsLong() ? 200 : 32);
  team_->AnswerAfter(milliseconds(IsLong() ? 1'000 : 150));
  StartWorkers(8);
  // Two publishers, of which one is killed too.
  auto first = team_->StartPublisher();
  auto second = team_->StartPublisher();
  const int kills = IsLong() ? 60 : 8;
  for (int i = 0; i < kills && second->IsRunning(); ++i) {
    std::this_thread::sleep_for(milliseconds(IsLong() ? 1'000 : 200));
    auto& victim = workers_[static_cast<std::size_t>(i) % workers_.size()];
    victim->Signal(SIGKILL);
    victim->Wait();
    victim = team_->StartWorker({"-j", "2"});
    if (i == kills / 2) first->Signal(SIGKILL);
  }
  EXPECT_EQ(second->Wait(), 0);
  ExpectTheSameOracle();
}

TEST_F(TeamFaults, ADatabaseThatIsStoppedKilledAndStartedAgain) {
  MakeTeam(24);
  team_->AnswerAfter(milliseconds(100));
  StartWorkers(3);
  const auto publisher = team_->StartPublisher();
  for (const int signal : {SIGKILL, SIGINT, SIGKILL}) {
    std::this_thread::sleep_for(milliseconds(400));
    server_->Stop(signal);
    std::this_thread::sleep_for(milliseconds(300));
    ASSERT_TRUE(server_->Start().ok());
  }
  EXPECT_EQ(publisher->Wait(), 0);
  ExpectTheSameOracle();
}

// Tables cannot grow, then the log cannot: the server ends all sessions and starts again.
TEST_F(TeamFaults, ADatabaseWhoseDiskIsFullForAWhile) {
  for (const char* below : {"base", "pg_wal"}) {
    const auto server = PostgresServer::WithDisk({.module = SIBYL_FULL_DISK, .below = below});
    ASSERT_TRUE(server.ok()) << server.error().message;
    MakeTeam(16, (*server)->NewDatabase());
    team_->AnswerAfter(milliseconds(100));
    StartWorkers(2);
    const auto publisher = team_->StartPublisher();
    EXPECT_TRUE(Within(seconds(20), [&] { return team_->requests() > 6; })) << below;
    (*server)->SetSpace(PostgresServer::Space::kNone);
    std::this_thread::sleep_for(milliseconds(1'500));
    (*server)->SetSpace(PostgresServer::Space::kFree);
    publisher->Wait();  // it may have given up, and is started again
    ExpectTheSameOracle();
    workers_.clear();
    team_.reset();
  }
}

// Each program has its own connection through the relay, which is cut in the middle of the
// N-th statement of all of them. LedgerFaults does it for every statement of every operation.
TEST_F(TeamFaults, AConnectionThatIsCutInTheMiddleOfStatements) {
  const int step = IsLong() ? 1 : 23;
  bool went_through = false;
  for (int at = 1; !went_through && !HasFailure(); at += step) {
    ASSERT_LT(at, 2'000);
    MakeTeam(4);
    Relay relay(server_->socket());
    relay.Arm(at % 2 == 0 ? Relay::Cut::kRequest : Relay::Cut::kAnswer, at);
    team_->UseLedger(address_.substr(0, address_.find("host=")) +
                     "host=" + relay.folder().string());
    StartWorkers(1);
    EXPECT_EQ(team_->StartPublisher()->Wait(), 0) << "cut at " << at;
    went_through = !relay.has_cut();
    ExpectTheSameOracle();
  }
}

// Stopped for longer than its lease with a part in hand, and then it goes on.
TEST_F(TeamFaults, AFrozenWorkerIsFenced) {
  MakeTeam(4);
  team_->BeginRun();
  team_->HoldAnswers();
  StartWorkers(1);
  ASSERT_TRUE(Within(seconds(20), [&] { return team_->held() == 2; }));
  workers_[0]->Signal(SIGSTOP);
  team_->LetGo();
  const auto publisher = team_->StartPublisher();
  constexpr seconds kLeaseAndMore(50);
  ASSERT_TRUE(Within(kLeaseAndMore, [&] { return !publisher->IsRunning(); }));
  EXPECT_EQ(publisher->Wait(), 0);
  // Its answers have waited for it: it writes its pages, and is refused.
  workers_[0]->Signal(SIGCONT);
  std::this_thread::sleep_for(seconds(1));
  workers_[0]->Signal(SIGTERM);
  EXPECT_EQ(workers_[0]->Wait(), 0);
  EXPECT_EQ(team_->Everything(), expected_);
  ExpectTheSameOracle();
}

// Slurm signals every process of a preempted job, and the job's script passes it on.
TEST_F(TeamFaults, AWorkerThatIsToldTwiceToEndPutsItsPartsBack) {
  MakeTeam(4);
  team_->BeginRun();
  team_->HoldAnswers();
  StartWorkers(1);
  ASSERT_TRUE(Within(seconds(20), [&] { return team_->held() == 2; }));
  for (int i = 0; i < 3; ++i) {
    workers_[0]->Signal(SIGTERM);
    std::this_thread::sleep_for(milliseconds(3));
  }
  EXPECT_EQ(workers_[0]->Wait(), 0);
  EXPECT_EQ(team_->CountOf("waiting"), 4U) << "and none is lost";
  ExpectTheSameOracle();
}

TEST_F(TeamFaults, TwoPublishersMakeOneCommit) {
  MakeTeam(8);
  team_->AnswerAfter(milliseconds(50));
  const auto first = team_->StartPublisher();
  const auto second = team_->StartPublisher();
  EXPECT_EQ(first->Wait(), 0);
  EXPECT_EQ(second->Wait(), 0);
  EXPECT_EQ(team_->Everything(), expected_);
}

TEST_F(TeamFaults, AStoreThatIsUnmountedInTheMiddle) {
  MakeTeam(16);
  const fs::path store = team_->folder() / "mounted/store";
  fs::create_directories(store);
  EXPECT_TRUE(team_->Sibyl({"store", "init", store.string()}).succeeded());
  team_->UseStore(store);
  team_->AnswerAfter(milliseconds(100));
  StartWorkers(2);
  const auto publisher = team_->StartPublisher();
  EXPECT_TRUE(Within(seconds(20), [&] { return team_->requests() > 4; }));
  fs::rename(team_->folder() / "mounted", team_->folder() / "unmounted");
  StartWorkers(1);  // it never sees the store
  EXPECT_EQ(publisher->Wait(), 0);
  ExpectTheSameOracle();
}

// The tables are those of the next release, which lets this one go on.
TEST_F(TeamFaults, AnOlderReleaseBesideANewerOne) {
  MakeTeam(16);
  team_->AnswerAfter(milliseconds(100));
  StartWorkers(2);
  const auto publisher = team_->StartPublisher();
  EXPECT_TRUE(Within(seconds(20), [&] { return team_->requests() > 4; }));
  std::vector<runner::Migration> next(runner::Migrations().begin(), runner::Migrations().end());
  const int version = next.back().version;
  next.push_back({.version = version + 1,
                  .reads = version,
                  .sql = "ALTER TABLE sibyl.job ADD COLUMN region text NOT NULL DEFAULT 'eu'"});
  ASSERT_TRUE(
      runner::PostgresLedger::Open({.address = address_, .oracle = "another", .migrations = next},
                                   runner::kTestClock)
          .ok());
  StartWorkers(1);
  EXPECT_EQ(publisher->Wait(), 0);
  ExpectTheSameOracle();
}

// A worker that was begun with other inputs is not lost for good.
TEST_F(TeamFaults, AWorkerThatWasRefusedTakesPartsOnceItHasTheSameInputs) {
  MakeTeam(4);
  team_->BeginRun();
  const fs::path plan = team_->oracle() / Team::kPlan;
  const std::string text = *ReadFile(plan);
  std::ofstream(plan, std::ios::app) << "      - And what else is in it\n";
  const std::string other = *ReadFile(plan);
  ASSERT_NE(text, other);
  // Every part but the last one has the same fingerprint.
  StartWorkers(1);
  EXPECT_TRUE(Within(seconds(20), [&] { return team_->CountOf("done") == 3; })) << team_->Logs();
  EXPECT_EQ(team_->CountOf("waiting"), 1U);
  std::ofstream(plan) << text;
  EXPECT_TRUE(Within(seconds(20), [&] { return team_->CountOf("done") == 4; })) << team_->Logs();
  workers_[0]->Signal(SIGTERM);
  EXPECT_EQ(workers_[0]->Wait(), 0);
  EXPECT_NE(team_->Logs().find("with other inputs than this worker has"), std::string::npos)
      << team_->Logs();
  ExpectTheSameOracle();
}

}  // namespace
}  // namespace sibyl
