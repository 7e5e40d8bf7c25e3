// SPDX-License-Identifier: Apache-2.0
// Begins and ends runs in a PostgreSQL ledger.
#include <algorithm>

#include "base/secret.h"
#include "runner/postgres/postgres_ledger.h"
#include "runner/runner.h"

namespace sibyl::runner {
namespace {

// The runs of one name are begun and ended one after another.
Status LockName(Connection& connection, std::string_view oracle, std::string_view name) {
  SIBYL_TRY(connection.Run("SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))",
                           {oracle, name}));
  return {};
}

// Jobs that a limit cut off may run now, and a failed last job is retried.
// Failed parts stay failed.
Status Reopen(Connection& connection, std::int64_t run) {
  SIBYL_TRY(connection.Run(
      "UPDATE sibyl.job SET state = 'waiting', changed = pg_current_xact_id() WHERE run = $1 AND "
      "state = 'cancelled' AND NOT is_last",
      {run}));
  SIBYL_TRY(connection.Run(
      "UPDATE sibyl.job SET state = 'waiting', attempts = 0, losses = 0, lost = 0, released = 0, "
      "changed = pg_current_xact_id() WHERE run = $1 AND is_last AND state IN ('failed', "
      "'cancelled')",
      {run}));
  return {};
}

Status InsertJobs(Connection& connection, std::int64_t run, const RunSpec& spec) {
  constexpr std::size_t kAtOnce = 5'000;
  for (std::size_t from = 0; from < spec.jobs.size(); from += kAtOnce) {
    const std::size_t to = std::min(from + kAtOnce, spec.jobs.size());
    std::vector<std::string> names;
    std::vector<std::string> fingerprints;
    for (std::size_t i = from; i < to; ++i) {
      names.push_back(spec.jobs[i].name);
      fingerprints.push_back(spec.jobs[i].fingerprint);
    }
    SIBYL_TRY(connection.Run(
        "INSERT INTO sibyl.job(run, place, name, fingerprint, is_last, state) SELECT $1, $2 + n - "
        "1, name, fingerprint, false, 'waiting' FROM unnest($3::text[], $4::text[]) WITH "
        "ORDINALITY AS j(name, fingerprint, n)",
        {run, static_cast<std::int64_t>(from), Value::Array(names), Value::Array(fingerprints)}));
  }
  return {};
}

// A part whose inputs did not change need not be done again because another
// part of the plan was edited.
Status CarryOver(Connection& connection, std::int64_t from, std::int64_t to) {
  SIBYL_TRY(connection.Run(
      "UPDATE sibyl.job AS job SET state = 'done', attempts = old.attempts, payload = old.payload, "
      "progress = old.progress, began = old.began, ended = old.ended FROM sibyl.job AS old WHERE "
      "old.run = $1 AND old.state = 'done' AND NOT old.is_last AND job.run = $2 AND NOT "
      "job.is_last AND job.name = old.name AND job.fingerprint = old.fingerprint",
      {from, to}));
  return {};
}

}  // namespace

struct PostgresLedger::KnownRun {
  std::int64_t id = 0;
  Standing standing = Standing::kOpen;
};

// The run of this name and fingerprint that is open, or that was finished after
// we opened the ledger: the one that we would have joined a moment ago. With
// kJoin, the newest such run of this name.
Result<std::optional<PostgresLedger::KnownRun>> PostgresLedger::FindJoinable(Connection& connection,
                                                                             const RunSpec& spec,
                                                                             Existing existing) {
  if (existing == Existing::kRestart) return std::optional<KnownRun>();
  const Rows rows = SIBYL_TRY(connection.Run(
      "SELECT id, state = 'finished', fingerprint FROM sibyl.run WHERE oracle = $1 AND name = $2 "
      "AND (state = 'open' OR (state = 'finished' AND finish > $3)) ORDER BY id DESC",
      {options_.oracle, spec.name, finished_before_}));
  const auto known_at = [&](std::size_t row) {
    return KnownRun{.id = rows.Integer(row, 0),
                    .standing = rows.Bool(row, 1) ? Standing::kFinished : Standing::kOpen};
  };
  for (std::size_t i = 0; i < rows.count(); ++i) {
    if (rows.Text(i, 2) != spec.fingerprint) continue;
    const KnownRun known = known_at(i);
    if (HasSameJobs(SIBYL_TRY(ReadJobs(connection, known.id)), spec,
                    Compared::kNamesAndFingerprints)) {
      return std::optional<KnownRun>(known);
    }
    break;
  }
  if (existing != Existing::kJoin || rows.count() == 0) return std::optional<KnownRun>();
  KnownRun named = known_at(0);
  const std::vector<JobRow> jobs = SIBYL_TRY(ReadJobs(connection, named.id));
  if (HasSameJobs(jobs, spec, Compared::kNames)) return std::optional<KnownRun>(named);
  if (named.standing != Standing::kFinished && !IsInLastJob(jobs)) {
    return std::optional<KnownRun>();
  }
  named.standing = Standing::kOverWithOtherJobs;
  return std::optional<KnownRun>(named);
}

Result<std::int64_t> PostgresLedger::MakeRun(Connection& connection, const RunSpec& spec,
                                             const std::string& nonce) {
  const auto last = spec.last ? static_cast<std::int64_t>(spec.jobs.size()) : std::int64_t{-1};
  const Rows rows = SIBYL_TRY(connection.Run(
      "INSERT INTO sibyl.run(oracle, name, fingerprint, nonce, state, last_place, finish, began, "
      "ended) VALUES($1, $2, $3, $4, 'open', $5, 0, $6, 0) RETURNING id",
      {options_.oracle, spec.name, spec.fingerprint, nonce, last, Now()}));
  const std::int64_t run = rows.Integer(0, 0);
  SIBYL_TRY(InsertJobs(connection, run, spec));
  if (spec.last) {
    SIBYL_TRY(connection.Run(
        "INSERT INTO sibyl.job(run, place, name, fingerprint, is_last, state) VALUES($1, $2, $3, "
        "$4, true, 'waiting')",
        {run, last, spec.last->name, spec.fingerprint}));
  }
  return run;
}

// As in the journal: of finished runs, only the payloads of the newest are
// needed, and the first lines of others.
Status PostgresLedger::Prune(Connection& connection) {
  const std::vector<Value> oracle = {options_.oracle};
  SIBYL_TRY(connection.Run(
      "UPDATE sibyl.job SET payload = CASE WHEN state = 'done' AND NOT is_last THEN "
      "substring(payload from 1 for position('\\x0a'::bytea in payload)) ELSE '' END WHERE "
      "position('\\x0a'::bytea in payload) < length(payload) AND run IN (SELECT id FROM sibyl.run "
      "WHERE oracle = $1 AND state <> 'open' ORDER BY id DESC OFFSET 2)",
      oracle));
  SIBYL_TRY(connection.Run(
      "WITH old AS (DELETE FROM sibyl.run WHERE id IN (SELECT id FROM sibyl.run WHERE oracle = $1 "
      "AND state <> 'open' ORDER BY id DESC OFFSET 20) RETURNING id), spent AS (DELETE FROM "
      "sibyl.spending WHERE run IN (SELECT id FROM old)) DELETE FROM sibyl.job WHERE run IN "
      "(SELECT id FROM old)",
      oracle));
  return {};
}

Result<BegunRun> PostgresLedger::BeginOnce(Connection& connection, const RunSpec& spec,
                                           Existing existing, const std::string& nonce) {
  PostgresTransaction transaction = SIBYL_TRY(PostgresTransaction::Begin(connection));
  SIBYL_TRY(LockName(connection, options_.oracle, spec.name));
  if (const auto known = SIBYL_TRY(FindJoinable(connection, spec, existing))) {
    if (known->standing == Standing::kOpen) {
      SIBYL_TRY(Reopen(connection, known->id));
      SIBYL_TRY(SetLimits(connection, known->id, spec.limits));
    }
    SIBYL_TRY(transaction.Commit());
    return BegunRun{.run = known->id, .was_resumed = true, .standing = known->standing};
  }
  const Rows replaced = SIBYL_TRY(connection.Run(
      "UPDATE sibyl.run SET state = 'superseded', ended = $3 WHERE oracle = $1 AND name = $2 AND "
      "state = 'open' RETURNING id",
      {options_.oracle, spec.name, Now()}));
  const std::int64_t run = SIBYL_TRY(MakeRun(connection, spec, nonce));
  if (existing != Existing::kRestart && replaced.count() > 0) {
    SIBYL_TRY(CarryOver(connection, replaced.Integer(0, 0), run));
  }
  SIBYL_TRY(SetLimits(connection, run, spec.limits));
  SIBYL_TRY(Prune(connection));
  SIBYL_TRY(FinishIfOver(connection, run));  // everything may have been carried over
  SIBYL_TRY(transaction.Commit());
  return BegunRun{.run = run};
}

Result<BegunRun> PostgresLedger::Begin(const RunSpec& spec, Existing existing) {
  constexpr std::size_t kNonceBytes = 12;
  SIBYL_TRY(CheckSpec(spec));
  const std::string nonce = SIBYL_TRY(RandomHex(kNonceBytes));
  return session_->Do([&](Connection& connection, Try which) -> Result<BegunRun> {
    if (which == Try::kAgain) {
      const Rows rows =
          SIBYL_TRY(connection.Run("SELECT id FROM sibyl.run WHERE nonce = $1", {nonce}));
      if (rows.count() > 0) return BegunRun{.run = rows.Integer(0, 0)};
    }
    return BeginOnce(connection, spec, existing, nonce);
  });
}

Status PostgresLedger::FinishRun(std::string_view name, std::string_view payload) {
  return session_->Do([&](Connection& connection, Try) -> Status {
    PostgresTransaction transaction = SIBYL_TRY(PostgresTransaction::Begin(connection));
    SIBYL_TRY(LockName(connection, options_.oracle, name));
    SIBYL_TRY(connection.Run("SELECT pg_advisory_xact_lock(8388608, 2)"));
    SIBYL_TRY(connection.Run(
        "UPDATE sibyl.job SET state = 'done', payload = $3, reason = '', holder = '', ended = $4, "
        "changed = pg_current_xact_id() WHERE is_last AND run IN (SELECT id FROM sibyl.run WHERE "
        "oracle = $1 AND name = $2 AND state = 'open')",
        {options_.oracle, name, Value::Bytes(payload), Now()}));
    SIBYL_TRY(connection.Run(
        "UPDATE sibyl.run SET state = 'finished', ended = $3, finish = (SELECT max(finish) + 1 "
        "FROM sibyl.run) WHERE oracle = $1 AND name = $2 AND state = 'open'",
        {options_.oracle, name, Now()}));
    SIBYL_TRY(NotifyChange(connection));
    return transaction.Commit();
  });
}

}  // namespace sibyl::runner
