// SPDX-License-Identifier: Apache-2.0
#include "runner/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
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

// What shows that the copied files belong together. The log of a journal holds
// every page that is being moved into the main file until the log is begun anew,
// with another header; without a log, the main file must not have changed.
struct Version {
  std::string log_header;
  fs::file_time_type changed;
  std::uintmax_t bytes = 0;

  bool operator==(const Version& other) const {
    if (log_header != other.log_header) return false;
    return !log_header.empty() || (changed == other.changed && bytes == other.bytes);
  }
};

Version VersionOf(const fs::path& path) {
  constexpr std::size_t kLogHeader = 32;
  Version version;
  std::error_code ignored;
  version.changed = fs::last_write_time(path, ignored);
  version.bytes = fs::file_size(path, ignored);
  std::ifstream log(path.string() + "-wal", std::ios::binary);
  std::array<char, kLogHeader> header{};
  if (log.read(header.data(), header.size()))
    version.log_header.assign(header.begin(), header.end());
  return version;
}

Status Copy(const fs::path& path, const fs::path& copy) {
  for (const std::string_view suffix : {"", "-wal", "-journal"}) {
    const fs::path from = path.string() + std::string(suffix);
    const fs::path to = copy.string() + std::string(suffix);
    std::error_code error;
    fs::remove(to, error);
    if (!suffix.empty() && !fs::exists(from, error)) continue;
    const std::string bytes = SIBYL_TRY(ReadFile(from));
    SIBYL_TRY(WriteFileAtomically(to, bytes));
  }
  return {};
}

// A copy, since SQLite writes a log and shared memory beside every journal that
// it opens, also when it only reads.
template <typename Read>
auto ReadCopy(const fs::path& path, const Read& read) -> decltype(read(std::declval<Database&>())) {
  constexpr int kAttempts = 20;
  std::error_code error;
  if (!fs::exists(path, error)) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("reading {}: there is no journal", path.string()),
                 .hint = "nothing was run here yet"};
  }
  const std::string doing = fmt::format("reading {}", path.string());
  const TemporaryFolder folder;
  const fs::path copy = folder.path() / path.filename();
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Version before = VersionOf(path);
    if (Status status = Copy(path, copy); !status.ok()) {
      if (attempt + 1 == kAttempts) return While(doing, std::move(status).error());
      continue;
    }
    if (before != VersionOf(path)) continue;
    Result<Database> database = Database::Open(copy, Access::kReadWrite);
    if (!database.ok()) return While(doing, std::move(database).error());
    auto answer = read(*database);
    if (!answer.ok()) return While(doing, std::move(answer).error());
    return answer;
  }
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("{}: it changes too fast to be read", doing),
               .hint = "try again"};
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

Result<Snapshot> ReadSnapshot(const fs::path& path) { return ReadCopy(path, ReadOpen); }

Result<std::optional<OpenRun>> ReadOpenRun(const fs::path& path, std::string_view name) {
  return ReadCopy(path, [name](Database& database) -> Result<std::optional<OpenRun>> {
    SIBYL_TRY(CheckJournal(database));
    Statement open = SIBYL_TRY(database.Prepare(
        "SELECT id FROM run WHERE name=? AND state='open' ORDER BY id DESC LIMIT 1"));
    open.Bind(name);
    if (!SIBYL_TRY(open.Step())) return std::optional<OpenRun>();
    OpenRun run{.id = open.Integer(0), .jobs = {}};
    run.jobs = SIBYL_TRY(ReadJobs(database, run.id));
    return std::optional<OpenRun>(std::move(run));
  });
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
