// SPDX-License-Identifier: Apache-2.0
// Start here: runs named jobs in parallel and records their outcomes in a
// ledger, so that a killed run can be resumed, and several processes can work
// on one run.
//
// A job is a name, a fingerprint of all it depends on, and a function; this
// room does not depend on what jobs do. docs/formats/journal.md describes
// leases and the file; docs/decisions/0030 explains why wall clocks are not
// compared. What records the jobs is in runner/ledger.h.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stopwatch.h"
#include "runner/ledger.h"

namespace sibyl::runner {

/// A count as the value of a figure.
inline std::int64_t FigureValue(std::size_t count) { return static_cast<std::int64_t>(count); }

/// Progress of a job, for people: its step, and figures such as {"citations",
/// 12} that only the job and the board interpret.
struct Figure {
  std::string name;
  std::int64_t value = 0;
};
struct Progress {
  std::string step;
  std::vector<Figure> figures;
  std::vector<std::string> findings = {};  ///< What was wrong with its work, one line each.
};

/// The runner's interface for a job; owned by the runner, valid while the job
/// runs.
class JobContext {
 public:
  virtual ~JobContext() = default;

  /// 1, or 2 when the first attempt failed: a job may then try harder.
  virtual int attempt() const = 0;
  /// Requested by Ctrl-C, by a time limit, or because another process took over
  /// the job. A job must check it at least every second; the run cannot end
  /// before its jobs return.
  virtual std::stop_token stop() const = 0;
  /// Thread-safe and cheap; may be called often.
  virtual void Report(Progress progress) = 0;
  /// Stores bytes with the job: the payload of its outcome if it fails. At most 64 MiB.
  virtual void Keep(std::string /*payload*/) {}  // NOLINT: who keeps it takes it over
  /// What an earlier holder of the job has kept; empty: nothing.
  virtual std::string_view kept_before() const { return {}; }
};

/// The result of a job: bytes that it can parse again, since a resumed run
/// returns them instead of running the job. At most 64 MiB.
using Work = std::function<Result<std::string>(JobContext&)>;

struct Job {
  std::string name;         ///< Unique in its run.
  std::string fingerprint;  ///< Of everything that the payload depends on.
  Work work;
  int most_attempts = 2;
};

struct JobOutcome {
  std::string name;
  /// kDone, kFailed or kCancelled; and kWaiting or kRunning for what another
  /// process still has to do when this one had to leave.
  JobState state = JobState::kWaiting;
  /// Of kDone; of kFailed what it kept before. Of older runs the ledger keeps the first line.
  std::string payload;
  std::string reason;  ///< Of kFailed and kCancelled.
  int attempts = 0;
  bool was_known = false;               ///< The journal had it: nothing was run for it.
  std::chrono::milliseconds elapsed{};  ///< Of the last attempt, when it ran here.
};

/// Runs alone, once, after every other job has an outcome, whichever it is.
struct LastJob {
  std::string name;
  std::function<Result<std::string>(JobContext&, const std::vector<JobOutcome>&)> work;
};

struct RunSpec {
  std::string name;         ///< What is run: the path of a plan.
  std::string fingerprint;  ///< Of its content: another one is another run.
  std::vector<Job> jobs;
  std::optional<LastJob> last;
  RunLimits limits = {};
};

struct Totals {
  std::size_t waiting = 0;
  std::size_t running = 0;
  std::size_t done = 0;
  std::size_t failed = 0;
  std::size_t cancelled = 0;
};

enum class EventKind : std::uint8_t {
  kStarted,
  kStep,
  kRetried,   ///< An attempt failed; there will be another.
  kFinished,  ///< Has an outcome, see `state`.
  kReleased,  ///< Interrupted, or lost to another process: back in the queue.
  kTick,      ///< Nothing happened for a while: time to redraw what shows time.
};

struct Event {
  EventKind kind = EventKind::kTick;
  std::string job;  ///< Empty for a tick.
  JobState state = JobState::kWaiting;
  int attempt = 0;
  Progress progress;
  std::string reason;
  std::chrono::milliseconds elapsed{};      ///< Of the job's attempt.
  std::chrono::milliseconds run_elapsed{};  ///< Since this process joined.
  Totals totals;
  bool is_in_other_process = false;  ///< Another process runs it, or did.
  bool is_last = false;              ///< The run's last job; not counted in the totals.
  /// For kStarted in another process: its holder, as JobRow::holder, and how
  /// long its heartbeat may stay unchanged.
  std::string holder = {};
  std::chrono::milliseconds lease{};
};

enum class Existing : std::uint8_t {
  kResume,   ///< An unfinished run in the journal is resumed.
  kRestart,  ///< Every job is run again.
  /// As kResume, but an open run with jobs of the same names is resumed
  /// whatever their fingerprints. For runs with work by people or agents, which
  /// must not be discarded because an input changed.
  kJoin,
};

struct RunOptions {
  std::size_t jobs = 1;  ///< At a time, in this process.
  std::stop_token stop;
  Existing existing = Existing::kResume;
  /// After this time jobs are asked to stop and the last job runs with what is
  /// done. The last job itself has no limit.
  std::optional<std::chrono::milliseconds> max_time;
  std::optional<std::chrono::milliseconds> max_job_time;
  /// A holder whose heartbeat is unchanged for this long loses its job.
  std::chrono::milliseconds lease{30'000};
  std::chrono::milliseconds heartbeat{5'000};
  /// A job that lost its holder this often fails instead of being retried: it may
  /// be what ends them.
  MostLosses most_losses = {};
  /// Called once, before `listener`, with the jobs as the journal has them: those
  /// of a resumed run may have an outcome already.
  std::function<void(const std::vector<JobOutcome>&)> joined;
  /// Both are called on the thread that called RunJobs; they must not throw.
  std::function<void(const Event&)> listener;
  const Stopwatch* stopwatch = &SystemStopwatch();  ///< Borrowed.
};

enum class Ending : std::uint8_t {
  kFinished,     ///< Every job has an outcome and the last one is done.
  kInterrupted,  ///< By RunOptions::stop; running it again resumes.
  kTimeSpent,    ///< The time limit was reached.
  kLastFailed,   ///< Running it again tries the last job alone.
};

struct RunReport {
  std::vector<JobOutcome> jobs;    ///< In the order of the spec.
  std::optional<JobOutcome> last;  ///< When the spec has one.
  Ending ending = Ending::kFinished;
  bool was_resumed = false;  ///< The journal knew this run.
};

/// Runs to the end of the run, together with other processes on the same run. A
/// failed job is an outcome. An Error means that the ledger cannot be read or
/// written, or that the run was superseded (kUnavailable); then none of our
/// jobs is left running, and recorded results stay.
///
/// `ledger` must not be used by others during this call.
Result<RunReport> RunJobs(Ledger& ledger, const RunSpec& spec, const RunOptions& options);

}  // namespace sibyl::runner
