// SPDX-License-Identifier: Apache-2.0
// Rate limit and concurrency limit per host.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "base/stopwatch.h"
#include "net/client.h"

namespace sibyl::net {

struct PaceOptions {
  /// Between the starts of two requests to one host.
  std::chrono::milliseconds interval{1000};
  int at_once = 2;
};

/// Thread-safe. Must outlive the passes it returns.
class Pace {
 public:
  Pace(Stopwatch& stopwatch, const PaceOptions& options)
      : stopwatch_(stopwatch), options_(options) {}
  Pace(const Pace&) = delete;
  Pace& operator=(const Pace&) = delete;

  struct Visit {
    std::string host;
    /// The host's requested interval, if longer than our own.
    std::chrono::milliseconds interval{0};
    std::stop_token stop = {};
  };

  /// Waits for a turn; the next turn for the host starts when the pass is
  /// destroyed or the interval is over, depending on the options.
  Result<std::unique_ptr<Pass>> Enter(const Visit& visit) SIBYL_EXCLUDES(mutex_);

 private:
  class Turn;
  struct Host {
    std::chrono::milliseconds next{0};  ///< The earliest start.
    int active = 0;
  };

  void Leave(Host& host) SIBYL_EXCLUDES(mutex_);

  Stopwatch& stopwatch_;
  PaceOptions options_;
  Mutex mutex_;
  Condition left_;
  std::map<std::string, Host> hosts_ SIBYL_GUARDED_BY(mutex_);  ///< Never shrinks.
};

}  // namespace sibyl::net
