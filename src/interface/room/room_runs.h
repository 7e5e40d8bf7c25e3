// SPDX-License-Identifier: Apache-2.0
// Expansions that were started from the board: one at a time, each in its own
// thread, stopped on request and at the end of the server.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::interface {

/// Thread-safe.
class RoomRuns {
 public:
  explicit RoomRuns(const oracle::Context& context) : context_(context) {}
  RoomRuns(const RoomRuns&) = delete;
  RoomRuns& operator=(const RoomRuns&) = delete;
  ~RoomRuns();

  /// Resumes or starts the expansion of a plan. kUsage while another runs.
  Status Start(const std::string& plan) SIBYL_EXCLUDES(mutex_);
  /// Asks the run of the plan to stop after its current steps, wherever on this
  /// machine it was started. kNotFound if it does not run, or runs elsewhere.
  Status Stop(const std::string& plan) SIBYL_EXCLUDES(mutex_);
  /// The plan that runs here.
  std::optional<std::string> current() const SIBYL_EXCLUDES(mutex_);
  /// Why the last run that was started here did not begin; empty if it did.
  std::string failure() const SIBYL_EXCLUDES(mutex_);

 private:
  const oracle::Context& context_;
  mutable Mutex mutex_;
  bool is_running_ SIBYL_GUARDED_BY(mutex_) = false;
  std::string plan_ SIBYL_GUARDED_BY(mutex_);
  std::string failure_ SIBYL_GUARDED_BY(mutex_);
  std::stop_source stop_ SIBYL_GUARDED_BY(mutex_);
  std::thread thread_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::interface
