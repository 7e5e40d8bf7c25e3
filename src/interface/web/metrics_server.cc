// SPDX-License-Identifier: Apache-2.0
#include "interface/web/metrics_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/numbers.h"
#include "base/telemetry/log.h"
#include "interface/web/http_server.h"
#include "interface/web/metrics.h"
#include "interface/web/server_token.h"

namespace sibyl::interface {
namespace {

struct HostAndPort {
  std::string host;
  std::uint16_t port = 0;
};

Result<HostAndPort> ParseHostAndPort(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  std::string_view host = text.substr(0, std::min(colon, text.size()));
  const bool is_six = host.starts_with('[') && host.ends_with(']');
  if (is_six) host = host.substr(1, host.size() - 2);
  const bool is_bare_six = !is_six && host.find(':') != std::string_view::npos;
  if (colon != std::string_view::npos && !host.empty() && !is_bare_six) {
    const auto port = ParseNumber<std::uint16_t>(text.substr(colon + 1));
    if (port) return HostAndPort{.host = std::string(host), .port = *port};
  }
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("--metrics {}: not an address with a port", text),
               .hint = "for example --metrics 127.0.0.1:9469, or [::1]:9469"};
}

class MetricsServer {
 public:
  MetricsServer(HttpServer http, GuardOptions guard)
      : http_(std::move(http)),
        service_(std::move(guard)),
        thread_([this](const std::stop_token& stop) { http_.Serve(service_, stop); }) {}

 private:
  HttpServer http_;
  MetricsService service_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace

HeadJudgement MetricsService::Judge(const HttpRequest& head) {
  const Access access = AccessOf(head, guard_);
  if (access == Access::kForbidden || access == Access::kCrossSite) {
    return {.refusal = TextResponse(403, "the Host or Origin is not this server")};
  }
  if (head.path != "/health" && access == Access::kWrongToken) {
    HttpResponse response = TextResponse(401, "this needs the server's token");
    response.headers.push_back({"WWW-Authenticate", "Bearer realm=\"sibyl\""});
    return {.refusal = std::move(response)};
  }
  if (head.path != "/metrics" && head.path != "/health") {
    return {.refusal = TextResponse(404, "no such path; try /metrics and /health")};
  }
  if (head.method == "GET" || head.method == "HEAD") return {.is_quick = true};
  HttpResponse response = TextResponse(405, "this path takes GET, HEAD");
  response.headers.push_back({"Allow", "GET, HEAD"});
  return {.refusal = std::move(response)};
}

HttpResponse MetricsService::Answer(HttpExchange& exchange) {
  if (exchange.request().path == "/health") return TextResponse(200, "ok");
  return MetricsResponse(FormatProcessMetrics());
}

Result<std::shared_ptr<void>> ServeMetrics(std::string_view address) {
  const HostAndPort where = SIBYL_TRY(ParseHostAndPort(address));
  const ServerToken token = SIBYL_TRY(ChooseToken());
  SIBYL_TRY(CheckTokenIsKnown(token, where.host));
  HttpServer http = SIBYL_TRY(HttpServer::Listen({.address = where.host, .port = where.port}));
  const std::uint16_t port = http.port();
  const bool is_six = where.host.find(':') != std::string::npos;
  const std::string shown = fmt::format("http://{}{}{}:{}/metrics", is_six ? "[" : "", where.host,
                                        is_six ? "]" : "", port);
  WriteLog(LogLevel::kInfo, "serving metrics", {{"address", shown}});
  if (!IsLogOn()) fmt::print(stderr, "sibyl: metrics at {}\n", shown);
  return std::shared_ptr<void>(std::make_shared<MetricsServer>(
      std::move(http), GuardOptions{.address = where.host,
                                    .port = port,
                                    .names = {},
                                    .token = token.text,
                                    .reads_need_token = !IsLoopback(where.host),
                                    .takes_any_host = !IsLoopback(where.host)}));
}

}  // namespace sibyl::interface
