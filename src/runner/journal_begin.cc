// SPDX-License-Identifier: Apache-2.0
// Begins a run in the journal: finds or creates it.
#include "runner/journal.h"
#include "runner/runner.h"

namespace sibyl::runner {
namespace {

struct KnownRun {
  std::int64_t id = 0;
  Standing standing = Standing::kOpen;
};

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

// Jobs that a limit cut off may run now, and a failed last job is retried.
// Failed parts stay failed.
Status Reopen(Database& database, std::int64_t run) {
  SIBYL_TRY(database.Change(
      "UPDATE job SET state='waiting' WHERE run=? AND state='cancelled' AND is_last=0", run));
  return database.Change(
      "UPDATE job SET state='waiting', attempts=0, crashes=0, lost=0, released=0 WHERE run=? AND "
      "is_last=1 AND "
      "state IN ('failed', 'cancelled')",
      run);
}

// Payloads make a journal large; of finished runs, only those of the newest are
// needed. Of what other runs delivered the first line stays, which is what the
// board shows of them (runner/runner.h).
Status Prune(Database& database) {
  SIBYL_TRY(database.Execute(
      "UPDATE job SET payload=CASE WHEN state='done' AND is_last=0 THEN "
      "substr(payload, 1, instr(payload, char(10))) ELSE '' END WHERE payload<>'' AND "
      "instr(payload, char(10))<length(payload) AND run NOT IN (SELECT id FROM run WHERE "
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
      "INSERT INTO job(run, place, name, fingerprint, is_last, state, attempts, crashes, lost, "
      "released, token, holder, heartbeat, lease_ms, progress, reason, payload, began, ended) "
      "VALUES(?, ?, ?, ?, ?, 'waiting', 0, 0, 0, 0, 0, '', 0, 0, '', '', '', 0, 0)",
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
  if (known && HasSameJobs(SIBYL_TRY(ReadJobs(database, known->id)), spec,
                           Compared::kNamesAndFingerprints)) {
    return known;
  }
  if (existing != Existing::kJoin) return std::optional<KnownRun>();
  std::optional<KnownRun> named = SIBYL_TRY(FindByName(journal, spec.name));
  if (!named) return named;
  const std::vector<JobRow> rows = SIBYL_TRY(ReadJobs(database, named->id));
  if (HasSameJobs(rows, spec, Compared::kNames)) return named;
  const bool is_over = named->standing == Standing::kFinished || IsInLastJob(rows);
  if (!is_over) return std::optional<KnownRun>();
  named->standing = Standing::kOverWithOtherJobs;
  return named;
}

}  // namespace

Result<BegunRun> Journal::Begin(const RunSpec& spec, Existing existing) {
  SIBYL_TRY(CheckSpec(spec));
  Transaction transaction = SIBYL_TRY(Transaction::Begin(database_));
  if (const auto known = SIBYL_TRY(FindJoinable(*this, spec, existing))) {
    if (known->standing == Standing::kOpen) SIBYL_TRY(Reopen(database_, known->id));
    SIBYL_TRY(transaction.Commit());
    return BegunRun{.run = known->id, .was_resumed = true, .standing = known->standing};
  }
  const std::int64_t replaced = SIBYL_TRY(OpenRunId(database_, spec.name));
  SIBYL_TRY(
      database_.Change("UPDATE run SET state='superseded', ended=? WHERE name=? AND state='open'",
                       Now(), spec.name));
  const std::int64_t run = SIBYL_TRY(MakeRun(*this, spec));
  if (existing != Existing::kRestart) SIBYL_TRY(CarryOver(database_, replaced, run));
  SIBYL_TRY(Prune(database_));
  SIBYL_TRY(FinishIfOver(run));  // everything may have been carried over
  SIBYL_TRY(transaction.Commit());
  return BegunRun{.run = run};
}

}  // namespace sibyl::runner
