// SPDX-License-Identifier: Apache-2.0
#include "interface/web/metrics.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/files/files.h"
#include "base/telemetry/families.h"
#include "engine/runs/ledger_gauges.h"
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

HttpResponse MetricsResponse(std::string body) {
  return {.status = 200,
          .headers = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
          .body = std::move(body)};
}

std::string FormatProcessMetrics() {
  Metrics about;
  about.Set(kBuildInfo, {Release()}, 1);
  about.Set(kResidentBytes, {}, static_cast<double>(ResidentBytes()));
  return about.Format() + Metrics::OfProcess().Format();
}

void ServerMetrics::CountRequest(std::string_view route, int status,
                                 std::chrono::microseconds took) {
  counted_.Add(kHttpRequests, {std::string(route), std::to_string(status)});
  counted_.Observe(kHttpSeconds, {std::string(route)}, took);
}

void ServerMetrics::CountTool(std::string_view tool, bool has_failed) {
  counted_.Add(kToolCalls, {std::string(tool), has_failed ? "true" : "false"});
}

std::string ServerMetrics::FormatLedger() {
  constexpr std::chrono::seconds kUntilReadAgain{5};
  if (!context_.oracle) return {};
  const MutexLock lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (read_ && now - *read_ < kUntilReadAgain) return ledger_;
  Metrics gauges;
  engine::ReadLedgerGauges(context_, gauges);
  ledger_ = gauges.Format();
  read_ = std::chrono::steady_clock::now();
  return ledger_;
}

std::string ServerMetrics::Format() {
  return FormatProcessMetrics() + counted_.Format() + FormatLedger();
}

}  // namespace sibyl::interface
