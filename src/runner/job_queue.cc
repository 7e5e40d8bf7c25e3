// SPDX-License-Identifier: Apache-2.0
#include "runner/job_queue.h"

#include "runner/process_id.h"

namespace sibyl::runner {

Result<JobQueue> JobQueue::Begin(Ledger& ledger, const RunSpec& spec, Existing existing) {
  return JobQueue(ledger, SIBYL_TRY(ledger.Begin(spec, existing)));
}

Result<std::optional<JobQueue>> JobQueue::FindOpen(Ledger& ledger, std::string_view name) {
  const std::optional<std::int64_t> run = SIBYL_TRY(ledger.FindOpen(name));
  if (!run) return std::optional<JobQueue>();
  return std::optional<JobQueue>(JobQueue(ledger, {.run = *run}));
}

Result<std::optional<Lease>> JobQueue::Claim(Claiming which, std::chrono::milliseconds lease) {
  return ledger_->Claim(run(),
                        {.holder = FormatProcessId(ThisProcess()), .lease = lease, .which = which});
}

Result<Acceptance> JobQueue::Complete(const Lease& lease, std::string_view payload) {
  SIBYL_TRY(CheckPayload(payload));
  return ledger_->Settle(run(), lease,
                         {.state = JobState::kDone, .payload = payload, .attempts_more = 1});
}

Result<Acceptance> JobQueue::Fail(const Lease& lease, std::string_view reason, int most_attempts) {
  const bool again = lease.attempt < most_attempts;
  return ledger_->Settle(run(), lease,
                         {.state = again ? JobState::kWaiting : JobState::kFailed,
                          .reason = reason,
                          .attempts_more = 1});
}

Result<Acceptance> JobQueue::Release(const Lease& lease, std::string_view reason) {
  return ledger_->Settle(run(), lease, {.state = JobState::kWaiting, .reason = reason});
}

Result<Acceptance> JobQueue::Cancel(const Lease& lease, std::string_view reason) {
  return ledger_->Settle(run(), lease, {.state = JobState::kCancelled, .reason = reason});
}

}  // namespace sibyl::runner
