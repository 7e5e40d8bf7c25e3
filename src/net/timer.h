// SPDX-License-Identifier: Apache-2.0
// Pauses between requests, injected so that tests wait for nothing.
#pragma once

#include <chrono>
#include <stop_token>

#include "base/result.h"

namespace sibyl::net {

/// Thread-safe.
class Timer {
 public:
  virtual ~Timer() = default;

  /// Since some moment in the past; never goes back.
  virtual std::chrono::milliseconds Elapsed() const = 0;

  /// kCancelled when `stop` is requested before the pause is over.
  virtual Status Sleep(std::chrono::milliseconds pause, const std::stop_token& stop) = 0;
};

/// The machine's own time, the same one for all.
Timer& SystemTimer();

}  // namespace sibyl::net
