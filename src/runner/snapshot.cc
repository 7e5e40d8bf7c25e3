// SPDX-License-Identifier: Apache-2.0
#include "runner/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/files.h"
#include "base/temporary_folder.h"
#include "base/terminal.h"
#include "runner/job_queue.h"
#include "runner/journal.h"
#include "runner/progress.h"

namespace sibyl::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kRunStates = {"open", "finished", "superseded"};

Result<RunState> ReadRunState(std::string_view name) {
  const auto* found = std::find(kRunStates.begin(), kRunStates.end(), name);
  if (found != kRunStates.end()) return static_cast<RunState>(found - kRunStates.begin());
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("the journal: a run is '{}'", name)};
}

JobSnapshot SnapshotOf(JobRow row) {
  JobSnapshot job{.name = std::move(row.name),
                  .is_last = row.is_last,
                  .state = row.state,
                  .attempts = row.attempts,
                  .losses = row.losses,
                  .holder = ParseProcessId(row.holder),
                  .progress = ParseProgress(row.progress),
                  .reason = std::move(row.reason),
                  .payload = std::move(row.payload),
                  .began = row.began,
                  .ended = row.ended};
  if (job.holder) job.life = LifeOf(*job.holder);
  return job;
}

Result<Snapshot> ReadOpen(Database& database) {
  // One moment for all that follows, and no moment of it is written.
  SIBYL_TRY(database.Execute("BEGIN"));
  SIBYL_TRY(CheckJournal(database));
  Snapshot snapshot;
  Statement runs = SIBYL_TRY(database.Prepare(
      "SELECT id, name, fingerprint, state, began, ended FROM run ORDER BY id DESC"));
  while (SIBYL_TRY(runs.Step())) {
    RunSnapshot run;
    run.id = runs.Integer(0);
    run.name = runs.Text(1);
    run.fingerprint = runs.Text(2);
    run.state = SIBYL_TRY(ReadRunState(runs.Text(3)));
    run.began = runs.Integer(4);
    run.ended = runs.Integer(5);
    for (JobRow& row : SIBYL_TRY(ReadJobs(database, run.id))) {
      run.jobs.push_back(SnapshotOf(std::move(row)));
    }
    snapshot.runs.push_back(std::move(run));
  }
  return snapshot;
}

Result<Snapshot> ReadInPlace(const fs::path& path) {
  Database database = SIBYL_TRY(Database::Open(path, Access::kReadOnly));
  return ReadOpen(database);
}

// SQLite needs a writable folder to read what is still in the log.
Result<Snapshot> ReadCopy(const fs::path& path) {
  const TemporaryFolder folder;
  const fs::path copy = folder.path() / path.filename();
  for (const std::string_view suffix : {"", "-wal", "-journal"}) {
    const fs::path from = path.string() + std::string(suffix);
    std::error_code error;
    if (!suffix.empty() && !fs::exists(from, error)) continue;
    const std::string bytes = SIBYL_TRY(ReadFile(from));
    SIBYL_TRY(WriteFileAtomically(copy.string() + std::string(suffix), bytes));
  }
  Database database = SIBYL_TRY(Database::Open(copy, Access::kReadWrite));
  return ReadOpen(database);
}

std::string Moment(std::int64_t seconds) {
  constexpr std::int64_t kLastSecondOf9999 = 253'402'300'799;
  if (seconds <= 0 || seconds > kLastSecondOf9999) return "-";
  return FormatDateTime(Time(std::chrono::seconds(seconds)));
}

std::string FormatJob(const JobSnapshot& job) {
  std::string text = fmt::format("  {} {}{}: {} attempts, {} losses, {} to {}, {} bytes\n",
                                 JobStateName(job.state), Harmless(job.name),
                                 job.is_last ? " (last)" : "", job.attempts, job.losses,
                                 Moment(job.began), Moment(job.ended), job.payload.size());
  if (job.holder) {
    constexpr std::array<std::string_view, 3> kLives = {"alive", "gone", "unknown"};
    text += fmt::format("    held by process {} on {} ({})\n", job.holder->number,
                        Harmless(job.holder->host), kLives.at(static_cast<std::size_t>(job.life)));
  }
  if (!job.progress.step.empty()) {
    text += fmt::format("    at {}", Harmless(job.progress.step));
    for (const Figure& figure : job.progress.figures) {
      text += fmt::format(", {} {}", Harmless(figure.name), figure.value);
    }
    text += '\n';
  }
  if (!job.reason.empty()) text += fmt::format("    because: {}\n", Harmless(job.reason));
  return text;
}

}  // namespace

std::string_view RunStateName(RunState state) {
  return kRunStates.at(static_cast<std::size_t>(state));
}

bool RunSnapshot::is_worked_on() const {
  return state == RunState::kOpen &&
         std::any_of(jobs.begin(), jobs.end(), [](const JobSnapshot& job) {
           return job.state == JobState::kRunning && job.life != Life::kGone;
         });
}

Result<Snapshot> ReadSnapshot(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("reading {}: there is no journal", path.string()),
                 .hint = "nothing was run here yet"};
  }
  Result<Snapshot> snapshot = ReadInPlace(path);
  if (!snapshot.ok() && snapshot.error().kind == ErrorKind::kUnavailable) {
    snapshot = ReadCopy(path);
  }
  if (!snapshot.ok()) {
    return While(fmt::format("reading {}", path.string()), std::move(snapshot).error());
  }
  return snapshot;
}

std::string FormatSnapshot(const Snapshot& snapshot) {
  std::string text;
  for (const RunSnapshot& run : snapshot.runs) {
    text += fmt::format("run {} {}: {}, {} to {}, fingerprint {}\n", run.id,
                        RunStateName(run.state), Harmless(run.name), Moment(run.began),
                        Moment(run.ended), Harmless(run.fingerprint));
    for (const JobSnapshot& job : run.jobs) text += FormatJob(job);
  }
  return text;
}

}  // namespace sibyl::runner
