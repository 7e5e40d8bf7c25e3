// SPDX-License-Identifier: Apache-2.0
// What a server remembers between the calls of agents: since when it has seen
// the sign of life of each lease. A single command cannot know that; it has
// only just begun to look.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "base/stopwatch.h"
#include "runner/lease_watch.h"

namespace sibyl::oracle {

/// Thread-safe.
class AgentDesk {
 public:
  /// Whether the holder of a job of that run has given no sign for as long as
  /// its lease, as far as was seen from here.
  bool IsStale(const std::filesystem::path& journal, std::int64_t run,
               const runner::LeaseSign& sign, std::chrono::milliseconds lease)
      SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return watches_[{journal.string(), run}].IsStale(sign, lease, SystemStopwatch().Read());
  }

 private:
  Mutex mutex_;
  std::map<std::pair<std::string, std::int64_t>, runner::LeaseWatch> watches_
      SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::oracle
