// SPDX-License-Identifier: Apache-2.0
// `sibyl launch slurm` on a real cluster of one node, with a ledger in PostgreSQL. Skipped
// where Debian's slurm-wlm or postgresql is not installed.
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "base/strings.h"
#include "slurm_cluster.h"
#include "tests/ledger/postgres_server.h"
#include "tests/ledger/team.h"

namespace sibyl {
namespace {

using runner::PostgresServer;
using std::chrono::milliseconds;

constexpr int kParts = 12;
constexpr const char* kGroup = "sibyl-test";

class Slurm : public testing::Test {
 protected:
  void SetUp() override {
    const Result<PostgresServer*> server = PostgresServer::Shared();
    if (!server.ok()) GTEST_SKIP() << server.error().message;
    Result<std::unique_ptr<SlurmCluster>> cluster = SlurmCluster::Start();
    if (!cluster.ok()) GTEST_SKIP() << cluster.error().message;
    cluster_ = std::move(cluster).value();
    team_ = std::make_unique<Team>(kParts);
    expected_ = team_->Undisturbed();
    for (const auto& [name, value] : cluster_->environment()) team_->environment()[name] = value;
    team_->UseLedger((*server)->NewDatabase());
  }
  void TearDown() override {
    if (HasFailure() && cluster_) std::cerr << cluster_->Logs() << team_->Logs();
  }

  // Also what the program says.
  std::string Launch(std::vector<std::string> more) const {
    more.insert(more.begin(),
                {"launch", "slurm", Team::kPlan, "--set", std::string("program=") + SIBYL_PROGRAM});
    const Outcome outcome = team_->Sibyl(std::move(more));
    EXPECT_TRUE(outcome.succeeded()) << outcome.errors;
    return outcome.output + outcome.errors;
  }
  std::size_t InQueue(std::string_view state, const std::string& name = kGroup) const {
    std::size_t count = 0;
    for (const std::string& job : cluster_->Queue(name)) count += job.ends_with(state) ? 1 : 0;
    return count;
  }
  static bool Within(std::chrono::seconds time, const std::function<bool()>& holds) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (!holds()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(milliseconds(100));
    }
    return true;
  }
  // How parts were left without an outcome, over all of them.
  std::map<std::string, int> Losses() const {
    std::map<std::string, int> losses;
    const Json answer = team_->Answer({"dump", team_->environment().at("SIBYL_LEDGER")});
    const Json& dump = answer.contains("data") ? answer["data"] : answer;
    for (const Json& job : dump["jobs"]) {
      for (const char* kind : {"crashes", "lost", "released", "attempts"}) {
        losses[kind] += job[kind].get<int>();
      }
    }
    return losses;
  }

  std::unique_ptr<SlurmCluster> cluster_;
  std::unique_ptr<Team> team_;
  std::map<std::string, std::string> expected_;
};

TEST_F(Slurm, AnArrayOfWorkersWritesThePartsAndCancelEndsIt) {
  Launch({"--workers", "2", "--stay"});
  const std::string name =
      team_->Answer({"launch", "slurm", Team::kPlan, "--workers", "2", "--dry-run"})["name"];
  ASSERT_TRUE(Within(std::chrono::seconds(20), [&] { return InQueue("RUNNING", name) == 2; }));
  team_->BeginRun();
  ASSERT_TRUE(Within(std::chrono::seconds(60), [&] { return team_->CountOf("done") == kParts; }))
      << team_->Logs();
  const Outcome published = team_->Sibyl({"expand", Team::kPlan, "--writer", "llm"});
  EXPECT_TRUE(published.succeeded()) << published.errors;
  EXPECT_EQ(team_->Everything(), expected_);
  // The plan has moved to completed/; the group is still found.
  Launch({"--cancel"});
  EXPECT_TRUE(Within(std::chrono::seconds(20), [&] { return cluster_->Queue(name).empty(); }));
}

TEST_F(Slurm, AGroupIsScaledUpAndDownAndRunningWorkersStay) {
  Launch({"--workers", "6", "--stay", "--name", kGroup});
  ASSERT_TRUE(Within(std::chrono::seconds(20), [&] { return InQueue("RUNNING") == 4; }));
  EXPECT_EQ(InQueue("PENDING"), 2U) << "there are four processors";
  const std::vector<std::string> before = cluster_->Queue(kGroup);
  Launch({"--workers", "4", "--stay", "--name", kGroup});
  EXPECT_EQ(InQueue("RUNNING"), 4U);
  EXPECT_EQ(InQueue("PENDING"), 0U) << "those that wait are stopped first";
  Launch({"--workers", "1", "--stay", "--name", kGroup});
  // Three are still ending: they are not counted.
  Launch({"--workers", "3", "--stay", "--name", kGroup});
  ASSERT_TRUE(Within(std::chrono::seconds(20), [&] {
    return InQueue("RUNNING") == 3 && cluster_->Queue(kGroup).size() == 3;
  }));
  Launch({"--cancel", "--name", kGroup});
  EXPECT_TRUE(Within(std::chrono::seconds(20), [&] { return cluster_->Queue(kGroup).empty(); }));
}

TEST_F(Slurm, APreemptedWorkerPutsItsPartBackAndIsQueuedAgain) {
  team_->BeginRun();
  team_->HoldAnswers();
  Launch({"--workers", "4", "--name", kGroup});
  ASSERT_TRUE(Within(std::chrono::seconds(20), [&] { return team_->held() == 4; }));
  cluster_->Run("sbatch", {"--partition=urgent", "--array=0-3", "--output=/dev/null",
                           "--job-name=urgent", "--wrap=sleep 100"});
  ASSERT_TRUE(Within(std::chrono::seconds(40), [&] { return InQueue("PENDING") == 4; }))
      << "queued again";
  EXPECT_EQ(team_->CountOf("waiting"), static_cast<std::size_t>(kParts));
  const std::map<std::string, int> losses = Losses();
  EXPECT_EQ(losses.at("crashes"), 0);
  EXPECT_EQ(losses.at("lost"), 0);
  EXPECT_EQ(losses.at("attempts"), 0);
  EXPECT_EQ(losses.at("released"), 5) << "four and the publisher's: preempted is not crashed";
  team_->LetGo();
  cluster_->Run("scancel", {"--name=urgent"});
  ASSERT_TRUE(Within(std::chrono::seconds(20), [&] { return cluster_->Queue("urgent").empty(); }));
  // Slurm waits two minutes before it starts such a job again.
  for (const std::string& job : cluster_->Queue(kGroup)) {
    cluster_->Run("scontrol", {"update", "JobId=" + job.substr(0, job.find(' ')), "StartTime=now"});
  }
  EXPECT_TRUE(Within(std::chrono::seconds(60), [&] { return cluster_->Queue(kGroup).empty(); }))
      << "nothing is left to do";
  EXPECT_EQ(team_->CountOf("done"), static_cast<std::size_t>(kParts));
  EXPECT_TRUE(team_->Sibyl({"expand", Team::kPlan, "--writer", "llm"}).succeeded());
  EXPECT_EQ(team_->Everything(), expected_);
}

}  // namespace
}  // namespace sibyl
