// SPDX-License-Identifier: Apache-2.0
// Monotonic time, for leases, heartbeats and limits. The time of day
// (base/clock.h) is for people; changing it must neither free a lease nor keep
// one.
#pragma once

#include <chrono>

namespace sibyl::runner {

/// Thread-safe.
class Stopwatch {
 public:
  virtual ~Stopwatch() = default;

  /// Since a fixed moment. It stops while the machine is suspended, as the jobs
  /// do.
  virtual std::chrono::milliseconds Read() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now().time_since_epoch());
  }
};

}  // namespace sibyl::runner
