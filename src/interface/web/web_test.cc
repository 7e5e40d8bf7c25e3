// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "base/files.h"
#include "base/temporary_folder.h"
#include "interface/served_context.h"
#include "interface/web/routes.h"

namespace sibyl::interface {
namespace {

namespace fs = std::filesystem;
using State = HttpReading::State;

const FixedClock kClock{*ParseDate("2026-11-15")};

HttpReading Read(std::string_view bytes) { return ReadHttpRequest(bytes, {}); }

TEST(HttpRequest, IsReadWithItsBodyAndNoMore) {
  const std::string first =
      "POST /api/search?query=a%20b&n=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
      "X-Odd:  \t value \t\r\n\r\n{}";
  const HttpReading reading = Read(first + "GET / HTTP/1.1\r\n");
  ASSERT_EQ(reading.state, State::kComplete);
  EXPECT_EQ(reading.consumed, first.size());
  EXPECT_EQ(reading.request.path, "/api/search");
  EXPECT_EQ(reading.request.query, "query=a%20b&n=1");
  EXPECT_EQ(reading.request.body, "{}");
  EXPECT_EQ(reading.request.Header("x-odd"), "value");
  EXPECT_TRUE(reading.request.keeps_alive);
  for (std::size_t cut = 0; cut < first.size(); ++cut) {
    EXPECT_EQ(Read(std::string_view(first).substr(0, cut)).state, State::kIncomplete) << cut;
  }
}

TEST(HttpRequest, MayComeInChunks) {
  const std::string text =
      "POST /mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n"
      "0\r\n\r\n";
  const HttpReading reading = Read(text);
  ASSERT_EQ(reading.state, State::kComplete) << reading.reason;
  EXPECT_EQ(reading.request.body, "abcde");
  EXPECT_EQ(reading.consumed, text.size());
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    EXPECT_EQ(Read(std::string_view(text).substr(0, cut)).state, State::kIncomplete) << cut;
  }
}

TEST(HttpRequest, IsRefusedWhereTwoReadersCouldDisagree) {
  const std::pair<std::string, int> cases[] = {
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 400},
      {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
       400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1x\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n", 413},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n", 413},
      {std::string(20'000, 'a'), 431},
  };
  for (const auto& [text, status] : cases) {
    const HttpReading reading = Read(text);
    EXPECT_EQ(reading.state, State::kRefused) << text.substr(0, 90);
    EXPECT_EQ(reading.status, status) << text.substr(0, 90);
  }
  std::string many = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 100; ++i) many += "X: y\r\n";
  EXPECT_EQ(Read(many + "\r\n").status, 431);
}

GuardOptions Guard() { return {.address = "127.0.0.1", .port = 8719, .token = "0123456789abcdef"}; }

HttpRequest Asking(std::vector<HttpHeader> headers) {
  return {.method = "GET", .path = "/", .headers = std::move(headers)};
}

TEST(Guard, LetsInWhoCallsUsByOurName) {
  for (const char* host :
       {"127.0.0.1", "127.0.0.1:8719", "localhost:9", "LOCALHOST", "[::1]:8719"}) {
    EXPECT_EQ(AccessOf(Asking({{"host", host}}), Guard()), Access::kReads) << host;
  }
  for (const char* host : {"", "evil.example", "evil.example:8719", "127.0.0.1.evil.example",
                           "localhost:", "localhost:x", "[::1", "192.168.0.7:8719"}) {
    EXPECT_EQ(AccessOf(Asking({{"host", host}}), Guard()), Access::kForbidden) << host;
  }
  EXPECT_EQ(AccessOf(Asking({{"host", "localhost"}, {"origin", "http://localhost:3000"}}), Guard()),
            Access::kReads);
  for (const char* origin : {"http://evil.example", "null", "https://localhost.evil.example", ""}) {
    EXPECT_EQ(AccessOf(Asking({{"host", "localhost"}, {"origin", origin}}), Guard()),
              Access::kForbidden)
        << origin;
  }
}

TEST(Guard, WritingNeedsTheTokenAndReadingFromElsewhereToo) {
  const auto with = [](const char* token) {
    return Asking({{"host", "localhost"}, {"authorization", token}});
  };
  EXPECT_EQ(AccessOf(with("Bearer 0123456789abcdef"), Guard()), Access::kWrites);
  for (const char* token : {"Bearer 0123456789abcdeX", "Bearer ", "Basic 0123456789abcdef", "x"}) {
    EXPECT_EQ(AccessOf(with(token), Guard()), Access::kWrongToken) << token;
  }
  GuardOptions open = Guard();
  open.reads_need_token = true;
  EXPECT_EQ(AccessOf(Asking({{"host", "localhost"}}), open), Access::kWrongToken);
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

// A server on a free port, and clients that speak to it byte by byte.
class ServedHttp : public ::testing::Test {
 protected:
  ServedHttp() {
    EXPECT_TRUE(WriteFileAtomically(folder_.path() / "sibyl.toml", "").ok());
    EXPECT_TRUE(WriteFileAtomically(folder_.path() / "01-x.md", "# X\n").ok());
    const engine::Context context{
        .working_folder = folder_.path(), .oracle = folder_.path(), .clock = kClock};
    server_.emplace(*ServedContext(context, {}), *OfferTools({}));
    Result<HttpServer> http = HttpServer::Listen({.most_connections = 4,
                                                  .reading = std::chrono::milliseconds(400),
                                                  .farewell = std::chrono::milliseconds(300)});
    EXPECT_TRUE(http.ok());
    http_.emplace(std::move(http).value());
    GuardOptions guard = Guard();
    guard.port = http_->port();
    routes_.emplace(*server_, guard);
    thread_ = std::thread([this] {
      http_->Serve([this](HttpExchange& exchange) { return routes_->Handle(exchange); },
                   stop_.get_token());
    });
  }
  ~ServedHttp() override {
    stop_.request_stop();
    thread_.join();
  }

  int Connect() const {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(http_->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    return socket;
  }
  static void Say(int socket, std::string_view text) {
    EXPECT_EQ(::send(socket, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  static std::string Hear(int socket) {
    std::string all;
    std::array<char, 4096> bytes{};
    for (ssize_t got = 0; (got = ::recv(socket, bytes.data(), bytes.size(), 0)) > 0;) {
      all.append(bytes.data(), static_cast<std::size_t>(got));
    }
    ::close(socket);
    return all;
  }
  std::string Ask(std::string_view head, std::string_view body = {}) const {
    const int socket = Connect();
    Say(socket, std::string(head) + "Host: localhost\r\nConnection: close\r\nContent-Length: " +
                    std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
    return Hear(socket);
  }
  static Json BodyOf(const std::string& response) {
    const Result<Json> json = ParseJson(response.substr(response.find("\r\n\r\n") + 4));
    return json.ok() ? *json : Json(nullptr);
  }

  TemporaryFolder folder_;
  std::optional<McpServer> server_;
  std::optional<HttpServer> http_;
  std::optional<Routes> routes_;
  std::stop_source stop_;
  std::thread thread_;
};

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
  const std::string metrics = Ask("GET /metrics HTTP/1.1\r\n");
  EXPECT_NE(metrics.find("sibyl_tool_calls_total{tool=\"status\",failed=\"false\"} 1"),
            std::string::npos)
      << metrics;
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

TEST_F(ServedHttp, KeepsConnectionsAndAnswersThemInOrder) {
  const int socket = Connect();
  const std::string ask = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
  Say(socket, ask + ask + "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const std::string all = Hear(socket);
  std::size_t count = 0;
  for (std::size_t at = all.find("HTTP/1.1 200"); at != std::string::npos;
       at = all.find("HTTP/1.1 200", at + 1)) {
    ++count;
  }
  EXPECT_EQ(count, 3U) << all;
}

TEST_F(ServedHttp, SlowAndTooManyClientsAreSentAway) {
  const int slow = Connect();
  Say(slow, "GET / HT");
  EXPECT_TRUE(Hear(slow).starts_with("HTTP/1.1 408"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // its place is free again
  std::vector<int> held;
  for (int i = 0; i < 4; ++i) held.push_back(Connect());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_TRUE(Hear(Connect()).starts_with("HTTP/1.1 503"));
  for (const int socket : held) ::close(socket);
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_EQ(BodyOf(Ask("GET /health HTTP/1.1\r\n"))["status"], "ok");
}

}  // namespace
}  // namespace sibyl::interface
