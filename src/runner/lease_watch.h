// SPDX-License-Identifier: Apache-2.0
// Detects that the holder of a lease has stopped, without comparing the clocks
// of two machines.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "runner/ledger.h"
#include "runner/process_id.h"

namespace sibyl::runner {

/// A lease as the journal shows it: `heartbeat` increases while its holder is
/// alive; `token` changes whenever the job gets another holder.
struct LeaseSign {
  std::size_t place = 0;
  std::int64_t token = 0;
  std::int64_t heartbeat = 0;

  bool operator==(const LeaseSign&) const = default;
};

class LeaseWatch {
 public:
  /// True if token and heartbeat have been unchanged for the length of the
  /// lease, by our own stopwatch. Time starts at the first observation.
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

/// Why the holder of a running job has lost it; nothing: it holds it.
inline std::optional<Loss> LossOf(const JobRow& row, LeaseWatch& watch,
                                  std::chrono::milliseconds now) {
  const std::optional<ProcessId> holder = ParseProcessId(row.holder);
  const LeaseSign sign = {.place = row.place, .token = row.token, .heartbeat = row.heartbeat};
  const bool is_expired = row.is_expired ? *row.is_expired : watch.IsStale(sign, row.lease, now);
  if (holder && LifeOf(*holder) == Life::kGone) return Loss::kCrashed;
  return is_expired ? std::optional(Loss::kExpired) : std::nullopt;
}

}  // namespace sibyl::runner
