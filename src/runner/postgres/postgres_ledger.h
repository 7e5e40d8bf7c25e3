// SPDX-License-Identifier: Apache-2.0
// The ledger of many machines: a PostgreSQL database that several oracles may
// share. Leases are measured by the database's clock, claims skip rows that
// others are claiming, and changes are notified. An operation whose connection
// is lost in the middle is neither lost nor done twice: see Session::Do.
// docs/formats/ledger.md describes the tables.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "runner/database.h"
#include "runner/ledger.h"
#include "runner/postgres/schema.h"
#include "runner/postgres/session.h"
#include "runner/snapshot.h"

namespace sibyl::runner {

struct PostgresOptions {
  std::string address;  ///< As libpq reads it; without a password.
  /// Which oracle's runs these are, on every machine. Empty: all, for reading.
  std::string oracle;
  /// What this process does with it, for those who ask who works: "worker", "expand".
  /// Empty: it is not listed.
  std::string role = {};
  /// For how long a lost connection is tried again.
  std::chrono::milliseconds patience{30'000};
  std::span<const Migration> migrations = Migrations();
  Access access = Access::kReadWrite;
};

/// The name of its sessions in the server, from which Participants are read:
/// "sibyl/worker/PROCESS/ORACLE/HOST". Empty without a role.
std::string ApplicationName(const PostgresOptions& options);

class PostgresLedger : public Ledger {
 public:
  /// `clock` is borrowed; it is used only for times shown to people.
  static Result<std::unique_ptr<PostgresLedger>> Open(const PostgresOptions& options,
                                                      const Clock& clock);
  PostgresLedger(const PostgresLedger&) = delete;
  PostgresLedger& operator=(const PostgresLedger&) = delete;
  ~PostgresLedger() override;

  std::string place() const override { return session_->shown(); }
  std::string SignLease(std::string_view lease) const override;
  Result<BegunRun> Begin(const RunSpec& spec, Existing existing) override;
  Result<std::optional<std::int64_t>> FindOpen(std::string_view name) override;
  Result<std::string> OpenName(std::int64_t run) override;
  Status FinishRun(std::string_view name, std::string_view payload) override;
  Result<std::vector<JobRow>> Jobs(std::int64_t run) override;
  Result<std::vector<JobRow>> Changes(std::int64_t run, std::string& mark) override;
  Result<std::vector<RunInfo>> OpenRuns() override;
  Result<std::vector<JobRow>> Running(std::int64_t run) override;
  Result<std::optional<Lease>> Claim(std::int64_t run, const Claimant& claimant) override;
  Result<Acceptance> Keep(std::int64_t run, const Lease& lease, std::string_view payload,
                          std::string_view progress) override;
  Result<Acceptance> Settle(std::int64_t run, const Lease& lease,
                            const Settlement& settlement) override;
  Result<std::vector<std::size_t>> Renew(std::int64_t run,
                                         const std::vector<Renewal>& renewals) override;
  Result<Acceptance> Expire(std::int64_t run, const Lease& lease, Loss loss,
                            const MostLosses& most) override;
  Status PutBack(std::int64_t run, std::size_t place, std::string_view reason) override;
  Status CancelWaiting(std::int64_t run, std::string_view reason) override;
  /// With a session of its own that is not listed.
  Result<std::unique_ptr<Ledger>> Another() const override;
  bool holds_limits() const override { return true; }
  Result<Allowance> Reserve(std::int64_t run, const std::string& name,
                            const Spending& most) override;
  Result<std::optional<Throttle>> ThrottleOf(std::int64_t run, std::int64_t tokens) override;
  Status Spend(const std::string& name, const Spending& spent) override;
  Result<Snapshot> ReadAll() override;
  /// Of the open runs, without reading their jobs.
  Result<LedgerCounts> Counts();
  std::unique_ptr<ChangeWatch> Watch(std::function<void()> changed) override;

  /// For tests: how often a connection was lost.
  int losses() const { return session_->losses(); }

 private:
  struct KnownRun;
  PostgresLedger(const PostgresOptions& options, const Clock& clock);
  std::int64_t Now() const { return clock_->Now().time_since_epoch().count(); }

  Result<std::vector<JobRow>> ReadJobs(Connection& connection, std::int64_t run);
  Result<BegunRun> BeginOnce(Connection& connection, const RunSpec& spec, Existing existing,
                             const std::string& nonce);
  Result<std::optional<KnownRun>> FindJoinable(Connection& connection, const RunSpec& spec,
                                               Existing existing);
  Result<std::int64_t> MakeRun(Connection& connection, const RunSpec& spec,
                               const std::string& nonce);
  Status Prune(Connection& connection);
  Result<std::optional<Lease>> ClaimWithinLimits(Connection& connection, std::int64_t run,
                                                 const Claimant& claimant,
                                                 const std::string& nonce);
  Result<std::optional<Lease>> ClaimOther(Connection& connection, std::int64_t run,
                                          const Claimant& claimant, const std::string& nonce);
  std::int64_t FirstPlace(std::int64_t run);
  Result<std::optional<Lease>> ClaimLast(Connection& connection, std::int64_t run,
                                         const Claimant& claimant, const std::string& nonce);
  Result<Acceptance> SettleOnce(Connection& connection, std::int64_t run, const Lease& lease,
                                const Settlement& settlement, const Counted& counted);
  Result<Acceptance> Write(std::int64_t run, const Lease& lease, const Settlement& settlement,
                           const Counted& counted);
  Status FinishIfOver(Connection& connection, std::int64_t run);
  Result<std::vector<Participant>> ReadParticipants(Connection& connection);
  Result<bool> HasLast(Connection& connection, std::int64_t run);
  Result<bool> IsLimited(Connection& connection, std::int64_t run);
  static Result<std::optional<Throttle>> ReadThrottle(Connection& connection, std::int64_t run,
                                                      std::int64_t tokens);
  Status SetLimits(Connection& connection, std::int64_t run, const RunLimits& limits);

  PostgresOptions options_;
  const Clock* clock_;
  SessionPool& pool_;
  std::unique_ptr<Session> session_;
  std::string secret_;
  int version_ = 0;  // of the tables
  std::int64_t finished_before_ = 0;
  std::map<std::int64_t, bool> has_last_;  // of runs
  struct Limited {
    bool is_limited = false;
    std::chrono::steady_clock::time_point read;
  };
  struct Position {
    std::size_t last = 0;  ///< That was claimed.
    std::chrono::steady_clock::time_point from_start;
  };
  std::map<std::int64_t, Position> positions_;  // by run
  std::map<std::int64_t, Limited> limited_;     // by run, read again now and then
};

/// Tells all that wait for changes; they are told when the transaction commits.
Status NotifyChange(Connection& connection);

}  // namespace sibyl::runner
