// SPDX-License-Identifier: Apache-2.0
// Time that only goes forward: for leases, ceilings and pauses, injected so that
// tests wait for nothing. The time of day (base/clock.h) is for people; setting
// it must neither free a lease nor keep one.
#pragma once

#include <chrono>
#include <stop_token>

#include "base/result.h"

namespace sibyl {

/// Thread-safe.
class Stopwatch {
 public:
  virtual ~Stopwatch() = default;

  /// Since some moment that stays the same as long as this object lives. It
  /// does not advance while the machine sleeps.
  virtual std::chrono::milliseconds Read() const = 0;

  /// kCancelled when `stop` is requested before the pause is over.
  virtual Status Sleep(std::chrono::milliseconds pause, const std::stop_token& stop) = 0;
};

/// The machine's own, the same one for all.
Stopwatch& SystemStopwatch();

}  // namespace sibyl
