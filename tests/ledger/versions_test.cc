// SPDX-License-Identifier: Apache-2.0
// Ledgers that older programs left, in tests/ledger/versions: one file per version.
#include <gtest/gtest.h>

#include "base/files/files.h"
#include "ledgers.h"

namespace sibyl::runner {
namespace {

namespace fs = std::filesystem;

class OldLedgers : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const Result<PostgresServer*> server = PostgresServer::Shared();
    if (!server.ok()) GTEST_SKIP() << server.error().message;
    address_ = (*server)->NewDatabase();
    const Result<std::string> sql = ReadFile(fs::path(SIBYL_SOURCE_DIR) / "tests/ledger/versions" /
                                             ("v" + std::to_string(GetParam()) + ".sql"));
    ASSERT_TRUE(sql.ok()) << "no fixture of version " << GetParam();
    Connection connection = std::move(Connection::Open(address_)).value();
    // The settings of our sessions are not those of the fixture.
    const Status made = connection.RunAll("SET search_path TO public, pg_catalog; " + *sql);
    ASSERT_TRUE(made.ok()) << made.error().message;
  }

  std::unique_ptr<PostgresLedger> Open(Access access) {
    auto ledger = PostgresLedger::Open({.address = address_, .oracle = "oracle", .access = access},
                                       kTestClock);
    EXPECT_TRUE(ledger.ok()) << ledger.error().message;
    return ledger.ok() ? std::move(ledger).value() : nullptr;
  }
  std::int64_t Version() {
    Connection connection = std::move(Connection::Open(address_)).value();
    return connection.Run("SELECT version FROM sibyl.ledger")->Integer(0, 0);
  }

  std::string address_;
};

INSTANTIATE_TEST_SUITE_P(Every, OldLedgers, testing::Range(1, Migrations().back().version),
                         [](const auto& each) { return "V" + std::to_string(each.param); });

// `sibyl status` of a new program while all workers are old.
TEST_P(OldLedgers, AreReadWithoutBeingMigrated) {
  const auto ledger = Open(Access::kReadOnly);
  ASSERT_TRUE(ledger);
  const Result<Snapshot> all = ledger->ReadAll();
  ASSERT_TRUE(all.ok()) << all.error().message;
  ASSERT_EQ(all->runs.size(), 2U);
  EXPECT_EQ(all->runs[0].name, "plan");
  EXPECT_EQ(all->runs[0].jobs.at(0).payload, "made");
  EXPECT_EQ(all->runs[0].jobs.at(3).crashes, 2);
  const Result<LedgerCounts> counts = ledger->Counts();
  ASSERT_TRUE(counts.ok()) << counts.error().message;
  EXPECT_EQ(counts->parts.at("waiting"), 2);
  EXPECT_EQ(Version(), GetParam());
}

TEST_P(OldLedgers, AreMigratedAndTheirRunsGoOn) {
  const auto ledger = Open(Access::kReadWrite);
  ASSERT_TRUE(ledger);
  EXPECT_EQ(Version(), Migrations().back().version);
  JobQueue queue = MustBegin(*ledger, SpecOf(4));
  EXPECT_EQ(queue.run(), 2) << "the open run is joined";
  const std::vector<JobRow> rows = *queue.Jobs();
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0].state, JobState::kDone);
  EXPECT_EQ(rows[0].payload, "made");
  EXPECT_EQ(rows[1].attempts, 1);
  EXPECT_EQ(rows[1].reason, "not found");
  EXPECT_EQ(rows[2].payload, "half") << "what its holder kept";
  EXPECT_EQ(rows[3].crashes, 2);
  EXPECT_TRUE(Eventually([&] { return queue.Jobs()->at(2).is_expired.has_value(); }));
  const Lease b = MustClaim(queue);
  EXPECT_EQ(b.place, 1U);
  EXPECT_EQ(b.attempt, 2) << "it has failed once";
  EXPECT_GT(b.token, 17) << "tokens are never used again";
  EXPECT_TRUE(IsAccepted(queue.Complete(b, "B")));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "D")));
  // The holder of the third is on a machine that we cannot see; its token is still good.
  EXPECT_TRUE(IsAccepted(queue.Complete({.place = 2, .token = 17}, "C")));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "published")));
  EXPECT_FALSE(ledger->FindOpen("plan").value());
  EXPECT_EQ(ledger->ReadAll()->runs.size(), 2U);
}

// The release before this one goes on: it knows the migrations up to its own.
TEST_P(OldLedgers, ProgramsOfTheReleaseBeforeGoOnAfterwards) {
  ASSERT_TRUE(Open(Access::kReadWrite));
  const std::span<const Migration> before = Migrations().first(Migrations().size() - 1);
  const auto old = PostgresLedger::Open(
      {.address = address_, .oracle = "oracle", .migrations = before}, kTestClock);
  ASSERT_TRUE(old.ok()) << old.error().message;
  JobQueue queue = MustBegin(**old, SpecOf(4));
  EXPECT_EQ(MustClaim(queue).place, 1U);
}

}  // namespace
}  // namespace sibyl::runner
