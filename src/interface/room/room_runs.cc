// SPDX-License-Identifier: Apache-2.0
#include "interface/room/room_runs.h"

#include <fmt/format.h>

#include <utility>

#include "engine/reading/stop_run.h"
#include "interface/room/room_answers.h"

namespace sibyl::interface {

RoomRuns::~RoomRuns() {
  std::thread thread;
  {
    const MutexLock lock(mutex_);
    stop_.request_stop();
    thread = std::move(thread_);
  }
  if (thread.joinable()) thread.join();
}

Status RoomRuns::Start(const std::string& plan) {
  const MutexLock lock(mutex_);
  if (is_running_) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("{} is running; stop it first", plan_)};
  }
  if (thread_.joinable()) thread_.join();  // it has ended
  is_running_ = true;
  plan_ = plan;
  failure_.clear();
  stop_ = std::stop_source();
  thread_ = std::thread([this, plan, stop = stop_.get_token()] {
    // How its parts ended is in the journal, which the board shows.
    const Result<Json> ended = RoomAnswers(context_, stop).Run("expand", {{"plan", plan}});
    const MutexLock done(mutex_);
    is_running_ = false;
    const bool is_failure = !ended.ok() && ended.error().kind != ErrorKind::kCancelled;
    if (is_failure) failure_ = fmt::format("{}: {}", plan, ended.error().message);
  });
  return {};
}

Status RoomRuns::Stop(const std::string& plan) {
  {
    const MutexLock lock(mutex_);
    if (is_running_ && (plan.empty() || plan == plan_)) {
      stop_.request_stop();
      return {};
    }
  }
  return engine::StopRun(context_, plan);
}

std::optional<std::string> RoomRuns::current() const {
  const MutexLock lock(mutex_);
  return is_running_ ? std::optional(plan_) : std::nullopt;
}

std::string RoomRuns::failure() const {
  const MutexLock lock(mutex_);
  return failure_;
}

}  // namespace sibyl::interface
