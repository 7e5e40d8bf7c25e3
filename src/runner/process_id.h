// SPDX-License-Identifier: Apache-2.0
// Who holds a lease: a process, named so that another one can tell whether it
// is gone, or that it cannot tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl::runner {

struct ProcessId {
  std::string host;  ///< For people.
  /// The boot of the machine and the space in which process numbers are
  /// unique: a container has one of its own.
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
