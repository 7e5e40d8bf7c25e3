// SPDX-License-Identifier: Apache-2.0
// Opening a PostgreSQL ledger and reading from it.
#include "runner/postgres/postgres_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/numbers.h"
#include "base/secret.h"
#include "runner/postgres/address.h"
#include "runner/process_id.h"
#include "runner/runner.h"
#include "runner/snapshot.h"

namespace sibyl::runner {
namespace {

// After a restart of the server no holder could renew its lease: each has its
// full length again.
#define SIBYL_IS_EXPIRED                                                                  \
  "(expires < clock_timestamp() AND pg_postmaster_start_time() + lease_ms * interval '1 " \
  "millisecond' < clock_timestamp())"
#define SIBYL_FIRST_JOB_COLUMNS                                                            \
  "place, name, fingerprint, is_last, state, attempts, losses, token, holder, heartbeat, " \
  "lease_ms, state = 'running' AND " SIBYL_IS_EXPIRED ", progress, reason, began, ended, "
#define SIBYL_JOB_COLUMNS SIBYL_FIRST_JOB_COLUMNS "lost, released"

Result<JobRow> ReadRow(const Rows& rows, std::size_t at) {
  const std::optional<JobState> state = ParseJobState(rows.Text(at, 4));
  if (!state) {
    return Error{
        .kind = ErrorKind::kCorrupt,
        .message = fmt::format("the ledger: a job has the unknown state '{}'", rows.Text(at, 4))};
  }
  JobRow row;
  row.place = static_cast<std::size_t>(rows.Integer(at, 0));
  row.name = rows.Text(at, 1);
  row.fingerprint = rows.Text(at, 2);
  row.is_last = rows.Bool(at, 3);
  row.state = *state;
  row.attempts = SIBYL_TRY(SmallNumber(rows.Integer(at, 5)));
  row.crashes = SIBYL_TRY(SmallNumber(rows.Integer(at, 6)));
  row.token = rows.Integer(at, 7);
  row.holder = rows.Text(at, 8);
  row.heartbeat = rows.Integer(at, 9);
  row.lease = std::chrono::milliseconds(SIBYL_TRY(SmallNumber(rows.Integer(at, 10))));
  row.is_expired = rows.Bool(at, 11);
  row.progress = rows.Text(at, 12);
  row.reason = rows.Text(at, 13);
  row.began = rows.Integer(at, 14);
  row.ended = rows.Integer(at, 15);
  row.lost = SIBYL_TRY(SmallNumber(rows.Integer(at, 16)));
  row.released = SIBYL_TRY(SmallNumber(rows.Integer(at, 17)));
  return row;
}

Status CheckRun(Connection& connection, std::int64_t run) {
  const Rows rows = SIBYL_TRY(connection.Run("SELECT state FROM sibyl.run WHERE id = $1", {run}));
  const bool is_known = rows.count() == 1;
  if (!is_known || (rows.Text(0, 0) != "open" && rows.Text(0, 0) != "finished")) {
    return Superseded();
  }
  return {};
}

std::string ShortOracle(const std::string& oracle) {
  constexpr std::size_t kDigits = 12;
  return oracle.substr(0, kDigits);
}

// The participant and the digits of its oracle; process 0 if the name is not ours.
std::pair<Participant, std::string> ReadApplicationName(std::string_view name) {
  std::array<std::string_view, 5> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool is_last = i + 1 == fields.size();
    const std::size_t end = is_last ? name.size() : name.find('/');
    if (end == std::string_view::npos) return {};
    fields.at(i) = name.substr(0, end);
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  Participant participant{.role = std::string(fields[1]),
                          .host = std::string(fields[4]),
                          .process = ParseNumber<std::int64_t>(fields[2]).value_or(0)};
  return {std::move(participant), std::string(fields[3])};
}

}  // namespace

// The oracle's first digits are enough to tell oracles apart, and leave room for the
// host in the 63 bytes that the server keeps.
std::string ApplicationName(const PostgresOptions& options) {
  constexpr std::size_t kMostBytes = 63;
  if (options.role.empty()) return {};
  const ProcessId process = ThisProcess();
  return fmt::format("sibyl/{}/{}/{}/{}", options.role, process.number, ShortOracle(options.oracle),
                     process.host)
      .substr(0, kMostBytes);
}

PostgresLedger::PostgresLedger(const PostgresOptions& options, const Clock& clock)
    : options_(options),
      clock_(&clock),
      pool_(SessionPool::For(options.address, ApplicationName(options), options.patience)),
      session_(pool_.Take()) {}

PostgresLedger::~PostgresLedger() { pool_.Return(std::move(session_)); }

Result<std::unique_ptr<PostgresLedger>> PostgresLedger::Open(const PostgresOptions& options,
                                                             const Clock& clock) {
  SIBYL_TRY(CheckAddress(options.address));
  std::unique_ptr<PostgresLedger> ledger(new PostgresLedger(options, clock));
  const auto open = [&](Connection& connection, Try /*which*/) -> Status {
    const SchemaInfo info = SIBYL_TRY(OpenSchema(connection, options.migrations, options.access));
    ledger->secret_ = info.secret;
    ledger->version_ = info.version;
    const Rows rows = SIBYL_TRY(connection.Run(
        "SELECT coalesce(max(finish), 0) FROM sibyl.run WHERE oracle = $1", {options.oracle}));
    ledger->finished_before_ = rows.Integer(0, 0);
    return {};
  };
  SIBYL_TRY(ledger->session_->Do(open));
  return ledger;
}

Result<std::unique_ptr<Ledger>> PostgresLedger::Another() const {
  PostgresOptions options = options_;
  options.role.clear();
  return std::unique_ptr<Ledger>(SIBYL_TRY(Open(options, *clock_)));
}

std::string PostgresLedger::SignLease(std::string_view lease) const {
  return KeyedHash(secret_, fmt::format("lease {} {}", options_.oracle, lease));
}

Result<std::vector<JobRow>> PostgresLedger::ReadJobs(Connection& connection, std::int64_t run) {
  constexpr int kPayload = 18;
  constexpr std::string_view kSelect =
      "SELECT " SIBYL_JOB_COLUMNS ", payload FROM sibyl.job WHERE run = $1 ORDER BY place";
  // Who only reads does not migrate the tables of version 1.
  constexpr std::string_view kSelectFirst =
      "SELECT " SIBYL_FIRST_JOB_COLUMNS
      "0, 0, payload FROM sibyl.job WHERE run = $1 ORDER BY place";
  const Rows rows = SIBYL_TRY(connection.Run(version_ < 2 ? kSelectFirst : kSelect, {run}));
  std::vector<JobRow> jobs;
  jobs.reserve(rows.count());
  for (std::size_t i = 0; i < rows.count(); ++i) {
    jobs.push_back(SIBYL_TRY(ReadRow(rows, i)));
    jobs.back().payload = rows.Bytes(i, kPayload);
  }
  return jobs;
}

Result<std::vector<JobRow>> PostgresLedger::Jobs(std::int64_t run) {
  return session_->Do([&](Connection& connection, Try) -> Result<std::vector<JobRow>> {
    SIBYL_TRY(CheckRun(connection, run));
    return ReadJobs(connection, run);
  });
}

// The mark is the oldest transaction that was still open at the last look:
// whatever has changed since has that number or a later one.
Result<std::vector<JobRow>> PostgresLedger::Changes(std::int64_t run, std::string& mark) {
  constexpr int kMark = 18;
  return session_->Do([&](Connection& connection, Try) -> Result<std::vector<JobRow>> {
    SIBYL_TRY(CheckRun(connection, run));
    const Rows rows = SIBYL_TRY(connection.Run(
        "SELECT " SIBYL_JOB_COLUMNS
        ", pg_snapshot_xmin(pg_current_snapshot()) FROM sibyl.job WHERE run = $1 AND "
        "(changed >= $2::text::xid8 OR state = 'running') ORDER BY place",
        {run, mark.empty() ? "0" : mark}));
    std::vector<JobRow> jobs;
    for (std::size_t i = 0; i < rows.count(); ++i) jobs.push_back(SIBYL_TRY(ReadRow(rows, i)));
    if (rows.count() > 0) mark = rows.Text(0, kMark);
    return jobs;
  });
}

Result<std::vector<JobRow>> PostgresLedger::Running(std::int64_t run) {
  return session_->Do([&](Connection& connection, Try) -> Result<std::vector<JobRow>> {
    const Rows rows =
        SIBYL_TRY(connection.Run("SELECT " SIBYL_JOB_COLUMNS " FROM sibyl.job WHERE run = $1 AND "
                                 "state = 'running' ORDER BY place",
                                 {run}));
    std::vector<JobRow> jobs;
    for (std::size_t i = 0; i < rows.count(); ++i) jobs.push_back(SIBYL_TRY(ReadRow(rows, i)));
    return jobs;
  });
}

Result<std::vector<RunInfo>> PostgresLedger::OpenRuns() {
  return session_->Do([&](Connection& connection, Try) -> Result<std::vector<RunInfo>> {
    const Rows rows = SIBYL_TRY(connection.Run(
        "SELECT id, name, EXISTS (SELECT 1 FROM sibyl.job WHERE run = id AND NOT is_last AND "
        "state = 'waiting'), (SELECT count(*) FROM sibyl.job WHERE run = id AND NOT is_last AND "
        "state = 'running') FROM sibyl.run WHERE oracle = $1 AND state = 'open' ORDER BY id",
        {options_.oracle}));
    std::vector<RunInfo> runs;
    for (std::size_t i = 0; i < rows.count(); ++i) {
      runs.push_back({.id = rows.Integer(i, 0),
                      .name = rows.Text(i, 1),
                      .has_waiting = rows.Bool(i, 2),
                      .running = static_cast<std::size_t>(rows.Integer(i, 3))});
    }
    return runs;
  });
}

Result<std::optional<std::int64_t>> PostgresLedger::FindOpen(std::string_view name) {
  return session_->Do([&](Connection& connection, Try) -> Result<std::optional<std::int64_t>> {
    const Rows rows =
        SIBYL_TRY(connection.Run("SELECT id FROM sibyl.run WHERE oracle = $1 AND name = $2 AND "
                                 "state = 'open'",
                                 {options_.oracle, name}));
    if (rows.count() == 0) return std::optional<std::int64_t>();
    return std::optional<std::int64_t>(rows.Integer(0, 0));
  });
}

Result<std::string> PostgresLedger::OpenName(std::int64_t run) {
  return session_->Do([&](Connection& connection, Try) -> Result<std::string> {
    const Rows rows = SIBYL_TRY(connection.Run(
        "SELECT name FROM sibyl.run WHERE id = $1 AND oracle = $2 AND state = 'open'",
        {run, options_.oracle}));
    if (rows.count() == 0) return Superseded();
    return rows.Text(0, 0);
  });
}

// The sessions that are connected: nobody has to sign off, and what was killed is not
// listed.
Result<std::vector<Participant>> PostgresLedger::ReadParticipants(Connection& connection) {
  const Rows rows = SIBYL_TRY(connection.Run(
      "SELECT application_name, min(extract(epoch FROM backend_start))::bigint FROM "
      "pg_catalog.pg_stat_activity WHERE datname = current_database() AND application_name LIKE "
      "'sibyl/%' GROUP BY 1 ORDER BY 1"));
  std::vector<Participant> participants;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const auto [participant, oracle] = ReadApplicationName(rows.Text(i, 0));
    if (participant.process == 0) continue;
    if (!options_.oracle.empty() && oracle != ShortOracle(options_.oracle)) continue;
    participants.push_back(participant);
    participants.back().since = rows.Integer(i, 1);
  }
  return participants;
}

Result<LedgerCounts> PostgresLedger::Counts() {
  return session_->Do([&](Connection& connection, Try) -> Result<LedgerCounts> {
    LedgerCounts counts;
    const Rows parts = SIBYL_TRY(connection.Run(
        "SELECT CASE WHEN state = 'running' AND " SIBYL_IS_EXPIRED
        " THEN 'lost' ELSE state END, count(*) FROM sibyl.job WHERE NOT is_last AND run IN (SELECT "
        "id FROM sibyl.run WHERE oracle = $1 AND state = 'open') GROUP BY 1",
        {options_.oracle}));
    for (std::size_t i = 0; i < parts.count(); ++i) {
      counts.parts[parts.Text(i, 0)] = parts.Integer(i, 1);
    }
    const Rows runs = SIBYL_TRY(connection.Run(
        "SELECT count(DISTINCT r.id), coalesce(sum(s.tokens), 0)::bigint, "
        "coalesce(sum(s.money_millionths), 0)::bigint FROM sibyl.run AS r LEFT JOIN sibyl.spending "
        "AS s ON s.run = r.id WHERE r.oracle = $1 AND r.state = 'open'",
        {options_.oracle}));
    counts.open_runs = runs.Integer(0, 0);
    counts.spent = {.tokens = runs.Integer(0, 1), .money_millionths = runs.Integer(0, 2)};
    counts.participants = SIBYL_TRY(ReadParticipants(connection));
    return counts;
  });
}

Result<Snapshot> PostgresLedger::ReadAll() {
  return session_->Do([&](Connection& connection, Try) -> Result<Snapshot> {
    const Rows rows = SIBYL_TRY(connection.Run(
        "SELECT id, name, fingerprint, state, began, ended, oracle FROM sibyl.run WHERE "
        "$1 IN ('', oracle) ORDER BY id DESC",
        {options_.oracle}));
    Snapshot snapshot;
    snapshot.participants = SIBYL_TRY(ReadParticipants(connection));
    for (std::size_t i = 0; i < rows.count(); ++i) {
      constexpr std::size_t kShownDigits = 8;
      const std::string from =
          options_.oracle.empty() ? rows.Text(i, 6).substr(0, kShownDigits) + ":" : "";
      const RunState state = SIBYL_TRY(ParseRunState(rows.Text(i, 3)));
      RunSnapshot run{.id = rows.Integer(i, 0),
                      .name = from + rows.Text(i, 1),
                      .fingerprint = rows.Text(i, 2),
                      .state = state,
                      .began = rows.Integer(i, 4),
                      .ended = rows.Integer(i, 5)};
      for (JobRow& row : SIBYL_TRY(ReadJobs(connection, run.id))) {
        run.jobs.push_back(SnapshotOf(std::move(row)));
      }
      if (state == RunState::kOpen) run.throttle = SIBYL_TRY(ReadThrottle(connection, run.id, 1));
      snapshot.runs.push_back(std::move(run));
    }
    return snapshot;
  });
}

}  // namespace sibyl::runner
