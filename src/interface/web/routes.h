// SPDX-License-Identifier: Apache-2.0
// What the server answers under which path:
//
//   /health        it lives
//   /metrics       counters, for Prometheus
//   /api           the operations, as JSON
//   /api/<tool>    one of them: GET with a query where it reads, POST with JSON
//   /mcp           agents
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "interface/mcp/server.h"
#include "interface/web/guard.h"
#include "interface/web/http_server.h"
#include "interface/web/mcp_http.h"
#include "interface/web/metrics.h"

namespace sibyl::interface {

/// Thread-safe.
class Routes {
 public:
  /// `server` is borrowed.
  Routes(const McpServer& server, GuardOptions guard)
      : server_(server), guard_(std::move(guard)), mcp_(server, metrics_) {}

  HttpResponse Handle(HttpExchange& exchange);

 private:
  struct Routed {
    std::string_view route;  ///< For the counters.
    HttpResponse response;
  };
  Routed Route(HttpExchange& exchange);
  HttpResponse Api(HttpExchange& exchange, bool may_write);

  const McpServer& server_;
  GuardOptions guard_;
  Metrics metrics_;
  McpHttp mcp_;  // counts in metrics_
};

/// The arguments of a query, typed as the tool's parameters are.
Json ArgumentsOfQuery(const OfferedTool& tool, std::string_view query);

/// 400, 404, 422 or 503: the one place that knows.
int HttpStatusOf(ErrorKind kind);

}  // namespace sibyl::interface
