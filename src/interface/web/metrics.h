// SPDX-License-Identifier: Apache-2.0
// Counters of a server, in Prometheus text format.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/mutex.h"

namespace sibyl::interface {

/// Thread-safe.
class Metrics {
 public:
  /// `route` is one of a fixed set of names, never text from a client.
  void CountRequest(std::string_view route, int status, std::chrono::microseconds took)
      SIBYL_EXCLUDES(mutex_);
  void CountTool(std::string_view tool, bool has_failed) SIBYL_EXCLUDES(mutex_);

  std::string Format() const SIBYL_EXCLUDES(mutex_);

 private:
  static constexpr std::array<double, 8> kBounds = {0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60};
  struct Times {
    std::array<std::uint64_t, kBounds.size()> below{};
    std::uint64_t count = 0;
    double seconds = 0;
  };

  mutable Mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_ SIBYL_GUARDED_BY(mutex_);
  std::map<std::string, Times, std::less<>> times_ SIBYL_GUARDED_BY(mutex_);
  std::map<std::pair<std::string, bool>, std::uint64_t> tools_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::interface
