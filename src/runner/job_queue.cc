// SPDX-License-Identifier: Apache-2.0
#include "runner/job_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "runner/process_id.h"

namespace sibyl::runner {
namespace {

constexpr std::size_t kLongestPayload = std::size_t{64} << 20;
constexpr std::array<std::string_view, 5> kStateNames = {"waiting", "running", "done", "failed",
                                                         "cancelled"};

std::optional<JobState> ParseJobState(std::string_view name) {
  const auto* found = std::find(kStateNames.begin(), kStateNames.end(), name);
  if (found == kStateNames.end()) return std::nullopt;
  return static_cast<JobState>(found - kStateNames.begin());
}

std::int64_t Signed(std::size_t number) { return static_cast<std::int64_t>(number); }

Error Superseded() {
  return Error{.kind = ErrorKind::kUnavailable,
               .message = "this run was superseded by a later one with the same name",
               .hint = "the later run continues; work on unchanged parts is kept"};
}

// We write only small numbers; anything else is a forged or damaged file.
Result<int> SmallNumber(std::int64_t number) {
  if (number >= 0 && number <= std::numeric_limits<int>::max()) return static_cast<int>(number);
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("the journal: {} is not a valid number of attempts", number)};
}

Error TooLong(std::size_t bytes) {
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("writing a job to the journal: {} bytes; the limit is {}", bytes,
                                 kLongestPayload)};
}

}  // namespace

std::string_view JobStateName(JobState state) {
  return kStateNames.at(static_cast<std::size_t>(state));
}

Result<std::vector<JobRow>> ReadJobs(Database& database, std::int64_t run) {
  Statement statement = SIBYL_TRY(database.Prepare(
      "SELECT place, name, fingerprint, is_last, state, attempts, losses, token, holder, "
      "heartbeat, lease_ms, progress, reason, payload, began, ended FROM job WHERE run=? "
      "ORDER BY place"));
  statement.Bind(run);
  std::vector<JobRow> rows;
  while (SIBYL_TRY(statement.Step())) {
    const std::string state_name = statement.Text(4);
    const std::optional<JobState> state = ParseJobState(state_name);
    if (!state || statement.Integer(0) != Signed(rows.size())) {
      return Error{
          .kind = ErrorKind::kCorrupt,
          .message = fmt::format("the journal: job {} of run {} has the unknown state '{}'",
                                 statement.Integer(0), run, state_name)};
    }
    JobRow& row = rows.emplace_back();
    row.place = rows.size() - 1;
    row.name = statement.Text(1);
    row.fingerprint = statement.Text(2);
    row.is_last = statement.Integer(3) != 0;
    row.state = *state;
    row.attempts = SIBYL_TRY(SmallNumber(statement.Integer(5)));
    row.losses = SIBYL_TRY(SmallNumber(statement.Integer(6)));
    row.token = statement.Integer(7);
    row.holder = statement.Text(8);
    row.heartbeat = statement.Integer(9);
    row.lease = std::chrono::milliseconds(SIBYL_TRY(SmallNumber(statement.Integer(10))));
    row.progress = statement.Text(11);
    row.reason = statement.Text(12);
    row.payload = statement.Text(13);
    row.began = statement.Integer(14);
    row.ended = statement.Integer(15);
  }
  return rows;
}

// False if it is finished; an Error if it was superseded.
Result<bool> JobQueue::IsOpen() {
  Statement statement = SIBYL_TRY(journal_->database().Prepare("SELECT state FROM run WHERE id=?"));
  statement.Bind(run_);
  if (!SIBYL_TRY(statement.Step())) return Superseded();
  const std::string state = statement.Text(0);
  if (state == "finished") return false;
  if (state != "open") return Superseded();
  return true;
}

Result<std::vector<JobRow>> JobQueue::Jobs() {
  SIBYL_TRY(IsOpen());
  return ReadJobs(journal_->database(), run_);
}

Result<std::string> JobQueue::OpenName() {
  Statement statement =
      SIBYL_TRY(journal_->database().Prepare("SELECT name FROM run WHERE id=? AND state='open'"));
  statement.Bind(run_);
  if (!SIBYL_TRY(statement.Step())) return Superseded();
  return statement.Text(0);
}

Result<std::optional<Lease>> JobQueue::Claim(Claiming which, std::chrono::milliseconds lease) {
  Database& database = journal_->database();
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database));
  if (!SIBYL_TRY(IsOpen())) return std::optional<Lease>();
  Lease claimed;
  {
    Statement next = SIBYL_TRY(database.Prepare(
        "SELECT place, attempts, is_last FROM job WHERE run=?1 AND state='waiting' AND "
        "(CASE WHEN is_last THEN NOT EXISTS (SELECT 1 FROM job WHERE run=?1 AND is_last=0 AND "
        "state IN ('waiting', 'running')) ELSE ?2=0 END) ORDER BY place LIMIT 1"));
    next.Bind(run_).Bind(which == Claiming::kOnlyLast ? 1 : 0);
    if (!SIBYL_TRY(next.Step())) return std::optional<Lease>();
    claimed.place = static_cast<std::size_t>(next.Integer(0));
    claimed.attempt = SIBYL_TRY(SmallNumber(next.Integer(1))) + 1;
    claimed.is_last = next.Integer(2) != 0;
  }
  SIBYL_TRY(Grant(claimed, FormatProcessId(ThisProcess()), lease));
  SIBYL_TRY(transaction.Commit());
  return std::optional<Lease>(claimed);
}

// Inside the transaction that chose the job.
Status JobQueue::Grant(Lease& lease, std::string_view holder, std::chrono::milliseconds length) {
  Database& database = journal_->database();
  {
    Statement token = SIBYL_TRY(
        database.Prepare("UPDATE run SET tokens = tokens + 1 WHERE id=? RETURNING tokens"));
    token.Bind(run_);
    if (!SIBYL_TRY(token.Step())) return Superseded();
    lease.token = token.Integer(0);
    SIBYL_TRY(token.Run());
  }
  return database.Change(
      "UPDATE job SET state='running', token=?, holder=?, heartbeat=0, lease_ms=?, "
      "progress='', began=?, ended=0 WHERE run=? AND place=?",
      lease.token, holder, length.count(), journal_->Now(), run_, Signed(lease.place));
}

Result<std::optional<JobQueue>> JobQueue::FindOpen(Journal& journal, std::string_view name) {
  Statement open = SIBYL_TRY(journal.database().Prepare(
      "SELECT id FROM run WHERE name=? AND state='open' ORDER BY id DESC LIMIT 1"));
  open.Bind(name);
  if (!SIBYL_TRY(open.Step())) return std::optional<JobQueue>();
  return std::optional<JobQueue>(JobQueue(journal, open.Integer(0)));
}

Result<std::optional<Lease>> JobQueue::ClaimFor(const Claimant& claimant) {
  Database& database = journal_->database();
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database));
  if (!SIBYL_TRY(IsOpen())) return std::optional<Lease>();
  Lease claimed;
  {
    Statement next = SIBYL_TRY(
        database.Prepare("SELECT place, attempts FROM job WHERE run=?1 AND state='waiting' AND "
                         "is_last=0 AND (?2<0 OR place=?2) ORDER BY place LIMIT 1"));
    next.Bind(run_).Bind(claimant.place ? Signed(*claimant.place) : std::int64_t{-1});
    if (!SIBYL_TRY(next.Step())) return std::optional<Lease>();
    claimed.place = static_cast<std::size_t>(next.Integer(0));
    claimed.attempt = SIBYL_TRY(SmallNumber(next.Integer(1))) + 1;
  }
  SIBYL_TRY(Grant(claimed, claimant.holder, claimant.lease));
  SIBYL_TRY(transaction.Commit());
  return std::optional<Lease>(claimed);
}

Result<Acceptance> JobQueue::Keep(const Lease& lease, std::string_view payload,
                                  std::string_view progress) {
  if (payload.size() > kLongestPayload) return TooLong(payload.size());
  Database& database = journal_->database();
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database));
  SIBYL_TRY(IsOpen());
  SIBYL_TRY(database.Change(
      "UPDATE job SET payload=?, progress=?, heartbeat=heartbeat+1 WHERE run=? AND place=? AND "
      "token=? AND state='running'",
      payload, progress, run_, Signed(lease.place), lease.token));
  if (database.changes() == 0) return Acceptance::kRefused;
  SIBYL_TRY(transaction.Commit());
  return Acceptance::kAccepted;
}

Status JobQueue::PutBack(std::size_t place, std::string_view reason) {
  return journal_->database().Change(
      "UPDATE job SET state='waiting', reason=?, payload='' WHERE run=? AND place=? AND "
      "state='done' AND is_last=0",
      reason, run_, Signed(place));
}

// In the same transaction as the outcome that ends it, so that the run is never
// open with all jobs done.
Status JobQueue::FinishIfOver() {
  return journal_->database().Change(
      "UPDATE run SET state='finished', ended=?2, finish=(SELECT max(finish) + 1 FROM run) "
      "WHERE id=?1 AND state='open' AND CASE "
      "WHEN EXISTS (SELECT 1 FROM job WHERE run=?1 AND is_last=1) "
      "THEN EXISTS (SELECT 1 FROM job WHERE run=?1 AND is_last=1 AND state='done') "
      "ELSE NOT EXISTS (SELECT 1 FROM job WHERE run=?1 AND state NOT IN ('done', 'failed')) END",
      run_, journal_->Now());
}

Result<Acceptance> JobQueue::Settle(const Lease& lease, const Settling& settling) {
  Database& database = journal_->database();
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database));
  // An unfinished job keeps its holder's work, so that the next holder can
  // continue it.
  SIBYL_TRY(database.Change(
      "UPDATE job SET state=?1, payload=CASE WHEN ?1='done' THEN ?2 ELSE payload END, reason=?, "
      "attempts=attempts+?, losses=losses+?, holder='', ended=? WHERE run=? AND place=? AND "
      "token=? AND state='running'",
      settling.state, settling.payload, settling.reason, std::int64_t{settling.attempts_more},
      std::int64_t{settling.losses_more}, journal_->Now(), run_, Signed(lease.place), lease.token));
  if (database.changes() == 0) return Acceptance::kRefused;
  SIBYL_TRY(FinishIfOver());
  SIBYL_TRY(transaction.Commit());
  return Acceptance::kAccepted;
}

Result<Acceptance> JobQueue::Complete(const Lease& lease, std::string_view payload) {
  if (payload.size() > kLongestPayload) {
    return TooLong(payload.size());
  }
  return Settle(lease, {.state = "done", .payload = payload, .attempts_more = 1});
}

Result<Acceptance> JobQueue::Fail(const Lease& lease, std::string_view reason, int most_attempts) {
  return Settle(lease, {.state = lease.attempt < most_attempts ? "waiting" : "failed",
                        .reason = reason,
                        .attempts_more = 1});
}

Result<Acceptance> JobQueue::Release(const Lease& lease, std::string_view reason) {
  return Settle(lease, {.state = "waiting", .reason = reason});
}

Result<Acceptance> JobQueue::Cancel(const Lease& lease, std::string_view reason) {
  return Settle(lease, {.state = "cancelled", .reason = reason});
}

Result<std::vector<std::size_t>> JobQueue::Renew(const std::vector<Renewal>& renewals) {
  Database& database = journal_->database();
  std::vector<std::size_t> lost;
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database));
  for (const Renewal& renewal : renewals) {
    SIBYL_TRY(database.Change(
        "UPDATE job SET heartbeat=heartbeat+1, progress=coalesce(nullif(?, ''), progress) "
        "WHERE run=? AND place=? AND token=? AND state='running'",
        renewal.progress.value_or(""), run_, Signed(renewal.lease.place), renewal.lease.token));
    if (database.changes() == 0) lost.push_back(renewal.lease.place);
  }
  SIBYL_TRY(transaction.Commit());
  return lost;
}

Result<Acceptance> JobQueue::Expire(const Lease& lease, int most_losses) {
  const std::vector<JobRow> rows = SIBYL_TRY(Jobs());
  const int losses = lease.place < rows.size() ? rows[lease.place].losses + 1 : 1;
  if (losses < most_losses) {
    return Settle(lease,
                  {.state = "waiting", .reason = "the process that ran it died", .losses_more = 1});
  }
  const std::string reason = fmt::format(
      "its process died {} times while running it; the part may be what kills it", losses);
  return Settle(lease, {.state = "failed", .reason = reason, .losses_more = 1});
}

Status JobQueue::CancelWaiting(std::string_view reason) {
  return journal_->database().Change(
      "UPDATE job SET state='cancelled', reason=?2 WHERE run=?1 AND is_last=0 AND "
      "state='waiting' AND NOT EXISTS (SELECT 1 FROM job WHERE run=?1 AND state='running')",
      run_, reason);
}

}  // namespace sibyl::runner
