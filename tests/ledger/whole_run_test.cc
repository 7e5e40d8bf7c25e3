// SPDX-License-Identifier: Apache-2.0
// Whole expansions with a ledger in PostgreSQL: several publishers and workers of
// which some are killed. Files, history and git's status must equal those of one
// process with a journal.
#include "expansion/agent_run.h"
#include "expansion/expansion.h"
#include "expansion/ledger/plan_worker.h"
#include "ledgers.h"
#include "tests/crash/planned_oracle.h"

namespace sibyl {
namespace {

using library::FaultyDisk;
using runner::Child;
using runner::PostgresServer;

class WholeRunFaults : public testing::Test {
 protected:
  void SetUp() override {
    const Result<PostgresServer*> server = PostgresServer::Shared();
    if (!server.ok()) GTEST_SKIP() << server.error().message;
    server_ = *server;
  }

  PostgresServer* server_ = nullptr;
};

oracle::Context ContextOf(const TestOracle& oracle, const Clock& clock = library::kTestClock) {
  return {.working_folder = oracle.path(),
          .oracle = oracle.path(),
          .clock = clock,
          .store = Original::Get().store(),
          .state = oracle.state()};
}

// In a process of its own. An empty address is the journal.
void UseLedger(const std::string& address) {
  ::setenv("SIBYL_LEDGER", address.c_str(), 1);    // NOLINT(concurrency-mt-unsafe)
  ::setenv("SOURCE_DATE_EPOCH", "1794733500", 1);  // NOLINT(concurrency-mt-unsafe)
}

int ExitOfExpand(const TestOracle& oracle, const std::string& address,
                 library::Disk* disk = nullptr) {
  UseLedger(address);
  const auto result = expansion::Expand(
      ContextOf(oracle), {.plan = std::string(library::kTestPlanPath), .jobs = 2, .disk = disk});
  if (!result.ok()) std::cerr << result.error().message << "\n";
  return result.ok() ? 0 : 1;
}

int ExitOfWorker(const TestOracle& oracle, const std::string& address) {
  UseLedger(address);
  const auto result = expansion::WorkOnPlans(ContextOf(oracle), {});
  if (!result.ok()) std::cerr << result.error().message << "\n";
  return result.ok() ? 0 : 1;
}

std::map<std::string, std::string> Undisturbed() {
  const Copy oracle;
  EXPECT_EQ(library::InChild([&] { return ExitOfExpand(oracle, ""); }), 0);
  return oracle.Everything();
}

TEST_F(WholeRunFaults, PublishersAndWorkersOfWhichSomeAreKilledMakeTheSameOracle) {
  const auto expected = Undisturbed();
  ASSERT_TRUE(expected.contains("cuda/03-graphs.md"));
  for (int round = 0; round < 6; ++round) {
    const Copy oracle;
    const std::string address = server_->NewDatabase();
    Child first_worker([&] { return ExitOfWorker(oracle, address); });
    Child second_worker([&] { return ExitOfWorker(oracle, address); });
    Child killed([&] { return ExitOfExpand(oracle, address); });
    Child publisher([&] { return ExitOfExpand(oracle, address); });
    std::this_thread::sleep_for(std::chrono::milliseconds(40 + 60 * round));
    first_worker.Kill();
    killed.Kill();
    killed.Wait();
    EXPECT_EQ(publisher.Wait(), 0);
    EXPECT_EQ(library::InChild([&] { return ExitOfExpand(oracle, address); }), 0);
    second_worker.Kill();
    EXPECT_EQ(oracle.Everything(), expected) << "round " << round;
  }
}

TEST_F(WholeRunFaults, APublisherThatIsKilledAtAnyChangeOfTheOracle) {
  const auto expected = Undisturbed();
  bool went_through = false;
  for (int at = 1; !went_through; at += 3) {
    ASSERT_LT(at, 500);
    const Copy oracle;
    const std::string address = server_->NewDatabase();
    const int ended = library::InChild([&] {
      FaultyDisk disk(FaultyDisk::Trouble::kKill, at);
      return ExitOfExpand(oracle, address, &disk);
    });
    went_through = ended == 0;
    ASSERT_EQ(library::InChild([&] { return ExitOfExpand(oracle, address); }), 0) << at;
    ASSERT_EQ(oracle.Everything(), expected) << "killed at change " << at;
  }
}

// A worker an hour behind, one an hour ahead, and a publisher between them.
TEST_F(WholeRunFaults, ClocksTwoHoursApart) {
  const Copy oracle;
  const std::string address = server_->NewDatabase();
  const auto work = [&](std::chrono::hours off) {
    return [&, off] {
      UseLedger(address);
      const FixedClock clock(library::kTestClock.Now() + off);
      return expansion::WorkOnPlans(ContextOf(oracle, clock), {}).ok() ? 0 : 1;
    };
  };
  Child behind(work(std::chrono::hours(-1)));
  Child ahead(work(std::chrono::hours(1)));
  EXPECT_EQ(library::InChild([&] { return ExitOfExpand(oracle, address); }), 0);
  behind.Kill();
  ahead.Kill();
  EXPECT_EQ(oracle.Everything(), Undisturbed());
}

TEST_F(WholeRunFaults, AWorkerInACloneTakesTheParts) {
  const Copy oracle;
  const Copy clone;  // at another path
  const std::string address = server_->NewDatabase();
  const auto written = [&] {
    UseLedger(address);
    const auto run = expansion::AgentRun::Open(ContextOf(oracle), library::kTestPlanPath,
                                               expansion::Joining::kBegin);
    if (!run.ok()) return 100;
    const auto result = expansion::WorkOnPlans(ContextOf(clone), {.until_idle = true});
    return result.ok() ? static_cast<int>(result->report.done) : 101;
  };
  EXPECT_EQ(library::InChild(written), 3);
  EXPECT_EQ(library::InChild([&] { return ExitOfExpand(oracle, address); }), 0);
  EXPECT_EQ(oracle.Everything(), Undisturbed());
}

}  // namespace
}  // namespace sibyl
