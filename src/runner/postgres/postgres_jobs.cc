// SPDX-License-Identifier: Apache-2.0
// Claims and outcomes in a PostgreSQL ledger. Each operation is one statement or
// one transaction, and begins a repetition by reading what the first try did.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/secret.h"
#include "runner/postgres/postgres_ledger.h"
#include "runner/process_id.h"

namespace sibyl::runner {
namespace {

std::int64_t PlaceNumber(std::size_t place) { return static_cast<std::int64_t>(place); }

// Names a claim, so that a repetition finds it.
Result<std::string> Nonce() {
  constexpr std::size_t kBytes = 12;
  return RandomHex(kBytes);
}

constexpr std::string_view kGranted =
    "state = 'running', token = nextval('sibyl.token'), nonce = $2, holder = $3, heartbeat = 0, "
    "lease_ms = $4::bigint, expires = clock_timestamp() + $4::bigint * interval '1 millisecond', "
    "progress = '', "
    "began = $5, ended = 0, changed = pg_current_xact_id()";

Result<std::optional<Lease>> LeaseOf(const Rows& rows) {
  if (rows.count() == 0) return std::optional<Lease>();
  const int attempts = SIBYL_TRY(SmallNumber(rows.Integer(0, 2)));
  return std::optional<Lease>(Lease{.place = static_cast<std::size_t>(rows.Integer(0, 0)),
                                    .token = rows.Integer(0, 1),
                                    .attempt = attempts + 1,
                                    .is_last = rows.Bool(0, 3),
                                    .run = rows.Integer(0, 4),
                                    .name = rows.Text(0, 5),
                                    .fingerprint = rows.Text(0, 6),
                                    .payload = rows.Bytes(0, 7)});
}

// What an earlier try of the same claim got.
Result<std::optional<Lease>> FindClaim(Connection& connection, std::int64_t run,
                                       const std::string& nonce) {
  return LeaseOf(
      SIBYL_TRY(connection.Run("SELECT place, token, attempts, is_last, run, name, fingerprint, "
                               "payload FROM sibyl.job WHERE run = $1 AND "
                               "nonce = $2 AND state = 'running'",
                               {run, nonce})));
}

}  // namespace

Status NotifyChange(Connection& connection) {
  SIBYL_TRY(connection.Run("SELECT pg_notify('sibyl', '')"));
  return {};
}

Result<std::optional<Lease>> PostgresLedger::Claim(std::int64_t run, const Claimant& claimant) {
  const std::string nonce = SIBYL_TRY(Nonce());
  return session_->Do([&](Connection& connection, Try which) -> Result<std::optional<Lease>> {
    if (which == Try::kAgain) {
      std::optional<Lease> claimed = SIBYL_TRY(FindClaim(connection, run, nonce));
      if (claimed) return claimed;
    }
    std::optional<Lease> lease;
    if (claimant.which != Claiming::kOnlyLast) {
      lease = SIBYL_TRY(ClaimWithinLimits(connection, run, claimant, nonce));
    }
    if (lease || claimant.which == Claiming::kNotLast) return lease;
    return ClaimLast(connection, run, claimant, nonce);
  });
}

// The index still has entries of jobs that were claimed, as long as any transaction of
// the server may see them as waiting (a statistics run, a dump). In a long run, claims
// that began at the first place would read all of them; so they go on from the last one
// of this process, and look from the start every few seconds for jobs that came back.
std::int64_t PostgresLedger::FirstPlace(std::int64_t run) {
  constexpr std::size_t kManyPlaces = 1'000;
  constexpr std::chrono::seconds kUntilFromStart{5};
  Position& position = positions_[run];
  const auto now = std::chrono::steady_clock::now();
  const bool goes_on = position.last > kManyPlaces && now - position.from_start < kUntilFromStart;
  if (goes_on) return PlaceNumber(position.last);
  position.from_start = now;
  return 0;
}

Result<std::optional<Lease>> PostgresLedger::ClaimOther(Connection& connection, std::int64_t run,
                                                        const Claimant& claimant,
                                                        const std::string& nonce) {
  static const std::string first = fmt::format(
      "WITH next AS MATERIALIZED (SELECT run, place FROM sibyl.job WHERE run = $1 AND "
      "state = 'waiting' AND NOT is_last AND place >= $6 AND place <> ALL($7::bigint[]) AND EXISTS "
      "(SELECT 1 FROM sibyl.run WHERE id = $1 AND state = 'open') ORDER BY place LIMIT 1 FOR "
      "UPDATE SKIP LOCKED) "
      "UPDATE sibyl.job AS j SET {} FROM next WHERE j.run = next.run AND j.place = next.place "
      "RETURNING j.place, j.token, j.attempts, j.is_last, j.run, j.name, j.fingerprint, j.payload",
      kGranted);
  static const std::string this_one = fmt::format(
      "UPDATE sibyl.job SET {} WHERE run = $1 AND place = $6 AND state = 'waiting' AND NOT is_last "
      "AND EXISTS (SELECT 1 FROM sibyl.run WHERE id = $1 AND state = 'open') "
      "RETURNING place, token, attempts, is_last, run, name, fingerprint, payload",
      kGranted);
  std::vector<Value> values = {run, nonce, claimant.holder, claimant.lease.count(), Now()};
  if (claimant.place) {
    values.emplace_back(PlaceNumber(*claimant.place));
    return LeaseOf(SIBYL_TRY(connection.Run(this_one, values)));
  }
  const std::int64_t from = FirstPlace(run);
  values.emplace_back(from);
  std::vector<std::int64_t> except;
  for (const std::size_t place : claimant.except) except.push_back(PlaceNumber(place));
  values.push_back(Value::Array(except));
  const auto claimed = SIBYL_TRY(connection.Run(first, values));
  std::optional<Lease> lease = SIBYL_TRY(LeaseOf(claimed));
  if (!lease && from > 0) {
    values[values.size() - 2] = Value(std::int64_t{0});
    const auto again = SIBYL_TRY(connection.Run(first, values));
    lease = SIBYL_TRY(LeaseOf(again));
  }
  if (lease) positions_[run].last = lease->place;
  return lease;
}

// The last job publishes: one run of an oracle at a time. The first lock keeps two
// runs from starting together; the lock on the run keeps jobs from being put back
// between the look at the others and the claim.
Result<std::optional<Lease>> PostgresLedger::ClaimLast(Connection& connection, std::int64_t run,
                                                       const Claimant& claimant,
                                                       const std::string& nonce) {
  constexpr std::string_view kIsFree =
      "SELECT 1 FROM sibyl.run AS r JOIN sibyl.job AS j ON j.run = r.id AND j.place = r.last_place "
      "WHERE r.id = $1 AND r.state = 'open' AND j.state = 'waiting' AND NOT EXISTS (SELECT 1 FROM "
      "sibyl.job WHERE run = $1 AND NOT is_last AND state = 'waiting') AND NOT EXISTS (SELECT 1 "
      "FROM sibyl.job WHERE run = $1 AND NOT is_last AND state = 'running') AND NOT EXISTS (SELECT "
      "1 FROM sibyl.run AS o JOIN sibyl.job AS p ON p.run = o.id AND p.place = o.last_place WHERE "
      "o.oracle = r.oracle AND o.id <> r.id AND o.state = 'open' AND p.state = 'running' AND NOT "
      "(p.expires < clock_timestamp()))";
  static const std::string take = fmt::format(
      "UPDATE sibyl.job SET {} WHERE run = $1 AND is_last AND place = (SELECT last_place FROM "
      "sibyl.run WHERE id = $1) AND state = 'waiting' RETURNING place, token, attempts, is_last, "
      "run, name, fingerprint, payload",
      kGranted);
  if (claimant.place) return std::optional<Lease>();
  if (SIBYL_TRY(connection.Run(kIsFree, {run})).count() == 0) return std::optional<Lease>();
  PostgresTransaction transaction = SIBYL_TRY(PostgresTransaction::Begin(connection));
  SIBYL_TRY(connection.Run(
      "SELECT pg_advisory_xact_lock(8388609, hashtext(oracle)) FROM sibyl.run WHERE id = $1",
      {run}));
  SIBYL_TRY(connection.Run("SELECT 1 FROM sibyl.run WHERE id = $1 FOR UPDATE", {run}));
  if (SIBYL_TRY(connection.Run(kIsFree, {run})).count() == 0) return std::optional<Lease>();
  const Rows rows =
      SIBYL_TRY(connection.Run(take, {run, nonce, claimant.holder, claimant.lease.count(), Now()}));
  std::optional<Lease> lease = SIBYL_TRY(LeaseOf(rows));
  SIBYL_TRY(transaction.Commit());
  return lease;
}

Result<Acceptance> PostgresLedger::Keep(std::int64_t run, const Lease& lease,
                                        std::string_view payload, std::string_view progress) {
  SIBYL_TRY(CheckPayload(payload));
  return session_->Do([&](Connection& connection, Try) -> Result<Acceptance> {
    const Rows rows = SIBYL_TRY(connection.Run(
        "UPDATE sibyl.job SET payload = $4, progress = $5, heartbeat = heartbeat + 1, "
        "expires = clock_timestamp() + lease_ms * interval '1 millisecond', "
        "changed = pg_current_xact_id() WHERE run = $1 AND place = $2 AND token = $3 AND "
        "state = 'running' AND EXISTS (SELECT 1 FROM sibyl.run WHERE id = $1 AND state IN "
        "('open', 'finished'))",
        {run, PlaceNumber(lease.place), lease.token, Value::Bytes(payload), progress}));
    return rows.changed() == 1 ? Acceptance::kAccepted : Acceptance::kRefused;
  });
}

Result<bool> PostgresLedger::HasLast(Connection& connection, std::int64_t run) {
  const auto known = has_last_.find(run);
  if (known != has_last_.end()) return known->second;
  const Rows rows =
      SIBYL_TRY(connection.Run("SELECT last_place >= 0 FROM sibyl.run WHERE id = $1", {run}));
  if (rows.count() == 0) return Superseded();
  return has_last_[run] = rows.Bool(0, 0);
}

// Notifies if somebody may have waited for it: for a job that is free again, or
// for the end of the others. A job that waits is looked for after this one first, since
// jobs before it have been claimed: see FirstPlace.
Result<Acceptance> PostgresLedger::SettleOnce(Connection& connection, std::int64_t run,
                                              const Lease& lease, const Settlement& settlement,
                                              const Counted& counted) {
  constexpr std::string_view kSettle =
      "WITH settled AS (UPDATE sibyl.job SET state = $4, payload = CASE WHEN $4 = 'done' THEN $5 "
      "ELSE payload END, reason = $6, attempts = attempts + $7, losses = losses + $8, "
      "lost = lost + $10, released = released + $11, holder = '', ended = $9, changed = "
      "pg_current_xact_id() WHERE run = $1 AND place = $2 AND token = $3 AND "
      "state = 'running' RETURNING place) "
      "SELECT CASE WHEN $4 = 'waiting' OR (NOT EXISTS (SELECT 1 FROM sibyl.job WHERE run = $1 AND "
      "NOT is_last AND state = 'waiting' AND place > $2) AND NOT EXISTS (SELECT 1 FROM sibyl.job "
      "WHERE run = $1 AND NOT is_last AND state = 'waiting') AND NOT EXISTS (SELECT 1 FROM "
      "sibyl.job WHERE run = $1 AND place <> $2 AND NOT is_last AND state = 'running')) "
      "THEN pg_notify('sibyl', '') END FROM settled";
  const Rows rows = SIBYL_TRY(connection.Run(
      kSettle, {run, PlaceNumber(lease.place), lease.token, JobStateName(settlement.state),
                Value::Bytes(settlement.payload), settlement.reason,
                std::int64_t{settlement.attempts_more}, std::int64_t{counted.crashes}, Now(),
                std::int64_t{counted.lost}, std::int64_t{counted.released}}));
  return rows.count() == 1 ? Acceptance::kAccepted : Acceptance::kRefused;
}

Result<Acceptance> PostgresLedger::Write(std::int64_t run, const Lease& lease,
                                         const Settlement& settlement, const Counted& counted) {
  return session_->Do([&](Connection& connection, Try which) -> Result<Acceptance> {
    if (which == Try::kAgain) {
      // The token is ours alone: if the job has it and our outcome, the first try
      // was committed.
      const Rows rows = SIBYL_TRY(connection.Run(
          "SELECT 1 FROM sibyl.job WHERE run = $1 AND place = $2 AND token = $3 AND state = $4",
          {run, PlaceNumber(lease.place), lease.token, JobStateName(settlement.state)}));
      if (rows.count() == 1) return Acceptance::kAccepted;
    }
    const bool ends_run = lease.is_last || !SIBYL_TRY(HasLast(connection, run));
    if (!ends_run) return SettleOnce(connection, run, lease, settlement, counted);
    PostgresTransaction transaction = SIBYL_TRY(PostgresTransaction::Begin(connection));
    const Acceptance accepted = SIBYL_TRY(SettleOnce(connection, run, lease, settlement, counted));
    if (accepted == Acceptance::kRefused) return accepted;
    SIBYL_TRY(FinishIfOver(connection, run));
    SIBYL_TRY(transaction.Commit());
    return accepted;
  });
}

Result<Acceptance> PostgresLedger::Settle(std::int64_t run, const Lease& lease,
                                          const Settlement& settlement) {
  SIBYL_TRY(CheckPayload(settlement.payload));
  return Write(run, lease, settlement, CountOf(settlement));
}

// In the transaction of the outcome that ends the run. The lock orders the
// numbers of runs that finish, and the look at the other jobs of a run.
Status PostgresLedger::FinishIfOver(Connection& connection, std::int64_t run) {
  SIBYL_TRY(connection.Run("SELECT pg_advisory_xact_lock(8388608, 2)"));
  SIBYL_TRY(connection.Run(
      "UPDATE sibyl.run SET state = 'finished', ended = $2, finish = (SELECT max(finish) + 1 FROM "
      "sibyl.run) WHERE id = $1 AND state = 'open' AND CASE WHEN last_place >= 0 THEN EXISTS "
      "(SELECT 1 FROM sibyl.job WHERE run = $1 AND place = last_place AND state = 'done') ELSE NOT "
      "EXISTS (SELECT 1 FROM sibyl.job WHERE run = $1 AND state NOT IN ('done', 'failed')) END",
      {run, Now()}));
  return NotifyChange(connection);
}

Result<std::vector<std::size_t>> PostgresLedger::Renew(std::int64_t run,
                                                       const std::vector<Renewal>& renewals) {
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> tokens;
  std::vector<std::string> progress;
  for (const Renewal& renewal : renewals) {
    places.push_back(PlaceNumber(renewal.lease.place));
    tokens.push_back(renewal.lease.token);
    progress.push_back(renewal.progress.value_or(""));
  }
  return session_->Do([&](Connection& connection, Try) -> Result<std::vector<std::size_t>> {
    const Rows rows = SIBYL_TRY(connection.Run(
        "UPDATE sibyl.job AS j SET heartbeat = heartbeat + 1, expires = clock_timestamp() + "
        "lease_ms * interval '1 millisecond', progress = CASE WHEN r.progress = '' THEN j.progress "
        "ELSE r.progress END, changed = pg_current_xact_id() FROM unnest($2::bigint[], "
        "$3::bigint[], $4::text[]) AS r(place, token, progress) WHERE j.run = $1 AND "
        "j.place = r.place AND j.token = r.token AND j.state = 'running' RETURNING j.token",
        {run, Value::Array(places), Value::Array(tokens), Value::Array(progress)}));
    std::set<std::int64_t> renewed;  // tokens
    for (std::size_t i = 0; i < rows.count(); ++i) renewed.insert(rows.Integer(i, 0));
    std::vector<std::size_t> lost;
    for (const Renewal& renewal : renewals) {
      if (!renewed.contains(renewal.lease.token)) lost.push_back(renewal.lease.place);
    }
    return lost;
  });
}

Result<Acceptance> PostgresLedger::Expire(std::int64_t run, const Lease& lease, Loss loss,
                                          const MostLosses& most) {
  const bool has_crashed = loss == Loss::kCrashed;
  int count = 0;
  const auto look = [&](Connection& connection, Try) -> Result<bool> {
    // Not one that was renewed meanwhile.
    const Rows rows = SIBYL_TRY(connection.Run(
        "SELECT losses, lost FROM sibyl.job WHERE run = $1 AND place = $2 AND token = $3 AND "
        "state = 'running' AND ($4 = 'crashed' OR expires < clock_timestamp())",
        {run, PlaceNumber(lease.place), lease.token, has_crashed ? "crashed" : "expired"}));
    if (rows.count() == 0) return false;
    count = SIBYL_TRY(SmallNumber(rows.Integer(0, has_crashed ? 0 : 1))) + 1;
    return true;
  };
  if (!SIBYL_TRY(session_->Do(look))) return Acceptance::kRefused;
  std::string reason;
  return Write(run, lease, AfterLoss(loss, count, most, reason), CountOf(loss));
}

Status PostgresLedger::PutBack(std::int64_t run, std::size_t place, std::string_view reason) {
  return session_->Do([&](Connection& connection, Try) -> Status {
    PostgresTransaction transaction = SIBYL_TRY(PostgresTransaction::Begin(connection));
    SIBYL_TRY(connection.Run("SELECT 1 FROM sibyl.run WHERE id = $1 FOR UPDATE", {run}));
    SIBYL_TRY(connection.Run(
        "UPDATE sibyl.job SET state = 'waiting', reason = $3, payload = '', "
        "changed = pg_current_xact_id() WHERE run = $1 AND place = $2 AND state = 'done' AND "
        "NOT is_last",
        {run, PlaceNumber(place), reason}));
    SIBYL_TRY(NotifyChange(connection));
    return transaction.Commit();
  });
}

Status PostgresLedger::CancelWaiting(std::int64_t run, std::string_view reason) {
  return session_->Do([&](Connection& connection, Try) -> Status {
    SIBYL_TRY(connection.Run(
        "UPDATE sibyl.job SET state = 'cancelled', reason = $2, changed = pg_current_xact_id() "
        "WHERE run = $1 AND NOT is_last AND state = 'waiting' AND NOT EXISTS (SELECT 1 FROM "
        "sibyl.job WHERE run = $1 AND state = 'running')",
        {run, reason}));
    return NotifyChange(connection);
  });
}

}  // namespace sibyl::runner
