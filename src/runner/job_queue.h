// SPDX-License-Identifier: Apache-2.0
// One run in the journal: operations on its jobs, one transaction each. A
// holder is identified by its token; an old token is refused.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runner/journal.h"
#include "runner/runner.h"

namespace sibyl::runner {

struct Lease {
  std::size_t place = 0;   ///< Of the job in its run, from zero; the last job comes last.
  std::int64_t token = 0;  ///< Never reused in a run.
  int attempt = 1;
  bool is_last = false;
};

struct JobRow {
  std::size_t place = 0;
  std::string name;
  std::string fingerprint;
  bool is_last = false;
  JobState state = JobState::kWaiting;
  int attempts = 0;  ///< That ended with an outcome.
  int losses = 0;    ///< Holders that were lost.
  std::int64_t token = 0;
  std::string holder;  ///< A ProcessId; empty if the job is not held.
  std::int64_t heartbeat = 0;
  std::chrono::milliseconds lease{};
  std::string progress;
  std::string reason;
  std::string payload;
  std::int64_t began = 0;  ///< Seconds since 1970, for people; 0: not yet.
  std::int64_t ended = 0;
};

/// All jobs of a run, in order. kCorrupt if a row is invalid.
Result<std::vector<JobRow>> ReadJobs(Database& database, std::int64_t run);

enum class Claiming : std::uint8_t { kAny, kOnlyLast };
enum class Acceptance : std::uint8_t {
  kAccepted,
  kRefused,  ///< The lease was lost; another holder has or had the job.
};

/// A request for a job by an agent or a person.
struct Claimant {
  std::string holder;  ///< A ProcessId, or any other name for a remote holder.
  std::chrono::milliseconds lease{};
  std::optional<std::size_t> place = {};  ///< This job; otherwise the first that waits.
};

struct Renewal {
  Lease lease;
  std::optional<std::string> progress;  ///< What to note, if there is news.
};

/// A run that Begin joins with Existing::kJoin.
enum class Standing : std::uint8_t {
  kOpen,
  kFinished,  ///< By another process, after we opened the journal.
  /// It has other jobs than those asked for, but another process runs its last
  /// job or has just finished it: what was asked for is outdated.
  kOverWithOtherJobs,
};

class JobQueue {
 public:
  /// Finds the run or creates it; jobs of a superseded run keep their payload
  /// if name and fingerprint are the same. `journal` is borrowed.
  static Result<JobQueue> Begin(Journal& journal, const RunSpec& spec, Existing existing);

  /// A run by its number, as in a lease. Later calls fail if it is not open.
  static JobQueue Of(Journal& journal, std::int64_t run) { return JobQueue(journal, run); }

  /// The open run of that name; nothing when there is none.
  static Result<std::optional<JobQueue>> FindOpen(Journal& journal, std::string_view name);

  bool was_resumed() const { return was_resumed_; }
  /// Of the run that Begin found.
  Standing standing() const { return standing_; }
  std::int64_t run() const { return run_; }

  /// Claims the next job that can run. The last job can run when all others
  /// have ended. Nothing: none can run at present.
  Result<std::optional<Lease>> Claim(Claiming which, std::chrono::milliseconds lease);

  /// Claims a job for an agent or a person: never the last job.
  Result<std::optional<Lease>> ClaimFor(const Claimant& claimant);
  /// Stores a holder's intermediate result with the job until it is done, even if the lease is
  /// lost; and renews the lease.
  Result<Acceptance> Keep(const Lease& lease, std::string_view payload, std::string_view progress);
  /// A job that is done waits again, since what it was done for has changed.
  Status PutBack(std::size_t place, std::string_view reason);

  Result<Acceptance> Complete(const Lease& lease, std::string_view payload);
  /// Back into the queue for another attempt, or failed when that was the last.
  Result<Acceptance> Fail(const Lease& lease, std::string_view reason, int most_attempts);
  /// Back into the queue; no attempt is counted.
  Result<Acceptance> Release(const Lease& lease, std::string_view reason);
  Result<Acceptance> Cancel(const Lease& lease, std::string_view reason);

  /// A sign of life for each; the places of those that were lost.
  Result<std::vector<std::size_t>> Renew(const std::vector<Renewal>& renewals);
  /// Takes a job from a holder that is gone.
  Result<Acceptance> Expire(const Lease& lease, int most_losses);
  /// Cancels jobs that have not started, unless a process is working on the run.
  Status CancelWaiting(std::string_view reason);

  Result<std::vector<JobRow>> Jobs();
  /// The name of the run. kUnavailable if it is no longer open.
  Result<std::string> OpenName();

 private:
  JobQueue(Journal& journal, std::int64_t run) : journal_(&journal), run_(run) {}

  struct Settling {
    std::string_view state;
    std::string_view payload;
    std::string_view reason;
    int attempts_more = 0;
    int losses_more = 0;
  };
  Result<Acceptance> Settle(const Lease& lease, const Settling& settling);
  Status Grant(Lease& lease, std::string_view holder, std::chrono::milliseconds length);
  Status FinishIfOver();
  Result<bool> IsOpen();

  Journal* journal_;
  std::int64_t run_;
  bool was_resumed_ = false;
  Standing standing_ = Standing::kOpen;
};

}  // namespace sibyl::runner
