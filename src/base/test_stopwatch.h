// SPDX-License-Identifier: Apache-2.0
// For tests: time that passes only by being waited for, at once, or as the test
// says.
#pragma once

#include <chrono>
#include <vector>

#include "base/mutex.h"
#include "base/stopwatch.h"

namespace sibyl {

class TestStopwatch : public Stopwatch {
 public:
  std::chrono::milliseconds Read() const override {
    const MutexLock lock(mutex_);
    return now_;
  }

  Status Sleep(std::chrono::milliseconds pause, const std::stop_token& stop) override {
    if (stop.stop_requested()) {
      return Error{.kind = ErrorKind::kCancelled, .message = "asked to stop"};
    }
    const MutexLock lock(mutex_);
    now_ += pause;
    pauses_.push_back(pause);
    return {};
  }

  std::vector<std::chrono::milliseconds> pauses() const {
    const MutexLock lock(mutex_);
    return pauses_;
  }

  void Advance(std::chrono::milliseconds time) {
    const MutexLock lock(mutex_);
    now_ += time;
  }

 private:
  mutable Mutex mutex_;
  std::chrono::milliseconds now_ SIBYL_GUARDED_BY(mutex_){0};
  std::vector<std::chrono::milliseconds> pauses_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl
