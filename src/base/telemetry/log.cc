// SPDX-License-Identifier: Apache-2.0
#include "base/telemetry/log.h"

#include <fmt/format.h>

#include <array>
#include <atomic>

#include "base/files/write_all.h"
#include "base/mutex.h"
#include "base/shown_text.h"
#include "base/telemetry/activity.h"

namespace sibyl {
namespace {

constexpr std::array<std::string_view, 3> kLevelNames = {"info", "warning", "error"};

struct Sink {
  std::atomic<bool> is_on = false;
  Mutex mutex;
  int descriptor SIBYL_GUARDED_BY(mutex) = -1;
  JsonLog::Now now SIBYL_GUARDED_BY(mutex);
};

Sink& TheSink() {
  static Sink& sink = *new Sink;  // threads may log until the process has ended
  return sink;
}

// RFC 3339 with milliseconds, in UTC.
std::string Stamp(std::chrono::system_clock::time_point time) {
  using std::chrono::floor;
  const auto days = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss clock(floor<std::chrono::milliseconds>(time - days));
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

}  // namespace

bool IsLogOn() { return TheSink().is_on; }

void WriteLog(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  Sink& sink = TheSink();
  if (!sink.is_on) return;
  Json line = {{"time", ""},
               {"level", kLevelNames.at(static_cast<std::size_t>(level))},
               {"message", message}};
  const Activity& activity = CurrentActivity();
  if (!activity.run.empty()) line["run"] = activity.run;
  if (!activity.part.empty()) line["part"] = activity.part;
  if (!activity.worker.empty()) line["worker"] = activity.worker;
  if (activity.trace) line["trace"] = activity.trace->id;
  for (const LogField& field : fields) line[std::string(field.first)] = field.second;
  HideUserinfo(line);
  const MutexLock lock(sink.mutex);
  if (!sink.now) return;  // turned off meanwhile
  line["time"] = Stamp(sink.now());
  // A log that cannot be written is not worth an error.
  WriteAll(sink.descriptor, FormatJson(line, JsonLayout::kCompact) + '\n');
}

JsonLog::JsonLog(int descriptor, Now now) {
  Sink& sink = TheSink();
  const MutexLock lock(sink.mutex);
  sink.descriptor = descriptor;
  sink.now = std::move(now);
  sink.is_on = true;
}

JsonLog::~JsonLog() {
  Sink& sink = TheSink();
  const MutexLock lock(sink.mutex);
  sink.is_on = false;
  sink.now = {};
}

}  // namespace sibyl
