// SPDX-License-Identifier: Apache-2.0
// Who may ask for what under which path.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/telemetry/families.h"
#include "base/telemetry/test_exposition.h"
#include "interface/interface.h"
#include "interface/web/metrics_server.h"
#include "interface/web/server_token.h"
#include "interface/web/test_served_http.h"

namespace sibyl::interface {
namespace {

HttpRequest Asking(std::vector<HttpHeader> headers) {
  return {.method = "GET", .path = "/", .headers = std::move(headers)};
}

TEST(Guard, LetsInWhoCallsUsByOurName) {
  for (const char* host :
       {"127.0.0.1", "127.0.0.1:8719", "localhost:9", "LOCALHOST", "[::1]:8719"}) {
    EXPECT_EQ(AccessOf(Asking({{"host", host}}), TestGuard()), Access::kReads) << host;
  }
  for (const char* host : {"", "evil.example", "evil.example:8719", "127.0.0.1.evil.example",
                           "localhost:", "localhost:x", "[::1", "192.168.0.7:8719"}) {
    EXPECT_EQ(AccessOf(Asking({{"host", host}}), TestGuard()), Access::kForbidden) << host;
  }
}

TEST(Guard, AnOriginIsOursOnlyWithItsSchemeAndPort) {
  const auto access = [](const char* host, const char* origin, const GuardOptions& options) {
    return AccessOf(Asking({{"host", host}, {"origin", origin}}), options);
  };
  for (const char* origin : {"http://localhost:8719", "http://127.0.0.1:8719", "http://[::1]:8719",
                             "http://LOCALHOST:8719"}) {
    EXPECT_EQ(access("127.0.0.1:8719", origin, TestGuard()), Access::kReads) << origin;
  }
  for (const char* origin :
       {"http://127.0.0.1:3000", "https://127.0.0.1:8719", "http://localhost", "https://localhost",
        "http://localhost:8719/", "http://localhost:8719.evil.example", "http://evil.example:8719",
        "http://evil.example", "null", "https://localhost.evil.example", "", "http://[::1",
        "localhost:8719", "http://x@localhost:8719"}) {
    EXPECT_EQ(access("127.0.0.1:8719", origin, TestGuard()), Access::kForbidden) << origin;
  }
  // A port that is forwarded to ours; its pages ask under the address they came from.
  EXPECT_EQ(access("localhost:9000", "http://localhost:9000", TestGuard()), Access::kReads);
  EXPECT_EQ(access("localhost:9000", "http://localhost:9001", TestGuard()), Access::kForbidden);
  // A proxy that speaks https for us, under a name that it was started with.
  GuardOptions named = TestGuard();
  named.names = {"sibyl.example"};
  EXPECT_EQ(access("sibyl.example", "https://sibyl.example", named), Access::kReads);
  EXPECT_EQ(access("sibyl.example", "http://sibyl.example:8719", named), Access::kReads);
  EXPECT_EQ(access("sibyl.example", "https://sibyl.example:3000", named), Access::kForbidden);
  EXPECT_EQ(access("sibyl.example", "https://localhost", named), Access::kForbidden);
}

TEST(Guard, WritingNeedsTheTokenAndReadingFromElsewhereToo) {
  const auto with = [](const char* token) {
    return Asking({{"host", "localhost"}, {"authorization", token}});
  };
  EXPECT_EQ(AccessOf(with("Bearer 0123456789abcdef"), TestGuard()), Access::kWrites);
  for (const char* token : {"Bearer 0123456789abcdeX", "Bearer ", "Basic 0123456789abcdef", "x"}) {
    EXPECT_EQ(AccessOf(with(token), TestGuard()), Access::kWrongToken) << token;
  }
  GuardOptions open = TestGuard();
  open.reads_need_token = true;
  EXPECT_EQ(AccessOf(Asking({{"host", "localhost"}}), open), Access::kWrongToken);
}

TEST(Guard, RefusesWhatABrowserSendsForAnotherSite) {
  const auto with = [](const char* site) {
    return Asking({{"host", "localhost"},
                   {"sec-fetch-site", site},
                   {"authorization", "Bearer 0123456789abcdef"}});
  };
  for (const char* site : {"cross-site", "same-site", "", "Same-Origin", "none, cross-site"}) {
    EXPECT_EQ(AccessOf(with(site), TestGuard()), Access::kCrossSite) << site;
  }
  for (const char* site : {"same-origin", "none"}) {
    EXPECT_EQ(AccessOf(with(site), TestGuard()), Access::kWrites) << site;
  }
}

TEST(Guard, ALinkOnAnotherSiteMayBeFollowed) {
  const auto with = [](const char* mode, const char* destination, const char* method) {
    HttpRequest request = Asking({{"host", "localhost"},
                                  {"sec-fetch-site", "cross-site"},
                                  {"sec-fetch-mode", mode},
                                  {"sec-fetch-dest", destination}});
    request.method = method;
    return AccessOf(request, TestGuard());
  };
  EXPECT_EQ(with("navigate", "document", "GET"), Access::kReads);
  EXPECT_EQ(with("navigate", "document", "POST"), Access::kCrossSite);
  EXPECT_EQ(with("navigate", "iframe", "GET"), Access::kCrossSite);
  EXPECT_EQ(with("no-cors", "script", "GET"), Access::kCrossSite);
  EXPECT_EQ(with("cors", "document", "GET"), Access::kCrossSite);
}

TEST(McpHeaders, MustSayWhatTheBodySays) {
  const RpcRequest request{
      .id = 1,
      .method = "tools/call",
      .params = {{"name", "search"}, {"_meta", {{std::string(kVersionMeta), "2026-07-28"}}}}};
  std::vector<HttpHeader> headers = {
      {"mcp-protocol-version", "2026-07-28"}, {"mcp-method", "tools/call"}, {"mcp-name", "search"}};
  EXPECT_EQ(CheckMcpHeaders(Asking(headers), request), "");
  headers[2].value = "=?base64?c2VhcmNo?=";
  EXPECT_EQ(CheckMcpHeaders(Asking(headers), request), "");
  for (std::size_t i = 0; i < headers.size(); ++i) {
    std::vector<HttpHeader> wrong = headers;
    wrong[i].value = "other";
    EXPECT_NE(CheckMcpHeaders(Asking(wrong), request), "") << i;
    wrong.erase(wrong.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(CheckMcpHeaders(Asking(wrong), request), "") << i;
  }
}

TEST_F(ServedHttp, AnswersHealthMetricsAndOperations) {
  EXPECT_EQ(BodyOf(Ask("GET /health HTTP/1.1\r\n"))["status"], "ok");
  const std::string status = Ask("GET /api/status?all=true HTTP/1.1\r\n");
  EXPECT_TRUE(status.starts_with("HTTP/1.1 200 OK\r\n")) << status;
  EXPECT_EQ(BodyOf(status)["operation"], "status");
  EXPECT_GT(BodyOf(Ask("GET /api HTTP/1.1\r\n"))["operations"].size(), 10U);
  EXPECT_TRUE(Ask("GET /nothing HTTP/1.1\r\n").starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(Ask("GET /api/nothing HTTP/1.1\r\n").starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(Ask("DELETE /api/status HTTP/1.1\r\n").starts_with("HTTP/1.1 405"));
  EXPECT_TRUE(Ask("GET /api/search HTTP/1.1\r\n").starts_with("HTTP/1.1 400"));
}

TEST_F(ServedHttp, MetricsAreInThePrometheusFormat) {
  Ask("GET /api/status HTTP/1.1\r\n");
  Ask("GET /api/nothing HTTP/1.1\r\n");
  const std::string response = Ask("GET /metrics HTTP/1.1\r\n");
  EXPECT_NE(response.find("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"),
            std::string::npos);
  const std::string body = response.substr(response.find("\r\n\r\n") + 4);
  const Exposition read = ReadExposition(body);
  EXPECT_EQ(read.Value("sibyl_tool_calls_total", {{"tool", "status"}, {"failed", "false"}}), 1);
  EXPECT_EQ(read.Value("sibyl_http_requests_total", {{"route", "api"}, {"code", "404"}}), 1);
  EXPECT_EQ(read.Value("sibyl_http_request_seconds_count", {{"route", "api"}}), 2);
  EXPECT_EQ(read.Value("sibyl_build_info", {{"version", Release()}}), 1);
  EXPECT_EQ(read.Value("sibyl_ledger_up"), 1) << "nothing was run yet, which is no fault";
  EXPECT_EQ(read.Value("sibyl_parts", {{"state", "waiting"}}), 0);
  EXPECT_EQ(read.Value("sibyl_workers", {{"role", "worker"}}), 0);
  EXPECT_EQ(body.find(oracle().string()), std::string::npos) << "no path of a user";
  for (const auto& each : read.families) {
    const std::string& name = each.first;
    EXPECT_TRUE(std::any_of(kMetricFamilies.begin(), kMetricFamilies.end(),
                            [&](const MetricFamily* family) { return family->name == name; }))
        << name << " is not in base/telemetry/families.h";
  }
}

TEST_F(ServedHttp, AWorkersMetricsFollowTheSameRules) {
  const Result<std::shared_ptr<void>> served = ServeMetrics("127.0.0.1:0");
  ASSERT_TRUE(served.ok()) << served.error().message;
  for (const char* address : {"", "9469", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "::1:9469",
                              "127.0.0.1:70000", "example.org:9469"}) {
    const Result<std::shared_ptr<void>> refused = ServeMetrics(address);
    ASSERT_FALSE(refused.ok()) << address;
    EXPECT_EQ(refused.error().kind, ErrorKind::kUsage) << address;
  }
  const Result<std::shared_ptr<void>> open = ServeMetrics("0.0.0.0:0");
  ASSERT_FALSE(open.ok()) << "others would need a token that nobody knows";
  EXPECT_NE(open.error().hint.find("SIBYL_TOKEN"), std::string::npos);

  MetricsService service(TestGuard());
  const TestServer server(service, {});
  const std::string metrics = server.Ask("GET /metrics HTTP/1.1\r\n");
  EXPECT_TRUE(metrics.starts_with("HTTP/1.1 200")) << metrics;
  ReadExposition(metrics.substr(metrics.find("\r\n\r\n") + 4));
  EXPECT_TRUE(server.Ask("GET /health HTTP/1.1\r\n").starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(server.Ask("GET /api HTTP/1.1\r\n").starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(server.Ask("POST /metrics HTTP/1.1\r\n").starts_with("HTTP/1.1 405"));
  EXPECT_TRUE(server.Ask("GET /metrics HTTP/1.1\r\nOrigin: http://evil.example\r\n")
                  .starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(server.Ask("GET /metrics HTTP/1.1\r\nSec-Fetch-Site: cross-site\r\n")
                  .starts_with("HTTP/1.1 403"));
}

// Prometheus sends the name that it was given for the machine.
TEST_F(ServedHttp, AWorkersMetricsMayBeAskedForUnderAnyNameWithTheToken) {
  GuardOptions guard = TestGuard();
  guard.address = "0.0.0.0";
  guard.reads_need_token = true;
  guard.takes_any_host = true;
  const std::string token = "Authorization: Bearer " + guard.token + "\r\n";
  MetricsService service(guard);
  const TestServer server(service, {});
  const auto ask = [&](const std::string& fields) {
    const int socket = server.Connect();
    TestServer::Say(socket, "GET /metrics HTTP/1.1\r\nConnection: close\r\n" + fields + "\r\n");
    return TestServer::Hear(socket);
  };
  for (const char* host : {"node1:9469", "192.0.2.7:9469", "node1.example.org"}) {
    const std::string field = std::string("Host: ") + host + "\r\n";
    EXPECT_TRUE(ask(field + token).starts_with("HTTP/1.1 200")) << host;
    EXPECT_TRUE(ask(field).starts_with("HTTP/1.1 401")) << host;
    EXPECT_TRUE(ask(field + token + "Origin: http://" + host + "\r\n").starts_with("HTTP/1.1 403"))
        << host;
  }
  // Without a token the name is all that there is.
  guard.reads_need_token = false;
  EXPECT_EQ(AccessOf(Asking({{"host", "node1:9469"}}), guard), Access::kForbidden);
}

TEST(ServerToken, AnEmptyOneIsNone) {
  ::setenv("SIBYL_TOKEN", "", 1);
  const Result<ServerToken> made = ChooseToken();
  ::setenv("SIBYL_TOKEN", "short", 1);
  const Result<ServerToken> refused = ChooseToken();
  ::unsetenv("SIBYL_TOKEN");
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(made->is_ours);
  EXPECT_FALSE(refused.ok());
}

TEST_F(ServedHttp, APageOfAnotherSiteCannotAsk) {
  for (const char* path : {"/health", "/api/status", "/metrics", "/mcp"}) {
    const std::string get = std::string("GET ") + path + " HTTP/1.1\r\n";
    EXPECT_TRUE(Ask(get + "Sec-Fetch-Site: cross-site\r\n").starts_with("HTTP/1.1 403")) << path;
    EXPECT_TRUE(Ask(get + "Sec-Fetch-Site: same-site\r\n").starts_with("HTTP/1.1 403")) << path;
  }
  EXPECT_TRUE(
      Ask("GET /api/status HTTP/1.1\r\nSec-Fetch-Site: none\r\n").starts_with("HTTP/1.1 200"));
  EXPECT_EQ(Ask("GET /metrics HTTP/1.1\r\n").find("tool=\"status\",failed=\"false\"} 2"),
            std::string::npos);
}

TEST_F(ServedHttp, HeadHasTheLengthOfGetAndNoBody) {
  for (const char* path : {"/health", "/api/plan_check?plan=none.md", "/api", "/nothing"}) {
    const std::string line = std::string(" ") + path + " HTTP/1.1\r\n";
    const std::string get = Ask("GET" + line);
    const std::string head = Ask("HEAD" + line);
    EXPECT_EQ(head, get.substr(0, get.find("\r\n\r\n") + 4)) << path;
    EXPECT_NE(head.find("Content-Length: "), std::string::npos) << path;
  }
}

TEST_F(ServedHttp, OtherMethodsAreAnsweredWithTheAllowedOnes) {
  const auto allowed = [this](const std::string& method, const std::string& path) {
    const std::string response = Ask(method + " " + path + " HTTP/1.1\r\n");
    EXPECT_TRUE(response.starts_with("HTTP/1.1 405")) << method << path << response;
    const std::size_t at = response.find("Allow: ");
    return at == std::string::npos ? "" : response.substr(at + 7, response.find("\r", at) - at - 7);
  };
  for (const char* method : {"PUT", "OPTIONS", "PATCH", "TRACE", "DELETE", "BREW"}) {
    EXPECT_EQ(allowed(method, "/health"), "GET, HEAD");
    EXPECT_EQ(allowed(method, "/api"), "GET, HEAD");
    EXPECT_EQ(allowed(method, "/api/status"), "GET, HEAD, POST");
    EXPECT_EQ(allowed(method, "/api/claim_part"), "POST");
    EXPECT_EQ(allowed(method, "/mcp"), "POST, DELETE");
  }
  EXPECT_EQ(allowed("HEAD", "/api/claim_part"), "POST");
  EXPECT_EQ(allowed("GET", "/mcp"), "POST, DELETE");
}

TEST_F(ServedHttp, WhatWritesNeedsTheTokenAndJson) {
  const std::string_view body = R"({"plan":"x.md"})";
  const std::string json = "Content-Type: application/json\r\n";
  const std::string token = "Authorization: Bearer 0123456789abcdef\r\n";
  const std::string post = "POST /api/claim_part HTTP/1.1\r\n";
  EXPECT_TRUE(Ask("GET /api/claim_part?plan=x.md HTTP/1.1\r\n").starts_with("HTTP/1.1 405"));
  const std::string refused = Ask(post + json, body);
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 401")) << refused;
  EXPECT_NE(refused.find("WWW-Authenticate: Bearer"), std::string::npos);
  EXPECT_TRUE(Ask(post + token, body).starts_with("HTTP/1.1 415"));
  EXPECT_TRUE(Ask(post + token + json, "[]").starts_with("HTTP/1.1 400"));
  EXPECT_TRUE(Ask(post + token + json, body).starts_with("HTTP/1.1 404")) << "there is no plan";
  EXPECT_TRUE(Ask(post + json + "Origin: http://evil.example\r\n" + token, body)
                  .starts_with("HTTP/1.1 403"));
}

TEST_F(ServedHttp, SpeaksMcpWithSessionsAndWithout) {
  const std::string json =
      "Content-Type: application/json\r\nAccept: application/json, "
      "text/event-stream\r\n";
  const std::string post = "POST /mcp HTTP/1.1\r\n" + json;
  const std::string begun = Ask(
      post,
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})");
  const std::size_t at = begun.find("Mcp-Session-Id: ");
  ASSERT_NE(at, std::string::npos) << begun;
  const std::string session = begun.substr(at, begun.find("\r\n", at) - at + 2);
  const std::string_view list = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";
  EXPECT_TRUE(Ask(post, list).starts_with("HTTP/1.1 400"));
  EXPECT_TRUE(Ask(post + "Mcp-Session-Id: x\r\n", list).starts_with("HTTP/1.1 404"));
  EXPECT_GT(BodyOf(Ask(post + session, list))["result"]["tools"].size(), 10U);
  const std::string_view notice = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  EXPECT_TRUE(Ask(post + session, notice).starts_with("HTTP/1.1 202"));
  EXPECT_TRUE(Ask("GET /mcp HTTP/1.1\r\n" + session).starts_with("HTTP/1.1 405"));
  EXPECT_TRUE(Ask("DELETE /mcp HTTP/1.1\r\n" + session).starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(Ask(post + session, list).starts_with("HTTP/1.1 404"));

  const std::string_view modern =
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"status","arguments":{},)"
      R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{},"progressToken":5}}})";
  const std::string headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n";
  EXPECT_EQ(BodyOf(Ask(post + headers, modern))["error"]["code"], -32020);
  const std::string streamed = Ask(post + headers + "Mcp-Name: status\r\n", modern);
  EXPECT_NE(streamed.find("Content-Type: text/event-stream"), std::string::npos) << streamed;
  EXPECT_NE(streamed.find("data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\""), std::string::npos);
  EXPECT_NE(Ask("GET /metrics HTTP/1.1\r\n")
                .find("sibyl_tool_calls_total{tool=\"status\",failed=\"false\"} 1"),
            std::string::npos);
}

TEST_F(ServedHttp, SessionsInUseOutliveAThousandStrangers) {
  const std::string post = "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\n";
  const std::string token = "Authorization: Bearer 0123456789abcdef\r\n";
  const std::string_view begin =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";
  const std::string_view ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
  const auto session_in = [](const std::string& response) {
    const std::size_t at = response.find("Mcp-Session-Id: ");
    return at == std::string::npos ? "" : response.substr(at, response.find("\r\n", at) - at + 2);
  };
  const std::string anonymous = session_in(Ask(post, begin));
  const std::string trusted = session_in(Ask(post + token, begin));
  EXPECT_TRUE(Ask(post + anonymous, ping).starts_with("HTTP/1.1 200"));
  for (int i = 0; i < 1'001; ++i) Ask(post, begin);
  EXPECT_TRUE(Ask(post + anonymous, ping).starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(Ask(post + token + trusted, ping).starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(Ask(post + trusted, ping).starts_with("HTTP/1.1 404")) << "it needs its token";
  EXPECT_TRUE(Ask("DELETE /mcp HTTP/1.1\r\n" + trusted).starts_with("HTTP/1.1 404"));
  // All sessions of the client in use: a new one is refused, with a reason.
  std::string refused;
  for (int i = 0; i < 200 && refused.empty(); ++i) {
    const std::string begun = Ask(post, begin);
    if (!begun.starts_with("HTTP/1.1 200")) refused = begun;
    Ask(post + session_in(begun), ping);
  }
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 429")) << refused;
  EXPECT_NE(refused.find("Retry-After: "), std::string::npos);
  EXPECT_NE(refused.find("too many sessions"), std::string::npos);
  EXPECT_TRUE(Ask(post + token, begin).starts_with("HTTP/1.1 200"));
}

}  // namespace
}  // namespace sibyl::interface
