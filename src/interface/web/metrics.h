// SPDX-License-Identifier: Apache-2.0
// What GET /metrics answers: the counters of this process and, for a server of an
// oracle, the state of its ledger.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/telemetry/metrics.h"
#include "interface/web/http_message.h"
#include "oracle/context.h"

namespace sibyl::interface {

/// 200 with the text format 0.0.4.
HttpResponse MetricsResponse(std::string body);

/// The counters of this process, with its version and memory.
std::string FormatProcessMetrics();

/// Thread-safe.
class ServerMetrics {
 public:
  /// `context` is borrowed.
  explicit ServerMetrics(const oracle::Context& context) : context_(context) {}

  /// `route` is one of a fixed set of names, never text from a client.
  void CountRequest(std::string_view route, int status, std::chrono::microseconds took);
  void CountTool(std::string_view tool, bool has_failed);

  /// Reads the ledger, at most every five seconds.
  std::string Format() SIBYL_EXCLUDES(mutex_);

 private:
  std::string FormatLedger() SIBYL_EXCLUDES(mutex_);

  const oracle::Context& context_;
  Metrics counted_;
  Mutex mutex_;
  std::string ledger_ SIBYL_GUARDED_BY(mutex_);
  std::optional<std::chrono::steady_clock::time_point> read_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::interface
