// SPDX-License-Identifier: Apache-2.0
// GET /metrics and /health of a process that is not a server otherwise, under the
// rules for hosts, origins and tokens that 'sibyl serve' has, but for one: where the
// token is needed, a scraper may use any name of the machine.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "interface/web/guard.h"
#include "interface/web/http_service.h"

namespace sibyl::interface {

/// Thread-safe.
class MetricsService : public HttpService {
 public:
  explicit MetricsService(GuardOptions guard) : guard_(std::move(guard)) {}

  HeadJudgement Judge(const HttpRequest& head) override;
  HttpResponse Answer(HttpExchange& exchange) override;

 private:
  GuardOptions guard_;
};

/// Serves in a thread of its own until the result is destroyed. `address` is
/// "127.0.0.1:9469" or "[::1]:9469"; with port 0 any free port is taken. The address is
/// printed on stderr, or logged.
Result<std::shared_ptr<void>> ServeMetrics(std::string_view address);

}  // namespace sibyl::interface
