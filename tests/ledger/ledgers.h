// SPDX-License-Identifier: Apache-2.0
// For tests: ledgers of either kind, and runs of small jobs.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/files/temporary_folder.h"
#include "postgres_server.h"
#include "runner/job_queue.h"
#include "runner/postgres/postgres_ledger.h"
#include "runner/snapshot.h"
#include "runner/test_runs.h"

namespace sibyl::runner {

/// One ledger, which several participants open: "journal" or "postgres".
class LedgerTest : public testing::TestWithParam<const char*> {
 protected:
  bool is_postgres() const { return std::string(GetParam()) == "postgres"; }

  void SetUp() override {
    if (!is_postgres()) return;
    const Result<PostgresServer*> server = PostgresServer::Shared();
    if (!server.ok()) GTEST_SKIP() << server.error().message;
    address_ = (*server)->NewDatabase();
    ASSERT_FALSE(address_.empty());
  }

  std::unique_ptr<Ledger> Open(const Clock& clock = kTestClock) {
    if (!is_postgres()) return std::make_unique<Journal>(OpenJournal(folder_.path(), clock));
    auto ledger = PostgresLedger::Open({.address = address_, .oracle = "oracle"}, clock);
    EXPECT_TRUE(ledger.ok()) << ledger.error().message;
    return ledger.ok() ? std::move(ledger).value() : nullptr;
  }

  TemporaryFolder folder_;
  std::string address_;
};

/// "a", "b", …, and a last job.
inline RunSpec SpecOf(int jobs, std::string fingerprint = "1") {
  RunSpec spec{.name = "plan", .fingerprint = std::move(fingerprint)};
  for (int i = 0; i < jobs; ++i)
    spec.jobs.push_back(Quick(std::string(1, static_cast<char>('a' + i))));
  spec.last =
      LastJob{.name = "publish", .work = [](JobContext&, const auto&) -> Result<std::string> {
                return std::string("published");
              }};
  return spec;
}

constexpr std::chrono::milliseconds kLongLease{600'000};

/// A claim that must be granted.
inline Lease MustClaim(JobQueue& queue, Claiming which = Claiming::kAny) {
  const Result<std::optional<Lease>> lease = queue.Claim(which, kLongLease);
  EXPECT_TRUE(lease.ok()) << lease.error().message;
  EXPECT_TRUE(lease.ok() && *lease) << "nothing can be claimed";
  return lease.ok() && *lease ? **lease : Lease{};
}

inline bool MayClaim(JobQueue& queue, Claiming which = Claiming::kAny) {
  const Result<std::optional<Lease>> lease = queue.Claim(which, kLongLease);
  EXPECT_TRUE(lease.ok()) << lease.error().message;
  return lease.ok() && lease->has_value();
}

inline bool IsAccepted(const Result<Acceptance>& accepted) {
  EXPECT_TRUE(accepted.ok()) << accepted.error().message;
  return accepted.ok() && *accepted == Acceptance::kAccepted;
}

inline JobQueue MustBegin(Ledger& ledger, const RunSpec& spec,
                          Existing existing = Existing::kResume) {
  Result<JobQueue> queue = JobQueue::Begin(ledger, spec, existing);
  EXPECT_TRUE(queue.ok()) << queue.error().message;
  return *queue;
}

}  // namespace sibyl::runner
