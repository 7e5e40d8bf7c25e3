// SPDX-License-Identifier: Apache-2.0
// MCP over HTTP ("Streamable HTTP"), in both generations on one address: with
// sessions for clients that start with a handshake, stateless for the others.
#pragma once

#include <optional>
#include <string>

#include "interface/mcp/server.h"
#include "interface/web/http_service.h"
#include "interface/web/mcp_sessions.h"
#include "interface/web/metrics.h"

namespace sibyl::interface {

/// Thread-safe.
class McpHttp {
 public:
  /// Both are borrowed.
  McpHttp(const McpServer& server, ServerMetrics& metrics) : server_(server), metrics_(metrics) {}

  /// Why a request is refused, from its head; nothing if it may be handled.
  static std::optional<HttpResponse> Judge(const HttpRequest& head);
  /// A request that was accepted; `may_write` if it has the token.
  HttpResponse Handle(HttpExchange& exchange, bool may_write);

 private:
  HttpResponse Post(HttpExchange& exchange, bool may_write);
  HttpResponse HandleNotification(const RpcRequest& request, const HttpRequest& http,
                                  bool may_write);
  HttpResponse HandleHandshake(HttpExchange& exchange, const RpcRequest& request, bool may_write);
  HttpResponse HandleStateless(HttpExchange& exchange, const RpcRequest& request, bool may_write);
  HttpResponse Answer(HttpExchange& exchange, const RpcRequest& request, McpCall call) const;
  HttpResponse Begin(HttpExchange& exchange, const RpcRequest& request, bool may_write);

  const McpServer& server_;
  ServerMetrics& metrics_;
  McpSessions sessions_;
};

/// Why the headers of a request do not match its body. Empty if they do.
std::string CheckMcpHeaders(const HttpRequest& http, const RpcRequest& request);

}  // namespace sibyl::interface
