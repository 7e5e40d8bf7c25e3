// SPDX-License-Identifier: Apache-2.0
// The process that holds a lease, identified so that another process can tell
// whether it is alive, dead or unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl::runner {

struct ProcessId {
  std::string host;  ///< For people.
  /// The boot id and the PID namespace: each container has its own.
  std::string space;
  std::int64_t number = 0;
  /// When it started, in the kernel's ticks: numbers are used again.
  std::int64_t started = 0;

  bool operator==(const ProcessId&) const = default;
};

ProcessId ThisProcess();

enum class Life : std::uint8_t {
  kAlive,
  kGone,
  kUnknown,  ///< On another machine, in another container, or /proc is not there.
};
Life LifeOf(const ProcessId& process);

/// "host space number started", one line that ParseProcessId reads.
std::string FormatProcessId(const ProcessId& process);
std::optional<ProcessId> ParseProcessId(std::string_view text);

}  // namespace sibyl::runner
