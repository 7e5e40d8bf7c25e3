// SPDX-License-Identifier: Apache-2.0
// The paths that the server answers:
//
//   /health        whether the server is up
//   /metrics       counters and the state of the ledger, for Prometheus
//   /api           the operations, as JSON
//   /api/<tool>    one of them: GET with a query if it only reads, POST with JSON
//   /mcp           agents
//   all others     the reading room (interface/room/room.h)
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "interface/mcp/server.h"
#include "interface/room/room.h"
#include "interface/web/guard.h"
#include "interface/web/http_service.h"
#include "interface/web/mcp_http.h"
#include "interface/web/metrics.h"

namespace sibyl::interface {

/// Thread-safe.
class Routes : public HttpService {
 public:
  /// `server` is borrowed.
  Routes(const McpServer& server, GuardOptions guard)
      : server_(server),
        guard_(std::move(guard)),
        metrics_(server.context()),
        mcp_(server, metrics_),
        room_(server) {}

  /// Makes the pages of the reading room before somebody asks for them.
  void Begin() { room_.Begin(); }

  /// Host, Origin, Sec-Fetch-Site, token, path, method and media type.
  HeadJudgement Judge(const HttpRequest& head) override;
  HttpResponse Answer(HttpExchange& exchange) override;
  HttpResponse Refusal(const HttpRequest& head, int status, std::string_view reason) const override;

 private:
  enum class Page : std::uint8_t { kNone, kHealth, kMetrics, kApi, kOperation, kAgents, kRoom };
  struct Target {
    std::string_view route = {};  ///< For the counters.
    Page page = Page::kNone;
    const OfferedTool* tool = nullptr;  ///< Of kOperation.
    bool may_write = false;
    std::optional<HttpResponse> refusal = {};
  };
  Target FindTarget(const HttpRequest& head) const;
  Target FindOperation(const HttpRequest& head, bool may_write) const;
  void LogAnswer(const Target& target, int status, std::chrono::microseconds took) const;
  HttpResponse AnswerTarget(HttpExchange& exchange, const Target& target);
  /// An error as a page, if a browser shows the answer to a person.
  HttpResponse ForReader(const HttpRequest& head, HttpResponse response) const;
  HttpResponse ListOperations() const;
  HttpResponse CallOperation(HttpExchange& exchange, const OfferedTool& tool);

  const McpServer& server_;
  GuardOptions guard_;
  ServerMetrics metrics_;
  McpHttp mcp_;  // counts in metrics_
  Room room_;
};

/// The arguments of a query, typed as the tool's parameters are.
Json ArgumentsOfQuery(const OfferedTool& tool, std::string_view query);

/// 400, 404, 422 or 503: the only mapping from error kinds to statuses.
int HttpStatusOf(ErrorKind kind);

}  // namespace sibyl::interface
