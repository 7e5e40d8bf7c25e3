// SPDX-License-Identifier: Apache-2.0
// MCP over HTTP ("Streamable HTTP"), in both eras on one address: with sessions
// for clients that begin with a handshake, without any memory for the others.
#pragma once

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "interface/mcp/server.h"
#include "interface/web/http_server.h"
#include "interface/web/metrics.h"

namespace sibyl::interface {

/// Thread-safe.
class McpHttp {
 public:
  /// Both are borrowed.
  McpHttp(const McpServer& server, Metrics& metrics) : server_(server), metrics_(metrics) {}

  /// A request that its guard let in; `may_write` says how far.
  HttpResponse Handle(HttpExchange& exchange, bool may_write);

 private:
  struct Session {
    std::uint64_t used = 0;  ///< The order of use; the oldest gives way.
    std::map<std::string, std::stop_source> under_way;
  };

  HttpResponse Post(HttpExchange& exchange, bool may_write);
  HttpResponse HandleNotification(const RpcRequest& request, const HttpRequest& http);
  HttpResponse HandleHandshake(HttpExchange& exchange, const RpcRequest& request, bool may_write);
  HttpResponse HandleStateless(HttpExchange& exchange, const RpcRequest& request, bool may_write);
  HttpResponse Answer(HttpExchange& exchange, const RpcRequest& request, McpCall call) const;
  HttpResponse Begin(const RpcRequest& request);
  HttpResponse End(std::string_view session);
  bool Touch(std::string_view session) SIBYL_EXCLUDES(mutex_);

  const McpServer& server_;
  Metrics& metrics_;
  Mutex mutex_;
  std::map<std::string, Session, std::less<>> sessions_ SIBYL_GUARDED_BY(mutex_);
  std::uint64_t uses_ SIBYL_GUARDED_BY(mutex_) = 0;
};

/// The header of a request that must say the same as its body, or why it does
/// not. Empty: all is well.
std::string CheckMcpHeaders(const HttpRequest& http, const RpcRequest& request);

}  // namespace sibyl::interface
