// SPDX-License-Identifier: Apache-2.0
// The ledger: runs, their jobs, who holds them and their outcomes. There are two
// implementations: the journal of one working copy, an SQLite file
// (runner/journal.h), and a PostgreSQL database that many machines share
// (runner/postgres/postgres_ledger.h). tests/ledger runs the same tests against
// both.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl::runner {

struct RunSpec;
struct Snapshot;
enum class Existing : std::uint8_t;

enum class JobState : std::uint8_t { kWaiting, kRunning, kDone, kFailed, kCancelled };

/// "waiting", "running", "done", "failed", "cancelled".
std::string_view JobStateName(JobState state);
std::optional<JobState> ParseJobState(std::string_view name);

struct Lease {
  std::size_t place = 0;   ///< Of the job in its run, from zero; the last job comes last.
  std::int64_t token = 0;  ///< Never reused in a run.
  int attempt = 1;
  bool is_last = false;
  // Of the job; in the answer of a claim only.
  std::int64_t run = 0;
  std::string name = {};
  std::string fingerprint = {};
  std::string payload = {};  ///< What an earlier holder has kept.
};

struct JobRow {
  std::size_t place = 0;
  std::string name;
  std::string fingerprint;
  bool is_last = false;
  JobState state = JobState::kWaiting;
  int attempts = 0;  ///< That ended with an outcome.
  // How its holders ended that left it without an outcome.
  int crashes = 0;   ///< Their process died while it ran the job.
  int lost = 0;      ///< They gave no sign for the length of their lease.
  int released = 0;  ///< They put it back: they were stopped or preempted.
  std::int64_t token = 0;
  std::string holder;  ///< A ProcessId; empty if the job is not held.
  std::int64_t heartbeat = 0;
  std::chrono::milliseconds lease{};
  /// Whether the lease of a running job is over by the ledger's own clock.
  /// Nothing: it has none, and an observer decides (runner/lease_watch.h).
  std::optional<bool> is_expired;
  std::string progress;
  std::string reason;
  std::string payload;
  std::int64_t began = 0;  ///< Seconds since 1970, for people; 0: not yet.
  std::int64_t ended = 0;
};

enum class Claiming : std::uint8_t { kAny, kOnlyLast, kNotLast };

/// A request for a job.
struct Claimant {
  std::string holder;  ///< A ProcessId, or any other name for a remote holder.
  std::chrono::milliseconds lease{};
  std::optional<std::size_t> place = {};  ///< This job; otherwise the first that waits.
  std::vector<std::size_t> except = {};   ///< None of these.
  Claiming which = Claiming::kNotLast;
};

enum class Acceptance : std::uint8_t {
  kAccepted,
  kRefused,  ///< The lease was lost; another holder has or had the job.
};

struct Renewal {
  Lease lease;
  std::optional<std::string> progress;  ///< What to note, if there is news.
};

/// How a holder's attempt ends.
struct Settlement {
  JobState state = JobState::kDone;
  std::string_view payload = {};  ///< Of kDone; an unfinished job keeps its holder's work.
  std::string_view reason = {};
  int attempts_more = 0;
};

/// Why a job is taken from its holder. A holder that is told to stop puts its
/// jobs back itself (Settle), which is neither.
enum class Loss : std::uint8_t {
  kCrashed,  ///< Its process has ended without putting the job back.
  kExpired,  ///< It gave no sign for the length of its lease: its machine may be gone.
};

/// After how many losses a job fails. A job that crashes its process does so
/// wherever it runs; machines that disappear say nothing about the job, so their
/// limit only ends what would otherwise go on forever.
struct MostLosses {
  int crashes = 5;
  int expired = 50;
};

/// A run that Begin joins with Existing::kJoin.
enum class Standing : std::uint8_t {
  kOpen,
  kFinished,  ///< By another process, after we opened the ledger.
  /// It has other jobs than those asked for, but another process runs its last
  /// job or has just finished it: what was asked for is outdated.
  kOverWithOtherJobs,
};

struct BegunRun {
  std::int64_t run = 0;
  bool was_resumed = false;
  Standing standing = Standing::kOpen;
};

/// Limits of a run over all its workers; 0: none. The newest caller of Begin sets
/// them.
struct RunLimits {
  std::string server;              ///< Which the jobs use.
  std::int64_t parts_at_once = 0;  ///< On this server, of all runs that use it.
  std::int64_t tokens_per_hour = 0;
  std::int64_t tokens = 0;
  std::int64_t money_millionths = 0;
};

struct Spending {
  std::int64_t tokens = 0;
  std::int64_t money_millionths = 0;
};

enum class Allowance : std::uint8_t {
  kReserved,
  kLater,  ///< The tokens of this hour are used up.
  /// Requests that are under way may take what is left of a limit of the run.
  kUnderWay,
  kNever,  ///< A limit of the run would be exceeded.
};

/// Work that waits for the limit of tokens an hour.
struct Throttle {
  std::int64_t tokens_per_hour = 0;
  std::chrono::seconds left{};  ///< Until enough of them are free again.
};

/// "waiting for the limit of 60000 tokens an hour, about 12 minutes"
std::string ThrottleText(const Throttle& throttle);

/// An open run, for those who choose what to work on.
struct RunInfo {
  std::int64_t id = 0;
  std::string name;
  bool has_waiting = false;  ///< A job other than the last.
  std::size_t running = 0;   ///< Jobs other than the last.
};

struct OpenRun {
  std::int64_t id = 0;
  std::vector<JobRow> jobs;  ///< In their order.
};

/// Stops the calls when it is destroyed.
class ChangeWatch {
 public:
  virtual ~ChangeWatch() = default;
};

/// One thread at a time; must not be used across a fork. Every operation is
/// durable when it returns ok, and nothing has changed when it fails, except
/// that after kUnavailable a later look decides. A holder is identified by its
/// token; a write with an old token is refused.
class Ledger {
 public:
  Ledger() = default;
  virtual ~Ledger() = default;

  /// Which ledger it is, for messages and to tell ledgers apart.
  virtual std::string place() const = 0;
  /// Where a file is now that was moved aside, from the oracle.
  virtual std::optional<std::string> moved_aside() const { return std::nullopt; }
  /// A keyed hash by which an agent proves that it holds a lease. It is valid
  /// for this ledger only, and wherever this ledger is used.
  virtual std::string SignLease(std::string_view lease) const = 0;

  /// Finds the run or creates it; jobs of a superseded run keep their payload
  /// if name and fingerprint are the same.
  virtual Result<BegunRun> Begin(const RunSpec& spec, Existing existing) = 0;
  /// The open run of that name.
  virtual Result<std::optional<std::int64_t>> FindOpen(std::string_view name) = 0;
  /// The name of a run. kUnavailable if it is no longer open.
  virtual Result<std::string> OpenName(std::int64_t run) = 0;
  /// Ends a run whose last job was finished by other means than RunJobs, as if
  /// it had been run, so that it is not resumed. Does nothing if there is no
  /// such run.
  virtual Status FinishRun(std::string_view name, std::string_view payload) = 0;

  /// All jobs of a run, in order. kUnavailable if it was superseded.
  virtual Result<std::vector<JobRow>> Jobs(std::int64_t run) = 0;
  /// The jobs that may have changed since `mark` was set and those that are
  /// running, in order and without their payloads; all for an empty mark. Sets
  /// the mark.
  virtual Result<std::vector<JobRow>> Changes(std::int64_t run, std::string& mark) = 0;

  /// The open runs of this oracle, the oldest first.
  virtual Result<std::vector<RunInfo>> OpenRuns() = 0;
  /// The jobs that are held, in order and without their payloads.
  virtual Result<std::vector<JobRow>> Running(std::int64_t run) = 0;

  /// Claims the next job that can run. The last job can run when all others
  /// have ended, and while no other run of the oracle is in its last job: so there
  /// is one publisher at a time, for as long as it keeps its lease. Nothing: none
  /// can run at present.
  virtual Result<std::optional<Lease>> Claim(std::int64_t run, const Claimant& claimant) = 0;
  /// Stores a holder's intermediate result with the job until it is done, even if
  /// the lease is lost; and renews the lease.
  virtual Result<Acceptance> Keep(std::int64_t run, const Lease& lease, std::string_view payload,
                                  std::string_view progress) = 0;
  virtual Result<Acceptance> Settle(std::int64_t run, const Lease& lease,
                                    const Settlement& settlement) = 0;
  /// A sign of life for each; the places of those that were lost.
  virtual Result<std::vector<std::size_t>> Renew(std::int64_t run,
                                                 const std::vector<Renewal>& renewals) = 0;
  /// Takes a job from a holder that is gone; it fails after `most` of them.
  virtual Result<Acceptance> Expire(std::int64_t run, const Lease& lease, Loss loss,
                                    const MostLosses& most) = 0;
  /// A job that is done waits again, since what it was done for has changed.
  virtual Status PutBack(std::int64_t run, std::size_t place, std::string_view reason) = 0;
  /// Cancels jobs that have not started, unless a process is working on the run.
  virtual Status CancelWaiting(std::int64_t run, std::string_view reason) = 0;

  /// The same ledger for another thread; only of one that holds the limits of runs.
  virtual Result<std::unique_ptr<Ledger>> Another() const;

  /// Whether the ledger holds the limits of runs over all workers. If not, each
  /// process holds its own.
  virtual bool holds_limits() const { return false; }
  /// Reserves what a request may take; `name` is unique.
  virtual Result<Allowance> Reserve(std::int64_t run, const std::string& name,
                                    const Spending& most);
  /// Whether that many tokens more have to wait for the hour's limit of the run, and how long.
  virtual Result<std::optional<Throttle>> ThrottleOf(std::int64_t run, std::int64_t tokens);
  /// Replaces a reservation by what was spent.
  virtual Status Spend(const std::string& name, const Spending& spent);

  /// Everything, for people.
  virtual Result<Snapshot> ReadAll() = 0;

  /// Calls `changed` from another thread when a job may have become free or a
  /// run may have ended. Null: look regularly. A look now and then is necessary
  /// in any case.
  virtual std::unique_ptr<ChangeWatch> Watch(std::function<void()> changed);

 protected:
  Ledger(const Ledger&) = default;
  Ledger(Ledger&&) = default;
  Ledger& operator=(const Ledger&) = default;
  Ledger& operator=(Ledger&&) = default;
};

/// "at most 64 MiB": kUsage for a longer payload.
Status CheckPayload(std::string_view payload);
Error Superseded();
/// kCorrupt for a number that no ledger of ours contains.
Result<int> SmallNumber(std::int64_t number);
/// kUsage if two jobs have the same name.
Status CheckSpec(const RunSpec& spec);
enum class Compared : std::uint8_t { kNamesAndFingerprints, kNames };
bool HasSameJobs(const std::vector<JobRow>& rows, const RunSpec& spec, Compared compared);
/// Whether a process that may be alive runs the last job.
bool IsInLastJob(const std::vector<JobRow>& rows);
/// How a job goes on that was taken from its holder for the `count`-th time: it
/// waits again or has failed, with the reason. Borrows `reason`.
Settlement AfterLoss(Loss loss, int count, const MostLosses& most, std::string& reason);

/// What an outcome adds to the counts of a job.
struct Counted {
  int crashes = 0;
  int lost = 0;
  int released = 0;
};
/// Of a settlement by the holder itself.
Counted CountOf(const Settlement& settlement);
Counted CountOf(Loss loss);

}  // namespace sibyl::runner
