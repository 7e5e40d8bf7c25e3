// SPDX-License-Identifier: Apache-2.0
// Issue 24: a part is released with what was drafted. What a model has answered is kept with
// the part, so that a machine with an empty cache does not ask again.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "ledgers.h"
#include "team.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using runner::Eventually;
using runner::PostgresServer;

class KeptAnswersTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    expected_ = team_.Undisturbed();
    if (GetParam() == std::string("journal")) return;
    const Result<PostgresServer*> server = PostgresServer::Shared();
    if (!server.ok()) GTEST_SKIP() << server.error().message;
    team_.UseLedger((*server)->NewDatabase());
  }

  // A machine with the sources and without an answer of the model.
  void MoveToMachine(const std::string& name) {
    const fs::path cache = team_.folder() / name;
    fs::copy(team_.folder() / "cache", cache, fs::copy_options::recursive);
    fs::remove_all(cache / "sibyl/models");
    team_.environment()["XDG_CACHE_HOME"] = cache.string();
  }

  // A worker that ends while it waits for its third answer; another one writes the part.
  void ExpectThatNothingIsAskedAgain(int signal) {
    ASSERT_GE(team_.usual_requests(), 3);
    team_.BeginRun();  // with one request that is given up
    const int before = team_.requests();
    MoveToMachine("first");
    team_.HoldAfter(2);
    team_.AnswerAfter(std::chrono::milliseconds(1'100));  // each is kept at once
    const auto first = team_.StartWorker();
    EXPECT_TRUE(Eventually([&] { return team_.held() == 1 && team_.requests() == before + 3; }))
        << team_.Logs();
    std::this_thread::sleep_for(std::chrono::seconds(1));  // the second answer is being kept
    first->Signal(signal);
    first->Wait();
    team_.LetGo();
    team_.AnswerAfter({});
    MoveToMachine("second");
    const auto second = team_.StartWorker({"--until-idle"});
    EXPECT_EQ(second->Wait(), 0) << team_.Logs();
    EXPECT_EQ(team_.requests(), before + team_.usual_requests() + 1)
        << "all of a part, and the one that was given up";
    EXPECT_TRUE(team_.Sibyl({"expand", Team::kPlan, "--writer", "llm"}).succeeded());
    EXPECT_EQ(team_.Everything(), expected_);
  }

  Team team_{1};
  std::map<std::string, std::string> expected_;
};

INSTANTIATE_TEST_SUITE_P(Both, KeptAnswersTest, testing::Values("journal", "postgres"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(KeptAnswersTest, OfAWorkerThatIsStopped) { ExpectThatNothingIsAskedAgain(SIGTERM); }

TEST_P(KeptAnswersTest, OfAWorkerThatIsKilled) { ExpectThatNothingIsAskedAgain(SIGKILL); }

}  // namespace
}  // namespace sibyl
