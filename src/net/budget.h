// SPDX-License-Identifier: Apache-2.0
// What a run may spend on the network: requests, bytes, time. One budget is
// shared by all threads and checked before every request, including redirects,
// retries and robots.txt; bytes are charged as they arrive, so that a run
// exceeds it by at most one read per connection.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "base/stopwatch.h"

namespace sibyl::net {

struct Allowance {
  std::optional<std::uint64_t> requests;
  std::optional<std::uint64_t> bytes;  ///< On the wire.
  std::optional<std::chrono::milliseconds> time;
};

/// Thread-safe. Time runs from its making.
class Budget {
 public:
  explicit Budget(const Allowance& allowance, const Stopwatch& stopwatch = SystemStopwatch());
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// kUnavailable if any part of the budget is spent; the message says which.
  Status TakeRequest();
  /// Charges what has arrived; an error when that was more than was left.
  Status TakeBytes(std::uint64_t bytes);
  /// nullopt if there is no limit.
  std::optional<std::chrono::milliseconds> TimeLeft() const;

  std::uint64_t requests() const { return requests_.load(); }
  std::uint64_t bytes() const { return bytes_.load(); }
  const Allowance& allowance() const { return allowance_; }

 private:
  Allowance allowance_;
  const Stopwatch& stopwatch_;
  std::chrono::milliseconds began_;
  std::atomic<std::uint64_t> requests_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace sibyl::net
