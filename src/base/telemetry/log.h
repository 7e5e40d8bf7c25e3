// SPDX-License-Identifier: Apache-2.0
// The log for programs: one JSON object per line, with the run, part, worker and
// trace of the thread that writes it. Off unless SIBYL_LOG=json; people read
// progress lines and boards instead.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.h"

namespace sibyl {

enum class LogLevel : std::uint8_t { kInfo, kWarning, kError };

using LogField = std::pair<std::string_view, Json>;

/// {"time":"2026-11-19T04:05:06.789Z","level":"info","message":"part finished",
/// "run":"17",…}. Does nothing while there is no JsonLog. `message` and fields have
/// no prompts, answers or keys; passwords in addresses are removed. Thread-safe.
void WriteLog(LogLevel level, std::string_view message,
              std::initializer_list<LogField> fields = {});

/// Whether lines are written: what else goes to stderr is then left out.
bool IsLogOn();

/// The log is on while this exists, of which there is one at a time.
class JsonLog {
 public:
  using Now = std::function<std::chrono::system_clock::time_point()>;

  /// `descriptor` is borrowed; a line is written with one call, so that processes
  /// can share it.
  explicit JsonLog(int descriptor, Now now = std::chrono::system_clock::now);
  JsonLog(const JsonLog&) = delete;
  JsonLog& operator=(const JsonLog&) = delete;
  ~JsonLog();
};

}  // namespace sibyl
