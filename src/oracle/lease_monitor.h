// SPDX-License-Identifier: Apache-2.0
// What a server remembers between the calls of agents: since when the heartbeat
// of each lease has been unchanged. A single command cannot observe that.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "base/stopwatch.h"
#include "runner/lease_watch.h"

namespace sibyl::oracle {

/// Thread-safe.
class LeaseMonitor {
 public:
  /// Whether the heartbeat of the job's holder has been unchanged for the
  /// length of its lease, as observed here.
  bool IsStale(const std::string& ledger, std::int64_t run, const runner::LeaseSign& sign,
               std::chrono::milliseconds lease) SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return watches_[{ledger, run}].IsStale(sign, lease, SystemStopwatch().Read());
  }

 private:
  Mutex mutex_;
  std::map<std::pair<std::string, std::int64_t>, runner::LeaseWatch> watches_
      SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::oracle
