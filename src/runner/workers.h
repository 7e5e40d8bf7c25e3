// SPDX-License-Identifier: Apache-2.0
// The threads that run jobs. They never touch the journal: they post messages,
// and the thread that called RunJobs reads them and writes.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "runner/job_queue.h"
#include "runner/runner.h"

namespace sibyl::runner {

struct Message {
  Lease lease;
  std::optional<Progress> progress;
  std::optional<Result<std::string>> result;  ///< The job has returned.
  std::optional<std::string> kept = {};       ///< To be stored with the job.
};

/// Thread-safe.
class Mailbox {
 public:
  void Post(Message message) SIBYL_EXCLUDES(mutex_);
  /// Wakes a waiting Take.
  void Wake() SIBYL_EXCLUDES(mutex_);
  /// The messages so far, waiting up to `patience` for the first.
  std::vector<Message> Take(std::chrono::milliseconds patience) SIBYL_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  Condition arrived_;
  std::vector<Message> messages_ SIBYL_GUARDED_BY(mutex_);
  bool is_woken_ SIBYL_GUARDED_BY(mutex_) = false;
};

/// Why a job was asked to stop; the first reason counts.
enum class StopReason : std::uint8_t {
  kNone,
  kInterrupted,
  kTimeSpent,
  kJobTime,
  kLost,
  kReleased,  ///< It was put back before it stopped.
};

/// A job that runs in this process.
struct RunningJob {
  Lease lease;
  std::chrono::milliseconds began{};  ///< By the stopwatch.
  StopReason stopped = StopReason::kNone;
  Progress progress;
  bool has_news = false;  ///< Progress that the journal does not have yet.
  std::jthread thread;

  void Stop(StopReason reason) {
    if (stopped != StopReason::kNone) return;
    stopped = reason;
    thread.request_stop();
  }
};

/// Starts `work` on a new thread, in the activity of the caller; its last message is
/// the result. Exceptions become an Error. `mailbox` must outlive the thread. `kept` is what
/// an earlier holder has kept.
std::jthread StartWork(Mailbox& mailbox, const Lease& lease, Work work, std::string kept);

}  // namespace sibyl::runner
