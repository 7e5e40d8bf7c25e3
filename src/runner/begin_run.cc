// SPDX-License-Identifier: Apache-2.0
// Starts a run: finds or creates it in the journal.
#include <fmt/format.h>

#include <set>

#include "runner/job_queue.h"
#include "runner/process_id.h"

namespace sibyl::runner {
namespace {

struct KnownRun {
  std::int64_t id = 0;
  Standing standing = Standing::kOpen;
};

Status CheckSpec(const RunSpec& spec) {
  std::set<std::string> names;
  if (spec.last) names.insert(spec.last->name);
  for (const Job& job : spec.jobs) {
    if (names.insert(job.name).second) continue;
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("running {}: two jobs are named '{}'", spec.name, job.name)};
  }
  return {};
}

KnownRun ReadKnown(const Statement& row) {
  return {.id = row.Integer(0),
          .standing = row.Integer(1) != 0 ? Standing::kFinished : Standing::kOpen};
}

// The run of this name and fingerprint that is open, or that was finished
// after we opened the journal: the one that we would have joined a moment ago.
Result<std::optional<KnownRun>> FindRun(Journal& journal, const RunSpec& spec) {
  Statement found = SIBYL_TRY(journal.database().Prepare(
      "SELECT id, state='finished' FROM run WHERE name=? AND fingerprint=? AND "
      "(state='open' OR (state='finished' AND finish>?)) ORDER BY id DESC LIMIT 1"));
  found.Bind(spec.name).Bind(spec.fingerprint).Bind(journal.finished_before());
  if (!SIBYL_TRY(found.Step())) return std::optional<KnownRun>();
  return std::optional<KnownRun>(ReadKnown(found));
}

enum class Compared : std::uint8_t { kNamesAndFingerprints, kNames };

Result<bool> HasSameJobs(Database& database, std::int64_t run, const RunSpec& spec,
                         Compared compared) {
  const std::vector<JobRow> rows = SIBYL_TRY(ReadJobs(database, run));
  if (rows.size() != spec.jobs.size() + (spec.last ? 1 : 0)) return false;
  for (std::size_t i = 0; i < spec.jobs.size(); ++i) {
    if (rows[i].name != spec.jobs[i].name || rows[i].is_last) return false;
    if (compared == Compared::kNamesAndFingerprints &&
        rows[i].fingerprint != spec.jobs[i].fingerprint) {
      return false;
    }
  }
  return !spec.last || (rows.back().name == spec.last->name && rows.back().is_last);
}

// Jobs that a limit cut off may run now, and a failed last job is retried.
// Failed parts stay failed.
Status Reopen(Database& database, std::int64_t run) {
  SIBYL_TRY(database.Change(
      "UPDATE job SET state='waiting' WHERE run=? AND state='cancelled' AND is_last=0", run));
  return database.Change(
      "UPDATE job SET state='waiting', attempts=0, losses=0 WHERE run=? AND is_last=1 AND "
      "state IN ('failed', 'cancelled')",
      run);
}

// Payloads make a journal large; of finished runs, only those of the newest are
// needed.
Status Prune(Database& database) {
  SIBYL_TRY(database.Execute(
      "UPDATE job SET payload='' WHERE payload<>'' AND run NOT IN (SELECT id FROM run WHERE "
      "state='open') AND run NOT IN (SELECT id FROM run WHERE state<>'open' ORDER BY id DESC "
      "LIMIT 2)"));
  SIBYL_TRY(database.Execute(
      "DELETE FROM run WHERE state<>'open' AND id NOT IN (SELECT id FROM run WHERE "
      "state<>'open' ORDER BY id DESC LIMIT 20)"));
  return database.Execute("DELETE FROM job WHERE run NOT IN (SELECT id FROM run)");
}

// The newest run of this name that is open, or was finished after we opened the
// journal: publishing changes the inputs, so its fingerprint may differ from ours.
Result<std::optional<KnownRun>> FindByName(Journal& journal, std::string_view name) {
  Statement found = SIBYL_TRY(journal.database().Prepare(
      "SELECT id, state='finished' FROM run WHERE name=? AND (state='open' OR "
      "(state='finished' AND finish>?)) ORDER BY id DESC LIMIT 1"));
  found.Bind(name).Bind(journal.finished_before());
  if (!SIBYL_TRY(found.Step())) return std::optional<KnownRun>();
  return std::optional<KnownRun>(ReadKnown(found));
}

// Whether a process that may be alive runs the last job.
Result<bool> IsInLastJob(Database& database, std::int64_t run) {
  const std::vector<JobRow> rows = SIBYL_TRY(ReadJobs(database, run));
  if (rows.empty() || !rows.back().is_last || rows.back().state != JobState::kRunning) return false;
  const std::optional<ProcessId> holder = ParseProcessId(rows.back().holder);
  return holder && LifeOf(*holder) != Life::kGone;
}

// Zero when there is none.
Result<std::int64_t> OpenRunId(Database& database, std::string_view name) {
  Statement open = SIBYL_TRY(
      database.Prepare("SELECT coalesce(max(id), 0) FROM run WHERE name=? AND state='open'"));
  open.Bind(name);
  if (!SIBYL_TRY(open.Step())) return std::int64_t{0};
  return open.Integer(0);
}

struct NewJob {
  std::int64_t place = 0;
  std::string_view name;
  std::string_view fingerprint;
  bool is_last = false;
};

Status Insert(Database& database, std::int64_t run, const NewJob& job) {
  return database.Change(
      "INSERT INTO job(run, place, name, fingerprint, is_last, state, attempts, losses, token, "
      "holder, heartbeat, lease_ms, progress, reason, payload, began, ended) "
      "VALUES(?, ?, ?, ?, ?, 'waiting', 0, 0, 0, '', 0, 0, '', '', '', 0, 0)",
      run, job.place, job.name, job.fingerprint, std::int64_t{job.is_last ? 1 : 0});
}

Result<std::int64_t> MakeRun(Journal& journal, const RunSpec& spec) {
  Database& database = journal.database();
  SIBYL_TRY(
      database.Change("INSERT INTO run(name, fingerprint, state, tokens, finish, began, ended) "
                      "VALUES(?, ?, 'open', 0, 0, ?, 0)",
                      spec.name, spec.fingerprint, journal.Now()));
  const std::int64_t run = database.last_insert_id();
  // Rows of a run that is gone do not become this one's.
  SIBYL_TRY(database.Change("DELETE FROM job WHERE run=?", run));
  std::int64_t place = 0;
  for (const Job& job : spec.jobs) {
    SIBYL_TRY(Insert(database, run,
                     {.place = place++, .name = job.name, .fingerprint = job.fingerprint}));
  }
  if (spec.last) {
    SIBYL_TRY(Insert(database, run,
                     {.place = place,
                      .name = spec.last->name,
                      .fingerprint = spec.fingerprint,
                      .is_last = true}));
  }
  return run;
}

// A part whose inputs did not change need not be done again because another
// part of the plan was edited.
Status CarryOver(Database& database, std::int64_t from, std::int64_t to) {
  return database.Change(
      "UPDATE job SET state='done', attempts=old.attempts, payload=old.payload, "
      "progress=old.progress, began=old.began, ended=old.ended FROM (SELECT * FROM job WHERE "
      "run=?1 AND state='done' AND is_last=0) AS old WHERE job.run=?2 AND job.is_last=0 AND "
      "job.name=old.name AND job.fingerprint=old.fingerprint",
      from, to);
}

// The run to resume, if the journal has one.
Result<std::optional<KnownRun>> FindJoinable(Journal& journal, const RunSpec& spec,
                                             Existing existing) {
  Database& database = journal.database();
  if (existing == Existing::kRestart) return std::optional<KnownRun>();
  const std::optional<KnownRun> known = SIBYL_TRY(FindRun(journal, spec));
  if (known && SIBYL_TRY(HasSameJobs(database, known->id, spec, Compared::kNamesAndFingerprints))) {
    return known;
  }
  if (existing != Existing::kJoin) return std::optional<KnownRun>();
  std::optional<KnownRun> named = SIBYL_TRY(FindByName(journal, spec.name));
  if (!named || SIBYL_TRY(HasSameJobs(database, named->id, spec, Compared::kNames))) return named;
  const bool is_over =
      named->standing == Standing::kFinished || SIBYL_TRY(IsInLastJob(database, named->id));
  if (!is_over) return std::optional<KnownRun>();
  named->standing = Standing::kOverWithOtherJobs;
  return named;
}

}  // namespace

Result<JobQueue> JobQueue::Begin(Journal& journal, const RunSpec& spec, Existing existing) {
  SIBYL_TRY(CheckSpec(spec));
  Database& database = journal.database();
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database));
  if (const auto known = SIBYL_TRY(FindJoinable(journal, spec, existing))) {
    if (known->standing == Standing::kOpen) SIBYL_TRY(Reopen(database, known->id));
    SIBYL_TRY(transaction.Commit());
    JobQueue queue(journal, known->id);
    queue.was_resumed_ = true;
    queue.standing_ = known->standing;
    return queue;
  }
  const std::int64_t replaced = SIBYL_TRY(OpenRunId(database, spec.name));
  SIBYL_TRY(
      database.Change("UPDATE run SET state='superseded', ended=? WHERE name=? AND state='open'",
                      journal.Now(), spec.name));
  const std::int64_t run = SIBYL_TRY(MakeRun(journal, spec));
  if (existing != Existing::kRestart) SIBYL_TRY(CarryOver(database, replaced, run));
  SIBYL_TRY(Prune(database));
  JobQueue queue(journal, run);
  SIBYL_TRY(queue.FinishIfOver());  // everything may have been carried over
  SIBYL_TRY(transaction.Commit());
  return queue;
}

}  // namespace sibyl::runner
