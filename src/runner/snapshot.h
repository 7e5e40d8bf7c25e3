// SPDX-License-Identifier: Apache-2.0
// The state of a ledger at one moment, read from another process: during a run,
// after a kill, or a journal on a read-only disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/own_folder.h"
#include "base/result.h"
#include "runner/database.h"
#include "runner/ledger.h"
#include "runner/process_id.h"
#include "runner/runner.h"

namespace sibyl::runner {

struct JobSnapshot {
  std::string name;
  std::string fingerprint = {};
  bool is_last = false;
  JobState state = JobState::kWaiting;
  int attempts = 0;
  int crashes = 0;
  int lost = 0;
  int released = 0;
  std::optional<ProcessId> holder;  ///< Of a running job.
  Life life = Life::kUnknown;       ///< The holder's; kGone: the job is not running.
  Progress progress;
  std::string reason;
  std::string payload;
  std::int64_t began = 0;  ///< Seconds since 1970; 0: not yet.
  std::int64_t ended = 0;
};

enum class RunState : std::uint8_t { kOpen, kFinished, kSuperseded };

std::string_view RunStateName(RunState state);

struct RunSnapshot {
  std::int64_t id = 0;
  std::string name;
  std::string fingerprint;
  RunState state = RunState::kOpen;
  std::int64_t began = 0;
  std::int64_t ended = 0;
  std::vector<JobSnapshot> jobs;
  std::optional<Throttle> throttle = {};  ///< Of an open run whose parts wait for a limit.

  /// A holder is working on it, as far as can be determined.
  bool is_worked_on() const;
};

/// A process that is connected to a ledger of many machines, whether it holds a part
/// or waits for one.
struct Participant {
  std::string role;  ///< "worker", "expand"
  std::string host;
  std::int64_t process = 0;
  std::int64_t since = 0;  ///< Seconds since 1970.
};

struct Snapshot {
  std::vector<RunSnapshot> runs;  ///< The newest first.
  std::vector<Participant> participants = {};
};

/// What a monitor needs of the open runs.
struct LedgerCounts {
  std::int64_t open_runs = 0;
  std::map<std::string, std::int64_t, std::less<>> parts;  ///< By state; "lost" too.
  Spending spent;                                          ///< Of a ledger that holds limits.
  std::vector<Participant> participants;
};
LedgerCounts CountsOf(const Snapshot& snapshot);
/// "running", or "lost" if its holder is gone.
std::string_view ShownState(const JobSnapshot& job);

JobSnapshot SnapshotOf(JobRow row);
/// kCorrupt for an unknown name.
Result<RunState> ParseRunState(std::string_view name);

/// Writes nothing in the journal's folder: a copy is read. kNotFound if there
/// is no journal; kCorrupt if it is damaged or not signed by us.
Result<Snapshot> ReadSnapshot(const OwnFolder& own);
Result<Snapshot> ReadSnapshot(Database& database);
/// Any journal, whoever made it; only for showing it.
Result<Snapshot> ReadSnapshot(const std::filesystem::path& path);

/// The open run of that name, read in the same way; nothing when there is none.
Result<std::optional<OpenRun>> ReadOpenRun(const OwnFolder& own, std::string_view name);

/// Every row as text, for `sibyl dump`.
std::string FormatSnapshot(const Snapshot& snapshot);

}  // namespace sibyl::runner
