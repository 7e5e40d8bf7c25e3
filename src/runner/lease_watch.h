// SPDX-License-Identifier: Apache-2.0
// Tells when the holder of a lease gives no sign any more, without comparing
// the clocks of two machines.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>

namespace sibyl::runner {

/// A lease as the journal shows it: `heartbeat` grows as long as its holder
/// lives; `token` is another one whenever the job was given to somebody else.
struct LeaseSign {
  std::size_t place = 0;
  std::int64_t token = 0;
  std::int64_t heartbeat = 0;

  bool operator==(const LeaseSign&) const = default;
};

class LeaseWatch {
 public:
  /// True when this very sign has been seen for the length of the lease, by our
  /// own stopwatch. The first look at a sign starts its time: an observer that
  /// has just begun knows nothing of what was before.
  bool IsStale(const LeaseSign& sign, std::chrono::milliseconds lease,
               std::chrono::milliseconds now) {
    const auto [entry, is_new] = seen_.try_emplace(sign.place, Seen{.sign = sign, .since = now});
    if (!is_new && entry->second.sign != sign) entry->second = {.sign = sign, .since = now};
    return now - entry->second.since >= lease;
  }

 private:
  struct Seen {
    LeaseSign sign;
    std::chrono::milliseconds since{};
  };
  std::map<std::size_t, Seen> seen_;
};

}  // namespace sibyl::runner
