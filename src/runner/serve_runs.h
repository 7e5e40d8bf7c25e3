// SPDX-License-Identifier: Apache-2.0
// A worker: takes jobs of the open runs of a ledger in turns. It begins and ends
// no run, does no last job, and keeps no rows in memory, however many jobs there
// are. Any number of workers may share a ledger, beside RunJobs.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stopwatch.h"
#include "runner/ledger.h"
#include "runner/runner.h"

namespace sibyl::runner {

/// What a worker can do. Called on the thread that called ServeRuns.
class JobSource {
 public:
  virtual ~JobSource() = default;
  /// Whether jobs of the run are wanted; asked often.
  virtual bool Wants(const RunInfo& run) = 0;
  /// The work of a job that was claimed. An Error says why it cannot be done
  /// here: then it waits for another worker.
  virtual Result<Work> WorkOf(const RunInfo& run, const Lease& job) = 0;
  /// Places of jobs of the run that cannot be done here; not claimed.
  virtual std::vector<std::size_t> Refused(const RunInfo& /*run*/) { return {}; }
};

struct ServedJob {
  const RunInfo& run;
  const std::string& name;
  EventKind kind = EventKind::kStarted;  ///< kStarted, kStep, kRetried, kFinished, kReleased.
  JobState state = JobState::kRunning;
  Progress progress = {};
  std::string reason = {};
};

struct ServeOptions {
  std::size_t jobs = 1;  ///< At a time.
  /// Jobs that run are asked to stop and wait again, with what they have kept.
  std::stop_token stop;
  /// A job that has not stopped by then waits again all the same, before a
  /// scheduler kills this process: what it makes afterwards is discarded.
  std::chrono::milliseconds grace{10'000};
  std::optional<std::size_t> max_jobs = {};  ///< That were done or failed here; then it ends.
  /// Ends when every job of the wanted runs has an outcome, the last ones and those that are
  /// refused here aside.
  bool until_idle = false;
  std::chrono::milliseconds lease{30'000};
  std::chrono::milliseconds heartbeat{5'000};
  std::chrono::milliseconds look{500};  ///< How often to look without a notification.
  int most_attempts = 2;
  MostLosses most_losses = {};
  std::function<void(const ServedJob&)> listener = {};
  /// What the waiting jobs of a run wait for, when that is new.
  std::function<void(const RunInfo& run, const std::string& what)> waits = {};
  const Stopwatch* stopwatch = &SystemStopwatch();  ///< Borrowed.
};

struct ServeReport {
  std::size_t done = 0;
  std::size_t failed = 0;
  std::size_t retried = 0;   ///< Attempts that failed, and wait again.
  std::size_t released = 0;  ///< Put back because of the stop, or because they cannot be done here.
  std::size_t lost = 0;      ///< Taken over by others.
};

/// An Error means that the ledger cannot be read or written.
Result<ServeReport> ServeRuns(Ledger& ledger, JobSource& source, const ServeOptions& options);

}  // namespace sibyl::runner
