// SPDX-License-Identifier: Apache-2.0
#include "runner/snapshot.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/clock.h"
#include "base/files/root.h"
#include "base/files/temporary_folder.h"
#include "base/one_line.h"
#include "base/terminal.h"
#include "runner/journal.h"
#include "runner/progress.h"

namespace sibyl::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kRunStates = {"open", "finished", "superseded"};

// Detects whether the copied files are consistent. The WAL contains every page
// that is being checkpointed until it is restarted with another header; without
// a WAL, the main file must not have changed.
struct Version {
  std::string log_header;
  std::int64_t changed = 0;
  std::uint64_t bytes = 0;

  bool operator==(const Version& other) const {
    if (log_header != other.log_header) return false;
    return !log_header.empty() || (changed == other.changed && bytes == other.bytes);
  }
};

// The location of a journal: its folder and name.
struct JournalPlace {
  Root folder;
  std::string name;
};

Version VersionOf(const JournalPlace& place) {
  constexpr std::size_t kLogHeader = 32;
  Version version;
  if (const auto about = place.folder.About(place.name)) {
    version.changed = about->modified_ns;
    version.bytes = about->bytes;
  }
  const Result<FileDescriptor> log = place.folder.OpenFile(place.name + "-wal");
  std::array<char, kLogHeader> header{};
  if (log.ok() && ::pread(log->number(), header.data(), header.size(), 0) ==
                      static_cast<ssize_t>(header.size())) {
    version.log_header.assign(header.begin(), header.end());
  }
  return version;
}

Status Copy(const JournalPlace& place, const Root& copies) {
  for (const std::string_view suffix : {"", "-wal", "-shm", "-journal"}) {
    const std::string name = place.name + std::string(suffix);
    SIBYL_TRY(copies.Remove(name));
    if (suffix == "-shm" || (!suffix.empty() && !place.folder.Exists(name))) continue;
    const std::string bytes = SIBYL_TRY(place.folder.Read(name));
    SIBYL_TRY(copies.Write(name, bytes));
  }
  return {};
}

// A copy, since SQLite writes a log and shared memory beside every journal that
// it opens, also when it only reads.
template <typename Read>
auto ReadCopy(const JournalPlace& place, const Read& read)
    -> decltype(read(std::declval<Database&>())) {
  constexpr int kAttempts = 20;
  const std::string doing = fmt::format("reading {}", place.folder.Shown(place.name).string());
  if (!place.folder.Exists(place.name)) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = doing + ": no journal",
                 .hint = "nothing has been run here yet"};
  }
  const TemporaryFolder folder;
  const Root copies = SIBYL_TRY(Root::Open(folder.path()));
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Version before = VersionOf(place);
    if (Status status = Copy(place, copies); !status.ok()) {
      if (attempt + 1 == kAttempts) return While(doing, std::move(status).error());
      continue;
    }
    if (before != VersionOf(place)) continue;
    Result<Database> database = Database::Open(copies.Shown(place.name), Access::kReadWrite);
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
  std::string text =
      fmt::format("  {} {}{}: {} attempts, {} crashes, {} lost, {} released, {} to {}, {} bytes\n",
                  JobStateName(job.state), Harmless(job.name), job.is_last ? " (last)" : "",
                  job.attempts, job.crashes, job.lost, job.released, Moment(job.began),
                  Moment(job.ended), job.payload.size());
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
  if (!job.reason.empty()) text += fmt::format("    reason: {}\n", Harmless(OneLine(job.reason)));
  return text;
}

}  // namespace

std::string_view RunStateName(RunState state) {
  return kRunStates.at(static_cast<std::size_t>(state));
}

Result<RunState> ParseRunState(std::string_view name) {
  const auto* found = std::find(kRunStates.begin(), kRunStates.end(), name);
  if (found != kRunStates.end()) return static_cast<RunState>(found - kRunStates.begin());
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("the ledger: a run has the unknown state '{}'", name)};
}

JobSnapshot SnapshotOf(JobRow row) {
  JobSnapshot job{.name = std::move(row.name),
                  .fingerprint = std::move(row.fingerprint),
                  .is_last = row.is_last,
                  .state = row.state,
                  .attempts = row.attempts,
                  .crashes = row.crashes,
                  .lost = row.lost,
                  .released = row.released,
                  .holder = ParseProcessId(row.holder),
                  .progress = ParseProgress(row.progress),
                  .reason = std::move(row.reason),
                  .payload = std::move(row.payload),
                  .began = row.began,
                  .ended = row.ended};
  if (job.holder) job.life = LifeOf(*job.holder);
  if (row.is_expired.value_or(false)) job.life = Life::kGone;
  return job;
}

std::string_view ShownState(const JobSnapshot& job) {
  const bool is_lost = job.state == JobState::kRunning && job.life == Life::kGone;
  return is_lost ? "lost" : JobStateName(job.state);
}

LedgerCounts CountsOf(const Snapshot& snapshot) {
  LedgerCounts counts{.participants = snapshot.participants};
  for (const RunSnapshot& run : snapshot.runs) {
    if (run.state != RunState::kOpen) continue;
    ++counts.open_runs;
    for (const JobSnapshot& job : run.jobs) {
      if (!job.is_last) ++counts.parts[std::string(ShownState(job))];
    }
  }
  return counts;
}

Result<Snapshot> ReadSnapshot(Database& database) {
  SIBYL_TRY(CheckAndUpgrade(database));
  Snapshot snapshot;
  Statement runs = SIBYL_TRY(database.Prepare(
      "SELECT id, name, fingerprint, state, began, ended FROM run ORDER BY id DESC"));
  while (SIBYL_TRY(runs.Step())) {
    RunSnapshot run;
    run.id = runs.Integer(0);
    run.name = runs.Text(1);
    run.fingerprint = runs.Text(2);
    run.state = SIBYL_TRY(ParseRunState(runs.Text(3)));
    run.began = runs.Integer(4);
    run.ended = runs.Integer(5);
    for (JobRow& row : SIBYL_TRY(ReadJobs(database, run.id))) {
      run.jobs.push_back(SnapshotOf(std::move(row)));
    }
    snapshot.runs.push_back(std::move(run));
  }
  return snapshot;
}

bool RunSnapshot::is_worked_on() const {
  return state == RunState::kOpen &&
         std::any_of(jobs.begin(), jobs.end(), [](const JobSnapshot& job) {
           return job.state == JobState::kRunning && job.life != Life::kGone;
         });
}

Result<Snapshot> ReadSnapshot(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  Result<Root> root = Root::Open(folder);
  if (!root.ok()) return While("reading a journal", std::move(root).error());
  return ReadCopy({.folder = *std::move(root), .name = path.filename().string()},
                  [](Database& database) { return ReadSnapshot(database); });
}

Result<Snapshot> ReadSnapshot(const OwnFolder& own) {
  return ReadCopy({.folder = own.root(), .name = std::string(kJournalFile)},
                  [&own](Database& database) -> Result<Snapshot> {
                    SIBYL_TRY(CheckOrigin(database, own));
                    return ReadSnapshot(database);
                  });
}

Result<std::optional<OpenRun>> ReadOpenRun(const OwnFolder& own, std::string_view name) {
  const auto read = [&own, name](Database& database) -> Result<std::optional<OpenRun>> {
    SIBYL_TRY(CheckOrigin(database, own));
    SIBYL_TRY(CheckAndUpgrade(database));
    Statement open = SIBYL_TRY(database.Prepare(
        "SELECT id FROM run WHERE name=? AND state='open' ORDER BY id DESC LIMIT 1"));
    open.Bind(name);
    if (!SIBYL_TRY(open.Step())) return std::optional<OpenRun>();
    OpenRun run{.id = open.Integer(0), .jobs = {}};
    run.jobs = SIBYL_TRY(ReadJobs(database, run.id));
    return std::optional<OpenRun>(std::move(run));
  };
  return ReadCopy({.folder = own.root(), .name = std::string(kJournalFile)}, read);
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
