// SPDX-License-Identifier: Apache-2.0
// One run in a ledger: operations on its jobs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "runner/ledger.h"
#include "runner/runner.h"

namespace sibyl::runner {

/// A value; borrows the ledger.
class JobQueue {
 public:
  /// Finds the run or creates it.
  static Result<JobQueue> Begin(Ledger& ledger, const RunSpec& spec, Existing existing);
  /// A run by its number, as in a lease. Later calls fail if it is not open.
  static JobQueue Of(Ledger& ledger, std::int64_t run) { return JobQueue(ledger, {.run = run}); }
  /// The open run of that name; nothing when there is none.
  static Result<std::optional<JobQueue>> FindOpen(Ledger& ledger, std::string_view name);

  bool was_resumed() const { return begun_.was_resumed; }
  /// Of the run that Begin found.
  Standing standing() const { return begun_.standing; }
  std::int64_t run() const { return begun_.run; }

  /// Claims the next job that can run, for this process.
  Result<std::optional<Lease>> Claim(Claiming which, std::chrono::milliseconds lease);
  /// Claims a job for an agent or a person.
  Result<std::optional<Lease>> ClaimFor(const Claimant& claimant) {
    return ledger_->Claim(run(), claimant);
  }
  Result<Acceptance> Keep(const Lease& lease, std::string_view payload, std::string_view progress) {
    return ledger_->Keep(run(), lease, payload, progress);
  }
  Status PutBack(std::size_t place, std::string_view reason) {
    return ledger_->PutBack(run(), place, reason);
  }

  Result<Acceptance> Complete(const Lease& lease, std::string_view payload);
  /// Back into the queue for another attempt, or failed when that was the last.
  Result<Acceptance> Fail(const Lease& lease, std::string_view reason, int most_attempts);
  /// Back into the queue; no attempt is counted, and no loss.
  Result<Acceptance> Release(const Lease& lease, std::string_view reason);
  Result<Acceptance> Cancel(const Lease& lease, std::string_view reason);

  Result<std::vector<std::size_t>> Renew(const std::vector<Renewal>& renewals) {
    return ledger_->Renew(run(), renewals);
  }
  Result<Acceptance> Expire(const Lease& lease, Loss loss, const MostLosses& most) {
    return ledger_->Expire(run(), lease, loss, most);
  }
  Status CancelWaiting(std::string_view reason) { return ledger_->CancelWaiting(run(), reason); }

  Result<std::vector<JobRow>> Jobs() { return ledger_->Jobs(run()); }
  Result<std::vector<JobRow>> Changes(std::string& mark) { return ledger_->Changes(run(), mark); }
  Result<std::string> OpenName() { return ledger_->OpenName(run()); }

 private:
  JobQueue(Ledger& ledger, const BegunRun& begun) : ledger_(&ledger), begun_(begun) {}

  Ledger* ledger_;
  BegunRun begun_;
};

}  // namespace sibyl::runner
