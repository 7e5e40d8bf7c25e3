// SPDX-License-Identifier: Apache-2.0
// The journal's operations on jobs, one transaction each.
#include <fmt/format.h>

#include <utility>

#include "runner/journal.h"
#include "runner/process_id.h"
#include "runner/snapshot.h"

namespace sibyl::runner {
namespace {

std::int64_t Signed(std::size_t number) { return static_cast<std::int64_t>(number); }

Result<JobRow> ReadJob(const Statement& statement, std::int64_t run) {
  const std::string state_name = statement.Text(4);
  const std::optional<JobState> state = ParseJobState(state_name);
  if (!state) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("the journal: job {} of run {} has the unknown state '{}'",
                                        statement.Integer(0), run, state_name)};
  }
  JobRow row;
  row.place = static_cast<std::size_t>(statement.Integer(0));
  row.name = statement.Text(1);
  row.fingerprint = statement.Text(2);
  row.is_last = statement.Integer(3) != 0;
  row.state = *state;
  row.attempts = SIBYL_TRY(SmallNumber(statement.Integer(5)));
  row.crashes = SIBYL_TRY(SmallNumber(statement.Integer(6)));
  row.token = statement.Integer(7);
  row.holder = statement.Text(8);
  row.heartbeat = statement.Integer(9);
  row.lease = std::chrono::milliseconds(SIBYL_TRY(SmallNumber(statement.Integer(10))));
  row.progress = statement.Text(11);
  row.reason = statement.Text(12);
  row.began = statement.Integer(13);
  row.ended = statement.Integer(14);
  row.lost = SIBYL_TRY(SmallNumber(statement.Integer(15)));
  row.released = SIBYL_TRY(SmallNumber(statement.Integer(16)));
  return row;
}

enum class Payloads : std::uint8_t { kRead, kSkip };

constexpr std::string_view kColumns =
    "place, name, fingerprint, is_last, state, attempts, crashes, token, holder, heartbeat, "
    "lease_ms, progress, reason, began, ended, lost, released";

Result<std::vector<JobRow>> ReadRows(Database& database, std::int64_t run, Payloads payloads) {
  constexpr int kPayload = 17;
  Statement statement = SIBYL_TRY(
      database.Prepare(fmt::format("SELECT {}, {} FROM job WHERE run=? ORDER BY place", kColumns,
                                   payloads == Payloads::kRead ? "payload" : "''")));
  statement.Bind(run);
  std::vector<JobRow> rows;
  while (SIBYL_TRY(statement.Step())) {
    JobRow row = SIBYL_TRY(ReadJob(statement, run));
    if (row.place != rows.size()) {
      return Error{.kind = ErrorKind::kCorrupt,
                   .message = fmt::format("the journal: run {} has no job {}", run, rows.size())};
    }
    row.payload = statement.Text(kPayload);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

Result<std::vector<JobRow>> ReadJobs(Database& database, std::int64_t run) {
  return ReadRows(database, run, Payloads::kRead);
}

// False if it is finished; an Error if it was superseded.
Result<bool> Journal::IsOpen(std::int64_t run) {
  Statement statement = SIBYL_TRY(database_.Prepare("SELECT state FROM run WHERE id=?"));
  statement.Bind(run);
  if (!SIBYL_TRY(statement.Step())) return Superseded();
  const std::string state = statement.Text(0);
  if (state == "finished") return false;
  if (state != "open") return Superseded();
  return true;
}

Result<std::vector<JobRow>> Journal::Jobs(std::int64_t run) {
  SIBYL_TRY(IsOpen(run));
  return ReadRows(database_, run, Payloads::kRead);
}

// The file has no record of what changed when, and is read in milliseconds.
Result<std::vector<JobRow>> Journal::Changes(std::int64_t run, std::string& mark) {
  mark = "read";
  SIBYL_TRY(IsOpen(run));
  return ReadRows(database_, run, Payloads::kSkip);
}

Result<std::vector<JobRow>> Journal::Running(std::int64_t run) {
  Statement statement = SIBYL_TRY(database_.Prepare(
      fmt::format("SELECT {} FROM job WHERE run=? AND state='running' ORDER BY place", kColumns)));
  statement.Bind(run);
  std::vector<JobRow> rows;
  while (SIBYL_TRY(statement.Step())) rows.push_back(SIBYL_TRY(ReadJob(statement, run)));
  return rows;
}

Result<std::vector<RunInfo>> Journal::OpenRuns() {
  Statement statement = SIBYL_TRY(database_.Prepare(
      "SELECT id, name, EXISTS (SELECT 1 FROM job WHERE run=id AND is_last=0 AND "
      "state='waiting'), (SELECT count(*) FROM job WHERE run=id AND is_last=0 AND "
      "state='running') FROM run WHERE state='open' ORDER BY id"));
  std::vector<RunInfo> runs;
  while (SIBYL_TRY(statement.Step())) {
    runs.push_back({.id = statement.Integer(0),
                    .name = statement.Text(1),
                    .has_waiting = statement.Integer(2) != 0,
                    .running = static_cast<std::size_t>(statement.Integer(3))});
  }
  return runs;
}

Result<std::string> Journal::OpenName(std::int64_t run) {
  Statement statement =
      SIBYL_TRY(database_.Prepare("SELECT name FROM run WHERE id=? AND state='open'"));
  statement.Bind(run);
  if (!SIBYL_TRY(statement.Step())) return Superseded();
  return statement.Text(0);
}

Result<std::optional<std::int64_t>> Journal::FindOpen(std::string_view name) {
  Statement open = SIBYL_TRY(database_.Prepare(
      "SELECT id FROM run WHERE name=? AND state='open' ORDER BY id DESC LIMIT 1"));
  open.Bind(name);
  if (!SIBYL_TRY(open.Step())) return std::optional<std::int64_t>();
  return std::optional<std::int64_t>(open.Integer(0));
}

Result<std::optional<Lease>> Journal::Claim(std::int64_t run, const Claimant& claimant) {
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database_));
  if (!SIBYL_TRY(IsOpen(run))) return std::optional<Lease>();
  Lease claimed;
  {
    Statement next = SIBYL_TRY(database_.Prepare(
        "SELECT place, attempts, is_last, name, fingerprint, payload FROM job WHERE run=?1 AND "
        "state='waiting' AND "
        "(CASE WHEN is_last THEN ?2<>'not last' AND NOT EXISTS (SELECT 1 FROM job WHERE run=?1 "
        "AND is_last=0 AND state IN ('waiting', 'running')) ELSE ?2<>'only last' END) AND "
        "(?3<0 OR place=?3) AND place NOT IN (SELECT value FROM json_each(?4)) ORDER BY place "
        "LIMIT 1"));
    const std::string except = fmt::format("[{}]", fmt::join(claimant.except, ","));
    const std::string_view which = claimant.which == Claiming::kOnlyLast  ? "only last"
                                   : claimant.which == Claiming::kNotLast ? "not last"
                                                                          : "any";
    next.Bind(run).Bind(which).Bind(claimant.place ? Signed(*claimant.place) : std::int64_t{-1});
    next.Bind(except);
    if (!SIBYL_TRY(next.Step())) return std::optional<Lease>();
    claimed.place = static_cast<std::size_t>(next.Integer(0));
    claimed.attempt = SIBYL_TRY(SmallNumber(next.Integer(1))) + 1;
    claimed.is_last = next.Integer(2) != 0;
    claimed.run = run;
    claimed.name = next.Text(3);
    claimed.fingerprint = next.Text(4);
    claimed.payload = next.Text(5);
  }
  if (claimed.is_last && SIBYL_TRY(IsOtherPublishing(run))) return std::optional<Lease>();
  SIBYL_TRY(Grant(run, claimant, claimed));
  SIBYL_TRY(transaction.Commit());
  return std::optional<Lease>(claimed);
}

// Whether a process of this machine runs the last job of another run: one run of
// an oracle publishes at a time. Of other machines nothing is known here; the
// lock on the oracle's folder and the remote decide.
Result<bool> Journal::IsOtherPublishing(std::int64_t run) {
  Statement holders = SIBYL_TRY(database_.Prepare(
      "SELECT holder FROM job WHERE is_last=1 AND state='running' AND run<>? AND run IN (SELECT id "
      "FROM run WHERE state='open')"));
  holders.Bind(run);
  bool is_one = false;
  while (SIBYL_TRY(holders.Step())) {
    const std::optional<ProcessId> holder = ParseProcessId(holders.Text(0));
    is_one = is_one || (holder && LifeOf(*holder) == Life::kAlive);
  }
  return is_one;
}

// Inside the transaction that chose the job.
Status Journal::Grant(std::int64_t run, const Claimant& claimant, Lease& lease) {
  {
    Statement token = SIBYL_TRY(
        database_.Prepare("UPDATE run SET tokens = tokens + 1 WHERE id=? RETURNING tokens"));
    token.Bind(run);
    if (!SIBYL_TRY(token.Step())) return Superseded();
    lease.token = token.Integer(0);
    SIBYL_TRY(token.Run());
  }
  return database_.Change(
      "UPDATE job SET state='running', token=?, holder=?, heartbeat=0, lease_ms=?, "
      "progress='', began=?, ended=0 WHERE run=? AND place=?",
      lease.token, claimant.holder, claimant.lease.count(), Now(), run, Signed(lease.place));
}

Result<Acceptance> Journal::Keep(std::int64_t run, const Lease& lease, std::string_view payload,
                                 std::string_view progress) {
  SIBYL_TRY(CheckPayload(payload));
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database_));
  SIBYL_TRY(IsOpen(run));
  SIBYL_TRY(database_.Change(
      "UPDATE job SET payload=?, progress=?, heartbeat=heartbeat+1 WHERE run=? AND place=? AND "
      "token=? AND state='running'",
      payload, progress, run, Signed(lease.place), lease.token));
  if (database_.changes() == 0) return Acceptance::kRefused;
  SIBYL_TRY(transaction.Commit());
  return Acceptance::kAccepted;
}

Status Journal::PutBack(std::int64_t run, std::size_t place, std::string_view reason) {
  return database_.Change(
      "UPDATE job SET state='waiting', reason=?, payload='' WHERE run=? AND place=? AND "
      "state='done' AND is_last=0",
      reason, run, Signed(place));
}

// In the same transaction as the outcome that ends it, so that the run is never
// open with all jobs done.
Status Journal::FinishIfOver(std::int64_t run) {
  return database_.Change(
      "UPDATE run SET state='finished', ended=?2, finish=(SELECT max(finish) + 1 FROM run) "
      "WHERE id=?1 AND state='open' AND CASE "
      "WHEN EXISTS (SELECT 1 FROM job WHERE run=?1 AND is_last=1) "
      "THEN EXISTS (SELECT 1 FROM job WHERE run=?1 AND is_last=1 AND state='done') "
      "ELSE NOT EXISTS (SELECT 1 FROM job WHERE run=?1 AND state NOT IN ('done', 'failed')) END",
      run, Now());
}

Result<Acceptance> Journal::Write(std::int64_t run, const Lease& lease,
                                  const Settlement& settlement, const Counted& counted) {
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database_));
  // An unfinished job keeps its holder's work, so that the next holder can
  // continue it.
  SIBYL_TRY(database_.Change(
      "UPDATE job SET state=?1, payload=CASE WHEN ?1='done' THEN ?2 ELSE payload END, reason=?, "
      "attempts=attempts+?, crashes=crashes+?, lost=lost+?, released=released+?, holder='', "
      "ended=? WHERE run=? AND place=? AND token=? AND state='running'",
      JobStateName(settlement.state), settlement.payload, settlement.reason,
      std::int64_t{settlement.attempts_more}, std::int64_t{counted.crashes},
      std::int64_t{counted.lost}, std::int64_t{counted.released}, Now(), run, Signed(lease.place),
      lease.token));
  if (database_.changes() == 0) return Acceptance::kRefused;
  SIBYL_TRY(FinishIfOver(run));
  SIBYL_TRY(transaction.Commit());
  return Acceptance::kAccepted;
}

Result<Acceptance> Journal::Settle(std::int64_t run, const Lease& lease,
                                   const Settlement& settlement) {
  return Write(run, lease, settlement, CountOf(settlement));
}

Result<std::vector<std::size_t>> Journal::Renew(std::int64_t run,
                                                const std::vector<Renewal>& renewals) {
  std::vector<std::size_t> lost;
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database_));
  for (const Renewal& renewal : renewals) {
    SIBYL_TRY(database_.Change(
        "UPDATE job SET heartbeat=heartbeat+1, progress=coalesce(nullif(?, ''), progress) "
        "WHERE run=? AND place=? AND token=? AND state='running'",
        renewal.progress.value_or(""), run, Signed(renewal.lease.place), renewal.lease.token));
    if (database_.changes() == 0) lost.push_back(renewal.lease.place);
  }
  SIBYL_TRY(transaction.Commit());
  return lost;
}

Result<Acceptance> Journal::Expire(std::int64_t run, const Lease& lease, Loss loss,
                                   const MostLosses& most) {
  const std::vector<JobRow> rows = SIBYL_TRY(Jobs(run));
  int count = 1;
  if (lease.place < rows.size()) {
    const JobRow& row = rows[lease.place];
    count += loss == Loss::kCrashed ? row.crashes : row.lost;
  }
  std::string reason;
  return Write(run, lease, AfterLoss(loss, count, most, reason), CountOf(loss));
}

Status Journal::CancelWaiting(std::int64_t run, std::string_view reason) {
  return database_.Change(
      "UPDATE job SET state='cancelled', reason=?2 WHERE run=?1 AND is_last=0 AND "
      "state='waiting' AND NOT EXISTS (SELECT 1 FROM job WHERE run=?1 AND state='running')",
      run, reason);
}

Result<Snapshot> Journal::ReadAll() { return ReadSnapshot(database_); }

}  // namespace sibyl::runner
