// SPDX-License-Identifier: Apache-2.0
#include "interface/web/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "base/files/files.h"
#include "interface/interface.h"

namespace sibyl::interface {
namespace {

// Zero where there is no /proc.
std::uint64_t ResidentBytes() {
  const Result<std::string> text = ReadFile("/proc/self/statm");  // "size resident shared ..."
  if (!text.ok() || text->empty()) return 0;
  std::uint64_t resident = 0;
  const std::size_t blank = std::min(text->find(' '), text->size() - 1);
  std::from_chars(text->data() + blank + 1, text->data() + text->size(), resident);
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

void Metrics::CountRequest(std::string_view route, int status, std::chrono::microseconds took) {
  const double seconds = static_cast<double>(took.count()) / 1e6;
  const MutexLock lock(mutex_);
  ++requests_[{std::string(route), status}];
  Times& times = times_[std::string(route)];
  for (std::size_t i = 0; i < kBounds.size(); ++i) times.below[i] += seconds <= kBounds[i] ? 1 : 0;
  ++times.count;
  times.seconds += seconds;
}

void Metrics::CountTool(std::string_view tool, bool has_failed) {
  const MutexLock lock(mutex_);
  ++tools_[{std::string(tool), has_failed}];
}

std::string Metrics::Format() const {
  std::string text = fmt::format(
      "# TYPE sibyl_build_info gauge\nsibyl_build_info{{version=\"{}\"}} 1\n"
      "# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes {}\n"
      "# TYPE sibyl_http_requests_total counter\n",
      Release(), ResidentBytes());
  const MutexLock lock(mutex_);
  for (const auto& [key, count] : requests_) {
    text += fmt::format("sibyl_http_requests_total{{route=\"{}\",code=\"{}\"}} {}\n", key.first,
                        key.second, count);
  }
  text += "# TYPE sibyl_http_request_seconds histogram\n";
  for (const auto& [route, times] : times_) {
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      text += fmt::format("sibyl_http_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route,
                          kBounds[i], times.below[i]);
    }
    text += fmt::format(
        "sibyl_http_request_seconds_bucket{{route=\"{0}\",le=\"+Inf\"}} {1}\n"
        "sibyl_http_request_seconds_sum{{route=\"{0}\"}} {2}\n"
        "sibyl_http_request_seconds_count{{route=\"{0}\"}} {1}\n",
        route, times.count, times.seconds);
  }
  text += "# TYPE sibyl_tool_calls_total counter\n";
  for (const auto& [key, count] : tools_) {
    text += fmt::format("sibyl_tool_calls_total{{tool=\"{}\",failed=\"{}\"}} {}\n", key.first,
                        key.second ? "true" : "false", count);
  }
  return text;
}

}  // namespace sibyl::interface
