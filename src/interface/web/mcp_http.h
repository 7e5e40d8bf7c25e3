// SPDX-License-Identifier: Apache-2.0
// MCP over HTTP ("Streamable HTTP"), in both eras on one address: with sessions
// for clients that begin with a handshake, without any memory for the others.
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
  McpHttp(const McpServer& server, Metrics& metrics) : server_(server), metrics_(metrics) {}

  /// What is wrong with a request by its head; nothing: it may be handled.
  static std::optional<HttpResponse> Judge(const HttpRequest& head);
  /// A request that was let in; `may_write` says that it has the token.
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
  Metrics& metrics_;
  McpSessions sessions_;
};

/// The header of a request that must say the same as its body, or why it does
/// not. Empty: all is well.
std::string CheckMcpHeaders(const HttpRequest& http, const RpcRequest& request);

}  // namespace sibyl::interface
