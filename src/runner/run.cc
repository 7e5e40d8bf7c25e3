// SPDX-License-Identifier: Apache-2.0
// The thread that called RunJobs: it claims, starts, listens, journals and decides.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/strings.h"
#include "runner/job_activity.h"
#include "runner/job_queue.h"
#include "runner/lease_watch.h"
#include "runner/progress.h"
#include "runner/run_progress.h"
#include "runner/runner.h"
#include "runner/workers.h"

namespace sibyl::runner {
namespace {

using std::chrono::milliseconds;

// How long a turn waits for something to happen; also how late a ceiling or
// an interruption may be noticed.
constexpr milliseconds kTurn{50};
// How often to read other processes' changes and write progress.
constexpr milliseconds kLook{500};
constexpr milliseconds kTick{200};

std::string Spoken(milliseconds time) {
  if (time < std::chrono::minutes(2)) {
    return fmt::format("{:.3g} s", static_cast<double>(time.count()) / 1000);
  }
  return fmt::format("{:.3g} min", static_cast<double>(time.count()) / 60'000);
}

Error OtherJobs() {
  return {.kind = ErrorKind::kCorrupt,
          .message = "the ledger: the jobs of this run have changed since it started"};
}

class RunInProgress {
 public:
  RunInProgress(Ledger& ledger, const JobQueue& queue, const RunSpec& spec,
                const RunOptions& options, std::vector<JobRow> jobs)
      : ledger_(ledger), queue_(queue), spec_(spec), options_(options), state_(std::move(jobs)) {
    began_ = Now();
    next_heartbeat_ = began_ + options_.heartbeat;
    next_look_ = next_tick_ = began_;
    changes_ = ledger.Watch([this] {
      has_changed_ = true;
      mailbox_.Wake();
    });
  }

  RunInProgress(const RunInProgress&) = delete;
  RunInProgress& operator=(const RunInProgress&) = delete;
  // Request a stop of all before waiting for one.
  ~RunInProgress() {
    for (auto& [place, job] : running_) job.thread.request_stop();
  }

  Status Loop();
  RunReport Report() const {
    RunReport report = state_.Report();
    report.was_resumed = queue_.was_resumed();
    return report;
  }

 private:
  milliseconds Now() const { return options_.stopwatch->Read(); }
  const Job* JobAt(std::size_t place) const {
    return place < spec_.jobs.size() ? &spec_.jobs[place] : nullptr;
  }
  Status TakeMessages();
  Status TakeResult(RunningJob& job, Result<std::string> result);
  Status TakeFailure(RunningJob& job, const Error& error);
  Status Keep(const RunningJob& job, std::string payload);
  Status Accept(RunningJob& job, JobState state, Result<Acceptance> accepted, std::string reason);
  Status GiveSignOfLife();
  Result<std::vector<JobRow>> ReadRows();
  Status ReadPayloads();
  Status Look();
  Status LookAt(const JobRow& row);
  void EnforceTimeLimits();
  Status ClaimMore();
  void Start(const Lease& lease);
  Result<bool> IsOver();
  void Tell(EventKind kind, const JobRow& row, const RunningJob* job);
  void TellTick();

  const Ledger& ledger_;
  JobQueue queue_;
  const RunSpec& spec_;
  const RunOptions& options_;
  RunProgress state_;
  LeaseWatch watch_;
  milliseconds began_{};
  milliseconds next_heartbeat_{};
  milliseconds next_look_{};
  milliseconds next_tick_{};
  std::string mark_;              // of the changes that were read
  bool misses_payloads_ = false;  // of jobs that others finished
  std::atomic<bool> has_changed_ = false;
  std::set<std::int64_t> told_tokens_;  // of jobs that others run
  Mailbox mailbox_;
  // Behind the mailbox, which its threads use until they are joined.
  std::map<std::size_t, RunningJob> running_;
  std::unique_ptr<ChangeWatch> changes_;  // wakes the mailbox until it is destroyed
};

Status RunInProgress::Loop() {
  const std::stop_callback wake(options_.stop, [this] { mailbox_.Wake(); });
  if (options_.joined) options_.joined(state_.Outcomes());
  while (true) {
    EnforceTimeLimits();
    SIBYL_TRY(GiveSignOfLife());
    SIBYL_TRY(Look());
    SIBYL_TRY(ClaimMore());
    if (running_.empty() && SIBYL_TRY(IsOver())) return ReadPayloads();
    TellTick();
    SIBYL_TRY(TakeMessages());
  }
}

Status RunInProgress::TakeMessages() {
  for (Message& message : mailbox_.Take(kTurn)) {
    const auto found = running_.find(message.lease.place);
    if (found == running_.end() || found->second.lease.token != message.lease.token) continue;
    RunningJob& job = found->second;
    if (message.progress) {
      job.progress = *std::move(message.progress);
      job.has_news = true;
      Tell(EventKind::kStep, state_.rows[job.lease.place], &job);
    }
    if (message.kept) SIBYL_TRY(Keep(job, *std::move(message.kept)));
    if (message.result) {
      job.thread.join();  // it has posted its last message
      const Status taken = TakeResult(job, *std::move(message.result));
      running_.erase(found);
      SIBYL_TRY(taken);
    }
  }
  return {};
}

// A lease that is lost is noticed when the job ends.
Status RunInProgress::Keep(const RunningJob& job, std::string payload) {
  const Acceptance accepted =
      SIBYL_TRY(queue_.Keep(job.lease, payload, FormatProgress(job.progress)));
  if (accepted == Acceptance::kAccepted) state_.rows[job.lease.place].payload = std::move(payload);
  return {};
}

Status RunInProgress::TakeResult(RunningJob& job, Result<std::string> result) {
  JobRow& row = state_.rows[job.lease.place];
  state_.elapsed[row.place] = Now() - job.began;
  if (!result.ok()) return TakeFailure(job, result.error());
  // The last progress stays with the job: later runs read what it took.
  if (std::exchange(job.has_news, false)) {
    SIBYL_TRY(queue_.Renew({{.lease = job.lease, .progress = FormatProgress(job.progress)}}));
  }
  // Asked to stop and done all the same: a result is a result.
  Result<Acceptance> accepted = queue_.Complete(job.lease, *result);
  if (accepted.ok() && *accepted == Acceptance::kAccepted) row.payload = *std::move(result);
  return Accept(job, JobState::kDone, std::move(accepted), "");
}

Status RunInProgress::TakeFailure(RunningJob& job, const Error& error) {
  const Job* spec = JobAt(job.lease.place);
  if (job.stopped == StopReason::kLost) {
    return Accept(job, JobState::kWaiting, Acceptance::kRefused, "another process took it over");
  }
  if (job.stopped == StopReason::kInterrupted) {
    const std::string reason = "interrupted";
    return Accept(job, JobState::kWaiting, queue_.Release(job.lease, reason), reason);
  }
  if (job.stopped == StopReason::kTimeSpent) {
    const std::string reason =
        fmt::format("the run's time limit of {} was reached", Spoken(*options_.max_time));
    return Accept(job, JobState::kCancelled, queue_.Cancel(job.lease, reason), reason);
  }
  std::string reason = error.message;
  if (job.stopped == StopReason::kJobTime) {
    reason =
        fmt::format("exceeded its time limit of {}: {}", Spoken(*options_.max_job_time), reason);
  }
  const int most_attempts = spec != nullptr ? spec->most_attempts : 1;
  const bool again = job.lease.attempt < most_attempts;
  return Accept(job, again ? JobState::kWaiting : JobState::kFailed,
                queue_.Fail(job.lease, reason, most_attempts), reason);
}

Status RunInProgress::Accept(RunningJob& job, JobState state, Result<Acceptance> accepted,
                             std::string reason) {
  if (!accepted.ok()) return std::move(accepted).error();
  JobRow& row = state_.rows[job.lease.place];
  if (*accepted == Acceptance::kRefused) {
    // Others have changed it, perhaps before the last look: read everything soon.
    next_look_ = Now();
    mark_.clear();
    row.state = JobState::kWaiting;
    row.reason = kTakenOver;
    Tell(EventKind::kReleased, row, &job);
    return {};
  }
  row.state = state;
  row.reason = std::move(reason);
  row.token = job.lease.token;
  const bool was_tried = state == JobState::kDone || job.stopped == StopReason::kNone ||
                         job.stopped == StopReason::kJobTime;
  if (was_tried) row.attempts = job.lease.attempt;
  const EventKind kind = state != JobState::kWaiting ? EventKind::kFinished
                         : was_tried                 ? EventKind::kRetried
                                                     : EventKind::kReleased;
  Tell(kind, row, &job);
  return {};
}

// A heartbeat for all of ours in one transaction, and the progress since the
// last. A lease that is lost ends its job; the result would be refused anyway.
Status RunInProgress::GiveSignOfLife() {
  const milliseconds now = Now();
  const bool has_news =
      now >= next_look_ && std::any_of(running_.begin(), running_.end(),
                                       [](const auto& entry) { return entry.second.has_news; });
  if (running_.empty() || (now < next_heartbeat_ && !has_news)) return {};
  next_heartbeat_ = now + options_.heartbeat;
  std::vector<Renewal> renewals;
  for (auto& [place, job] : running_) {
    renewals.push_back({.lease = job.lease, .progress = {}});
    if (std::exchange(job.has_news, false)) {
      renewals.back().progress = FormatProgress(job.progress);
    }
  }
  const std::vector<std::size_t> lost = SIBYL_TRY(queue_.Renew(renewals));
  for (const std::size_t place : lost) running_.at(place).Stop(StopReason::kLost);
  return {};
}

Result<std::vector<JobRow>> RunInProgress::ReadRows() {
  std::vector<JobRow> rows = SIBYL_TRY(queue_.Jobs());
  if (rows.size() != state_.rows.size()) return OtherJobs();
  misses_payloads_ = false;
  return rows;
}

// For the report, of jobs that others finished.
Status RunInProgress::ReadPayloads() {
  if (!misses_payloads_ || state_.leaving == StopReason::kInterrupted) return {};
  state_.rows = SIBYL_TRY(ReadRows());
  return {};
}

Status RunInProgress::Look() {
  const milliseconds now = Now();
  if (!has_changed_.exchange(false) && now < next_look_) return {};
  next_look_ = now + kLook;
  for (const JobRow& row : SIBYL_TRY(queue_.Changes(mark_))) {
    if (row.place >= state_.rows.size()) return OtherJobs();
    if (!running_.contains(row.place)) SIBYL_TRY(LookAt(row));
  }
  return {};
}

// A job that is not ours at the moment: has its holder finished it, or gone?
Status RunInProgress::LookAt(const JobRow& row) {
  JobRow& known = state_.rows[row.place];
  const JobState before = known.state;
  std::string payload = std::move(known.payload);
  const bool was_over = before == JobState::kDone || before == JobState::kFailed;
  const bool has_payload = was_over && known.token == row.token;
  known = row;
  if (has_payload) known.payload = std::move(payload);
  misses_payloads_ =
      misses_payloads_ ||
      ((row.state == JobState::kDone || row.state == JobState::kFailed) && !has_payload);
  if (row.state == JobState::kRunning) {
    // Also jobs that were held before we started: this run waits for them.
    if (told_tokens_.insert(row.token).second) Tell(EventKind::kStarted, row, nullptr);
    const std::optional<Loss> loss = LossOf(row, watch_, Now());
    if (!loss) return {};
    const Acceptance accepted = SIBYL_TRY(
        queue_.Expire({.place = row.place, .token = row.token}, *loss, options_.most_losses));
    if (accepted == Acceptance::kRefused) return {};  // it was not gone after all
    known = SIBYL_TRY(ReadRows()).at(row.place);
    Tell(known.state == JobState::kFailed ? EventKind::kFinished : EventKind::kReleased, known,
         nullptr);
    return {};
  }
  const bool has_outcome = row.state == JobState::kDone || row.state == JobState::kFailed;
  if (has_outcome && before != row.state) Tell(EventKind::kFinished, row, nullptr);
  return {};
}

void RunInProgress::EnforceTimeLimits() {
  const milliseconds now = Now();
  if (options_.stop.stop_requested()) {
    state_.leaving = StopReason::kInterrupted;
  } else if (options_.max_time && now - began_ >= *options_.max_time &&
             state_.leaving == StopReason::kNone) {
    state_.leaving = StopReason::kTimeSpent;
  }
  for (auto& [place, job] : running_) {
    const bool is_last = job.lease.is_last;
    if (state_.leaving == StopReason::kInterrupted ||
        (state_.leaving != StopReason::kNone && !is_last)) {
      job.Stop(state_.leaving);
    }
    const bool too_long = options_.max_job_time && now - job.began >= *options_.max_job_time;
    if (too_long && !is_last) job.Stop(StopReason::kJobTime);
  }
}

Status RunInProgress::ClaimMore() {
  if (state_.leaving == StopReason::kInterrupted) return {};
  if (state_.leaving == StopReason::kTimeSpent && running_.empty()) {
    SIBYL_TRY(queue_.CancelWaiting(
        fmt::format("the run's time limit of {} was reached", Spoken(*options_.max_time))));
  }
  const Claiming which = state_.leaving == StopReason::kNone ? Claiming::kAny : Claiming::kOnlyLast;
  // Claiming takes the write lock; if all jobs are held, wait until a check
  // shows a change.
  while (running_.size() < std::max<std::size_t>(options_.jobs, 1) && state_.MayHaveFreeJobs()) {
    const std::optional<Lease> lease = SIBYL_TRY(queue_.Claim(which, options_.lease));
    if (!lease) return {};
    // It must see the results of other processes up to this moment.
    if (lease->is_last) state_.rows = SIBYL_TRY(ReadRows());
    Start(*lease);
  }
  return {};
}

void RunInProgress::Start(const Lease& lease) {
  JobRow& row = state_.rows[lease.place];
  row.state = JobState::kRunning;
  row.token = lease.token;
  Work work;
  if (const Job* job = JobAt(lease.place)) {
    work = job->work;
  } else {
    work = [this, outcomes = state_.Outcomes()](JobContext& context) {
      return spec_.last->work(context, outcomes);
    };
  }
  RunningJob& running = running_[lease.place];
  running.lease = lease;
  std::string kept = std::exchange(running.lease.payload, {});
  running.began = Now();
  Tell(EventKind::kStarted, row, &running);
  const ActivityScope scope(ActivityOf(ledger_, queue_.run(), row.name));
  running.thread = StartWork(mailbox_, running.lease, std::move(work), std::move(kept));
}

// Whether this process has nothing more to do here.
Result<bool> RunInProgress::IsOver() {
  if (state_.leaving == StopReason::kInterrupted) return true;
  if (state_.leaving == StopReason::kTimeSpent) {
    // The last job can be claimed only when no other is running.
    state_.rows = SIBYL_TRY(ReadRows());
    if (state_.IsRunByOtherProcess()) return true;
  }
  return state_.IsOver();
}

void RunInProgress::Tell(EventKind kind, const JobRow& row, const RunningJob* job) {
  if (job != nullptr) {
    LogJob(ledger_, {.kind = kind,
                     .state = row.state,
                     .run = queue_.run(),
                     .name = row.name,
                     .attempt = job->lease.attempt,
                     .is_lost = row.reason == kTakenOver});
  }
  if (!options_.listener) return;
  next_tick_ = Now() + kTick;
  options_.listener({.kind = kind,
                     .job = row.name,
                     .state = row.state,
                     .attempt = job != nullptr ? job->lease.attempt : row.attempts,
                     .progress = job != nullptr ? job->progress : ParseProgress(row.progress),
                     .reason = row.reason,
                     .elapsed = job != nullptr ? Now() - job->began : milliseconds(0),
                     .run_elapsed = Now() - began_,
                     .totals = state_.Count(),
                     .is_in_other_process = job == nullptr,
                     .is_last = row.is_last,
                     .holder = row.holder,
                     .lease = row.lease});
}

void RunInProgress::TellTick() {
  if (!options_.listener || Now() < next_tick_) return;
  next_tick_ = Now() + kTick;
  options_.listener({.run_elapsed = Now() - began_, .totals = state_.Count()});
}

}  // namespace

Result<RunReport> RunJobs(Ledger& ledger, const RunSpec& spec, const RunOptions& options) {
  JobQueue queue = SIBYL_TRY(JobQueue::Begin(ledger, spec, options.existing));
  if (queue.standing() == Standing::kOverWithOtherJobs) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("running {}: another process is finishing it", spec.name),
                 .hint = "try again when it is done"};
  }
  std::vector<JobRow> jobs = SIBYL_TRY(queue.Jobs());
  RunInProgress run(ledger, queue, spec, options, std::move(jobs));
  SIBYL_TRY(run.Loop());  // jobs that still run are asked to stop and waited for
  return run.Report();
}

}  // namespace sibyl::runner
