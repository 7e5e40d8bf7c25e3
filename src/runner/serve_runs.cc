// SPDX-License-Identifier: Apache-2.0
#include "runner/serve_runs.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/telemetry/log.h"
#include "runner/job_activity.h"
#include "runner/lease_watch.h"
#include "runner/process_id.h"
#include "runner/progress.h"
#include "runner/workers.h"

namespace sibyl::runner {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kServeTurn{50};
constexpr std::string_view kStopped = "the worker was stopped";

class RunServer {
 public:
  RunServer(Ledger& ledger, JobSource& source, const ServeOptions& options)
      : ledger_(ledger), source_(source), options_(options) {
    holder_ = FormatProcessId(ThisProcess());
    next_heartbeat_ = Now() + options_.heartbeat;
    changes_ = ledger.Watch([this] {
      has_changed_ = true;
      mailbox_.Wake();
    });
  }
  RunServer(const RunServer&) = delete;
  RunServer& operator=(const RunServer&) = delete;
  ~RunServer() {
    for (auto& [key, served] : running_) served.job.thread.request_stop();
  }

  Result<ServeReport> Run() {
    const std::stop_callback wake(options_.stop, [this] { mailbox_.Wake(); });
    while (true) {
      const bool is_leaving = options_.stop.stop_requested();
      if (is_leaving) SIBYL_TRY(Leave());
      SIBYL_TRY(GiveSignOfLife());
      if (!is_leaving) SIBYL_TRY(Look());
      if (!is_leaving) SIBYL_TRY(ClaimMore());
      if (running_.empty() && (is_leaving || IsEnough() || (options_.until_idle && is_idle_))) {
        return report_;
      }
      for (Message& message : mailbox_.Take(kServeTurn)) SIBYL_TRY(TakeMessage(message));
    }
  }

 private:
  using Key = std::pair<std::int64_t, std::size_t>;  // run and place
  struct Served {
    RunInfo run;
    RunningJob job;
  };
  struct Throttled {
    std::string told;
    milliseconds next{};
  };

  milliseconds Now() const { return options_.stopwatch->Read(); }
  bool IsEnough() const {
    return options_.max_jobs && report_.done + report_.failed >= *options_.max_jobs;
  }
  // No more than the jobs that are left to do.
  std::size_t Room() const {
    const std::size_t most = std::max<std::size_t>(options_.jobs, 1);
    if (!options_.max_jobs) return most - running_.size();
    const std::size_t begun = report_.done + report_.failed + running_.size();
    const std::size_t left = *options_.max_jobs - std::min(*options_.max_jobs, begun);
    return std::min(most - running_.size(), left);
  }

  Status Leave();
  Status GiveSignOfLife();
  Status Look();
  Status FreeLost(const RunInfo& run);
  Status ClaimMore();
  Result<bool> ClaimOne();
  Status TellThrottle(const RunInfo& run);
  Status Start(const RunInfo& run, const Lease& lease);
  Status TakeMessage(Message& message);
  Status TakeResult(Served& served, const Result<std::string>& result);
  void Tell(const Served& served, EventKind kind, JobState state, std::string reason) const;

  Ledger& ledger_;
  JobSource& source_;
  const ServeOptions& options_;
  ServeReport report_;
  std::string holder_;
  std::vector<RunInfo> runs_;  // that are wanted
  bool may_claim_ = true;      // something has happened since a claim found nothing
  bool is_idle_ = false;
  std::set<std::int64_t> left_to_others_;  // runs of which only refused jobs wait
  std::optional<milliseconds> leaves_;     // when jobs are put back that do not stop
  milliseconds next_look_{};
  milliseconds next_heartbeat_{};
  std::map<std::int64_t, LeaseWatch> watches_;   // by run
  std::map<std::int64_t, Throttled> throttled_;  // by run
  std::atomic<bool> has_changed_ = false;
  Mailbox mailbox_;
  std::map<Key, Served> running_;         // after the mailbox, which its threads use
  std::unique_ptr<ChangeWatch> changes_;  // wakes the mailbox until it is destroyed
};

// Asks every job to stop. Those that do not are put back when the grace is over,
// since whoever stops this process may kill it soon.
Status RunServer::Leave() {
  if (!leaves_) leaves_ = Now() + options_.grace;
  for (auto& [key, served] : running_) {
    served.job.Stop(StopReason::kInterrupted);
    if (Now() < *leaves_ || served.job.stopped != StopReason::kInterrupted) continue;
    served.job.stopped = StopReason::kReleased;
    ++report_.released;
    Tell(served, EventKind::kReleased, JobState::kWaiting, std::string(kStopped));
    SIBYL_TRY(ledger_.Settle(key.first, served.job.lease,
                             {.state = JobState::kWaiting, .reason = kStopped}));
  }
  return {};
}

Status RunServer::GiveSignOfLife() {
  if (running_.empty() || Now() < next_heartbeat_) return {};
  next_heartbeat_ = Now() + options_.heartbeat;
  std::map<std::int64_t, std::vector<Renewal>> renewals;  // by run
  for (auto& [key, served] : running_) {
    Renewal& renewal = renewals[key.first].emplace_back(Renewal{.lease = served.job.lease});
    if (std::exchange(served.job.has_news, false)) {
      renewal.progress = FormatProgress(served.job.progress);
    }
  }
  for (const auto& [run, each] : renewals) {
    const std::vector<std::size_t> lost = SIBYL_TRY(ledger_.Renew(run, each));
    for (const std::size_t place : lost) running_.at({run, place}).job.Stop(StopReason::kLost);
  }
  return {};
}

Status RunServer::Look() {
  const bool has_changed = has_changed_.exchange(false);
  if (!has_changed && Now() < next_look_) return {};
  next_look_ = Now() + options_.look;
  may_claim_ = true;
  runs_ = SIBYL_TRY(ledger_.OpenRuns());
  std::erase_if(runs_, [this](const RunInfo& run) { return !source_.Wants(run); });
  is_idle_ = std::all_of(runs_.begin(), runs_.end(), [this](const RunInfo& run) {
    return (!run.has_waiting || left_to_others_.contains(run.id)) && run.running == 0;
  });
  for (const RunInfo& run : runs_) SIBYL_TRY(FreeLost(run));
  return {};
}

// Jobs whose holder is gone wait again.
Status RunServer::FreeLost(const RunInfo& run) {
  if (run.running == 0) return {};
  for (const JobRow& row : SIBYL_TRY(ledger_.Running(run.id))) {
    if (running_.contains({run.id, row.place})) continue;
    const std::optional<Loss> loss = LossOf(row, watches_[run.id], Now());
    if (!loss) continue;
    SIBYL_TRY(ledger_.Expire(run.id, {.place = row.place, .token = row.token}, *loss,
                             options_.most_losses));
  }
  return {};
}

Status RunServer::ClaimMore() {
  while (may_claim_ && Room() > 0) may_claim_ = SIBYL_TRY(ClaimOne());
  return {};
}

// Of the run that has the fewest jobs running, by all workers.
Result<bool> RunServer::ClaimOne() {
  std::sort(runs_.begin(), runs_.end(), [](const RunInfo& a, const RunInfo& b) {
    return std::pair(a.running, a.id) < std::pair(b.running, b.id);
  });
  for (RunInfo& run : runs_) {
    if (!run.has_waiting || !source_.Wants(run)) continue;
    const std::vector<std::size_t> refused = source_.Refused(run);
    const std::optional<Lease> lease = SIBYL_TRY(
        ledger_.Claim(run.id, {.holder = holder_, .lease = options_.lease, .except = refused}));
    left_to_others_.erase(run.id);
    if (!lease) {
      run.has_waiting = false;  // until the next look
      SIBYL_TRY(TellThrottle(run));
      const bool is_throttled = !throttled_[run.id].told.empty();
      if (!refused.empty() && !is_throttled) left_to_others_.insert(run.id);
      continue;
    }
    ++run.running;
    SIBYL_TRY(Start(run, *lease));
    return true;
  }
  return false;
}

// No part is begun while the tokens of the hour are used up.
Status RunServer::TellThrottle(const RunInfo& run) {
  constexpr std::chrono::seconds kBetweenLooks{10};
  if (!ledger_.holds_limits()) return {};
  Throttled& throttled = throttled_[run.id];
  if (throttled.next > Now()) return {};
  throttled.next = Now() + kBetweenLooks;
  const std::optional<Throttle> throttle = SIBYL_TRY(ledger_.ThrottleOf(run.id, 1));
  std::string what = throttle ? ThrottleText(*throttle) : std::string();
  if (what == throttled.told) return {};
  throttled.told = std::move(what);
  if (throttled.told.empty()) return {};
  WriteLog(LogLevel::kInfo, throttled.told, {{"run", std::to_string(run.id)}});
  if (options_.waits) options_.waits(run, throttled.told);
  return {};
}

Status RunServer::Start(const RunInfo& run, const Lease& lease) {
  Result<Work> work = source_.WorkOf(run, lease);
  if (!work.ok()) {
    ++report_.released;
    SIBYL_TRY(ledger_.Settle(run.id, lease,
                             {.state = JobState::kWaiting, .reason = work.error().message}));
    return {};
  }
  Served& served = running_[{run.id, lease.place}];
  served.run = run;
  served.job.lease = lease;
  std::string kept = std::exchange(served.job.lease.payload, {});
  served.job.began = Now();
  Tell(served, EventKind::kStarted, JobState::kRunning, "");
  const ActivityScope scope(ActivityOf(ledger_, run.id, lease.name));
  served.job.thread = StartWork(mailbox_, served.job.lease, *std::move(work), std::move(kept));
  return {};
}

Status RunServer::TakeMessage(Message& message) {
  const auto found = running_.find({message.lease.run, message.lease.place});
  if (found == running_.end() || found->second.job.lease.token != message.lease.token) return {};
  Served& served = found->second;
  if (message.progress) {
    served.job.progress = *std::move(message.progress);
    served.job.has_news = true;
    Tell(served, EventKind::kStep, JobState::kRunning, "");
  }
  if (message.kept) {
    SIBYL_TRY(ledger_.Keep(served.run.id, served.job.lease, *message.kept,
                           FormatProgress(served.job.progress)));
  }
  if (!message.result) return {};
  served.job.thread.join();  // it has posted its last message
  Status taken = TakeResult(served, *message.result);
  const auto run = std::find_if(runs_.begin(), runs_.end(), [&](const RunInfo& each) {
    return each.id == served.run.id && each.running > 0;
  });
  if (run != runs_.end()) --run->running;
  running_.erase(found);
  may_claim_ = true;
  return taken;
}

Status RunServer::TakeResult(Served& served, const Result<std::string>& result) {
  if (served.job.stopped == StopReason::kReleased) return {};
  const Lease& lease = served.job.lease;
  Settlement settlement{.state = JobState::kDone, .attempts_more = 1};
  if (result.ok()) {
    // The last progress stays with the job: later runs read what it took.
    if (std::exchange(served.job.has_news, false)) {
      SIBYL_TRY(ledger_.Renew(served.run.id,
                              {{.lease = lease, .progress = FormatProgress(served.job.progress)}}));
    }
    settlement.payload = *result;
  } else if (served.job.stopped == StopReason::kInterrupted) {
    settlement = {.state = JobState::kWaiting, .reason = kStopped};
  } else {
    const bool again = lease.attempt < options_.most_attempts;
    settlement.state = again ? JobState::kWaiting : JobState::kFailed;
    settlement.reason = result.error().message;
  }
  const bool was_lost = served.job.stopped == StopReason::kLost;
  const Acceptance accepted =
      was_lost ? Acceptance::kRefused : SIBYL_TRY(ledger_.Settle(served.run.id, lease, settlement));
  const std::string reason(settlement.reason);
  if (accepted == Acceptance::kRefused) {
    ++report_.lost;
    Tell(served, EventKind::kReleased, JobState::kWaiting, std::string(kTakenOver));
  } else if (settlement.state == JobState::kDone || settlement.state == JobState::kFailed) {
    ++(settlement.state == JobState::kDone ? report_.done : report_.failed);
    Tell(served, EventKind::kFinished, settlement.state, reason);
  } else {
    const bool was_tried = settlement.attempts_more > 0;
    ++(was_tried ? report_.retried : report_.released);
    Tell(served, was_tried ? EventKind::kRetried : EventKind::kReleased, settlement.state, reason);
  }
  return {};
}

void RunServer::Tell(const Served& served, EventKind kind, JobState state,
                     std::string reason) const {
  LogJob(ledger_, {.kind = kind,
                   .state = state,
                   .run = served.run.id,
                   .name = served.job.lease.name,
                   .attempt = served.job.lease.attempt,
                   .is_lost = reason == kTakenOver});
  if (!options_.listener) return;
  options_.listener({.run = served.run,
                     .name = served.job.lease.name,
                     .kind = kind,
                     .state = state,
                     .progress = served.job.progress,
                     .reason = std::move(reason)});
}

}  // namespace

Result<ServeReport> ServeRuns(Ledger& ledger, JobSource& source, const ServeOptions& options) {
  return RunServer(ledger, source, options).Run();
}

}  // namespace sibyl::runner
