// SPDX-License-Identifier: Apache-2.0
// Time that only goes forward: for leases, heartbeats and ceilings. The time of
// day (base/clock.h) is for people; setting it must neither free a lease nor
// keep one.
#pragma once

#include <chrono>

namespace sibyl::runner {

/// Thread-safe.
class Stopwatch {
 public:
  virtual ~Stopwatch() = default;

  /// Since some moment that stays the same as long as this object lives. It
  /// stands still while the machine sleeps, as the jobs do.
  virtual std::chrono::milliseconds Read() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now().time_since_epoch());
  }
};

}  // namespace sibyl::runner
