// SPDX-License-Identifier: Apache-2.0
// The client against a server that sends exactly what a test wants.
#include "net/client.h"

#include <gtest/gtest.h>

#include <thread>

#include "net/test_server.h"
#include "net/test_timer.h"

namespace sibyl::net {
namespace {

using Then = TestAnswer::Then;
using std::chrono::milliseconds;

const FixedClock kClock(Time(std::chrono::seconds(1'790'000'000)));

// A client that may speak to `server` and does not really wait.
struct Caller {
  explicit Caller(const TestServer& server, Budget* budget = nullptr)
      : client({.clock = kClock,
                .timer = timer,
                .allow = {server.host()},
                .budget = budget,
                .jitter_seed = 1}) {}

  TestTimer timer;
  Client client;
};

Request Page(const TestServer& server, std::string_view path = "/") {
  return {.url = *ParseUrl(server.url(path)), .retry = {.tries = 1}};
}

std::string Path(const std::string& request) {
  const std::size_t start = request.find(' ') + 1;
  return request.substr(start, request.find(' ', start) - start);
}

TEST(Client, SaysWhenNothingShowsThatABodyIsWhole) {
  const TestServer server([](const std::string& request) -> TestAnswer {
    const std::string path = Path(request);
    const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
    if (path == "/length") return TestPage("200 OK", "", "hello");
    if (path == "/chunks") {
      return {.bytes = head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"};
    }
    return {.bytes = head + "\r\nhello"};
  });
  Caller caller(server);
  EXPECT_FALSE(caller.client.Send(Page(server, "/length"))->ended_with_connection);
  EXPECT_FALSE(caller.client.Send(Page(server, "/chunks"))->ended_with_connection);
  const Result<Response> doubtful = caller.client.Send(Page(server, "/close"));
  ASSERT_TRUE(doubtful.ok()) << doubtful.error().message;
  EXPECT_TRUE(doubtful->ended_with_connection);
  EXPECT_EQ(doubtful->body, "hello");
}

// Whoever wrote the settings does not decide alone what is asked behind the firewall.
TEST(Client, ReachesAProxyAtAPrivateAddressOnlyWhenItIsNamed) {
  const TestServer proxy([](const std::string&) {
    return TestPage("200 OK", "Content-Type: text/plain\r\n", "by the proxy");
  });
  const Request request{.url = *ParseUrl("http://example.org/x"), .retry = {.tries = 1}};
  Client stranger({.clock = kClock, .proxy = proxy.url()});
  const Result<Response> refused = stranger.Send(request);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_NE(refused.error().message.find("'127.0.0.1' has the address"), std::string::npos)
      << refused.error().message;
  EXPECT_NE(refused.error().hint.find("SIBYL_WEB_ALLOW"), std::string::npos);
  EXPECT_EQ(proxy.connections(), 0);

  Client friendly({.clock = kClock, .allow = {proxy.host()}, .proxy = proxy.url()});
  const Result<Response> response = friendly.Send(request);
  ASSERT_TRUE(response.ok()) << response.error().message;
  EXPECT_EQ(response->body, "by the proxy");
  EXPECT_TRUE(proxy.requests().at(0).starts_with("GET http://example.org/x "));
  const Request metadata{.url = *ParseUrl("http://169.254.169.254/"), .retry = {.tries = 1}};
  EXPECT_FALSE(friendly.Send(metadata).ok());
}

TEST(Client, BringsStatusHeadersAndBody) {
  const TestServer server([](const std::string&) {
    return TestPage("200 OK", "Content-Type: text/html; charset=UTF-8\r\nETag: \"e1\"\r\n",
                    "hello");
  });
  Caller caller(server);
  const Result<Response> response = caller.client.Send(Page(server, "/a?b=c#d"));
  ASSERT_TRUE(response.ok()) << response.error().message;
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "hello");
  EXPECT_EQ(response->headers.Find("content-type"), "text/html; charset=UTF-8");
  EXPECT_EQ(response->ResponseValidators().etag, "\"e1\"");
  EXPECT_EQ(response->address, "127.0.0.1");
  EXPECT_GT(response->wire_bytes, 5U);
  const std::string request = server.requests().at(0);
  EXPECT_TRUE(request.starts_with("GET /a?b=c HTTP/1.1\r\n")) << request;
  EXPECT_NE(request.find("User-Agent: sibyl/"), std::string::npos);
  EXPECT_NE(request.find("Accept-Encoding: "), std::string::npos);
}

TEST(Client, ReusesConnections) {
  const TestServer server([](const std::string&) { return TestPage("200 OK", "", "x"); });
  Caller caller(server);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(caller.client.Send(Page(server)).ok());
  EXPECT_EQ(server.connections(), 1);
}

TEST(Client, PostsJsonWithItsKey) {
  const TestServer server([](const std::string&) { return TestPage("200 OK", "", "{}"); });
  Caller caller(server);
  Request request = Page(server);
  request.method = Method::kPost;
  request.body = R"({"q":"warp"})";
  request.credentials = {{.name = "X-API-KEY", .value = "secret"}};
  ASSERT_TRUE(caller.client.Send(request).ok());
  const std::string sent = server.requests().at(0);
  EXPECT_TRUE(sent.starts_with("POST / HTTP/1.1\r\n"));
  EXPECT_NE(sent.find("Content-Type: application/json\r\n"), std::string::npos);
  EXPECT_NE(sent.find("X-API-KEY: secret\r\n"), std::string::npos);
  EXPECT_TRUE(sent.ends_with("\r\n\r\n{\"q\":\"warp\"}"));
}

TEST(Client, AsksConditionally) {
  const TestServer server([](const std::string& request) {
    const bool is_known = request.find("If-None-Match: \"e1\"\r\n") != std::string::npos;
    return is_known ? TestPage("304 Not Modified", "ETag: \"e1\"\r\n", "")
                    : TestPage("200 OK", "ETag: \"e1\"\r\n", "body");
  });
  Caller caller(server);
  Request request = Page(server);
  Result<Response> first = caller.client.Send(request);
  ASSERT_TRUE(first.ok());
  request.validators = first->ResponseValidators();
  const Result<Response> second = caller.client.Send(request);
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_TRUE(second->NotModified());
  EXPECT_EQ(second->body, "");
}

TEST(Client, RefusesPrivateAddressesUnlessNamed) {
  const TestServer server([](const std::string&) { return TestPage("200 OK", "", "inside"); });
  Client stranger({.clock = kClock});
  for (const std::string& host :
       {std::string("127.0.0.1"), std::string("localhost"), std::string("0x7f.1"),
        std::string("2130706433"), std::string("[::ffff:127.0.0.1]")}) {
    const Result<Url> url = ParseUrl("http://" + host + ":" + std::to_string(server.port()) + "/");
    ASSERT_TRUE(url.ok()) << host;
    const Result<Response> response = stranger.Send({.url = *url});
    ASSERT_FALSE(response.ok()) << host;
    EXPECT_EQ(response.error().kind, ErrorKind::kUsage) << response.error().message;
    EXPECT_NE(response.error().message.find("loopback"), std::string::npos)
        << response.error().message;
  }
  EXPECT_EQ(server.connections(), 0);
}

TEST(Client, IsAsSilentAsItIsToldOffline) {
  const TestServer server([](const std::string&) { return TestPage("200 OK", "", ""); });
  Client offline({.clock = kClock, .network = Network::kForbidden, .allow = {server.host()}});
  const Result<Response> response = offline.Send(Page(server));
  ASSERT_FALSE(response.ok());
  EXPECT_NE(response.error().message.find("--offline"), std::string::npos);
  EXPECT_EQ(server.connections(), 0);
}

TEST(Client, NeverTakesAPartForTheWhole) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";
  const std::string chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
  const std::pair<const char*, TestAnswer> cases[] = {
      {"before the status line", {.bytes = ""}},
      {"in the status line", {.bytes = "HTTP/1.1 2"}},
      {"in the headers", {.bytes = head + "Content-Le"}},
      {"in the body", {.bytes = head + "Content-Length: 10\r\n\r\nhalf"}},
      {"in a chunk", {.bytes = chunked + "8\r\nhal"}},
      {"between chunks", {.bytes = chunked + "4\r\nhalf\r\n"}},
      {"in the last chunk", {.bytes = chunked + "4\r\nhalf\r\n0"}},
      {"in the body, by reset",
       {.bytes = head + "Content-Length: 10\r\n\r\nhalf", .then = Then::kReset}},
      {"before everything, by reset", {.bytes = "", .then = Then::kReset}},
      {"no HTTP at all", {.bytes = "220 mail.example ESMTP\r\n"}},
      {"a part nobody asked for",
       TestPage("206 Partial Content", "Content-Range: bytes 0-3/10\r\n", "half")},
  };
  for (const auto& [where, answer] : cases) {
    const TestServer server([&given = answer](const std::string&) { return given; });
    Caller caller(server);
    const Result<Response> response = caller.client.Send(Page(server));
    EXPECT_FALSE(response.ok()) << where << ": " << response->body;
  }
}

TEST(Client, WaitsNeitherForEverNorForSilence) {
  const TestServer stalled([](const std::string&) {
    return TestAnswer{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
                      .then = Then::kStall};
  });
  Caller caller(stalled);
  Request request = Page(stalled);
  request.limits.idle = milliseconds(60);
  Result<Response> response = caller.client.Send(request);
  ASSERT_FALSE(response.ok());
  EXPECT_NE(response.error().message.find("silent"), std::string::npos) << response.error().message;

  const TestServer slow([](const std::string&) {
    return TestAnswer{
        .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n" + std::string(10000, 'x'),
        .pause = milliseconds(5)};
  });
  Caller patient(slow);
  Request dripping = Page(slow);
  dripping.limits.total = milliseconds(150);
  response = patient.client.Send(dripping);
  ASSERT_FALSE(response.ok());
  EXPECT_NE(response.error().message.find("longer than its time"), std::string::npos)
      << response.error().message;
}

TEST(Client, StopsWhenItIsAskedTo) {
  const TestServer server([](const std::string&) {
    return TestAnswer{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx",
                      .then = Then::kStall};
  });
  Caller caller(server);
  std::stop_source source;
  Request request = Page(server);
  request.stop = source.get_token();
  const std::jthread stopper([&] {
    while (server.requests().empty()) std::this_thread::sleep_for(milliseconds(1));
    source.request_stop();
  });
  const Result<Response> response = caller.client.Send(request);
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().kind, ErrorKind::kCancelled) << response.error().message;
}

TEST(Client, HoldsItsLimitsOfBytesHeadersAndTypes) {
  const TestServer server([](const std::string& request) {
    const std::string path = Path(request);
    if (path == "/headers") {
      return TestAnswer{.bytes = "HTTP/1.1 200 OK\r\nX: " + std::string(9000, 'x') + "\r\n\r\n"};
    }
    if (path == "/endless-headers") {
      std::string bytes = "HTTP/1.1 200 OK\r\n";
      for (int i = 0; i < 9000; ++i) bytes += "X-Field: again\r\n";
      return TestAnswer{.bytes = bytes, .then = Then::kStall};
    }
    if (path == "/unsaid") {
      return TestAnswer{.bytes = "HTTP/1.0 200 OK\r\n\r\n" + std::string(5000, 'x')};
    }
    return TestPage("200 OK", "Content-Type: video/mp4\r\n", std::string(5000, 'x'));
  });
  Caller caller(server);
  for (const std::string_view path : {"/headers", "/endless-headers", "/unsaid", "/said"}) {
    Request request = Page(server, path);
    request.limits.body_bytes = 4000;
    request.limits.header_bytes = 8000;
    const Result<Response> response = caller.client.Send(request);
    ASSERT_FALSE(response.ok()) << path;
    EXPECT_NE(response.error().message.find("00"), std::string::npos) << response.error().message;
  }
  Request picky = Page(server, "/type");
  picky.types = {"text/*", "application/pdf"};
  const Result<Response> response = caller.client.Send(picky);
  ASSERT_FALSE(response.ok());
  EXPECT_NE(response.error().message.find("video/mp4"), std::string::npos);
}

TEST(Client, StreamsPiecesAndStopsAtTheReadersWord) {
  const TestServer server([](const std::string& request) {
    if (Path(request) == "/error") return TestPage("400 Bad Request", "", "why");
    return TestAnswer{.bytes =
                          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "6\r\ndata: \r\n3\r\none\r\n2\r\n\n\n\r\n0\r\n\r\n",
                      .pause = milliseconds(1),
                      .piece_bytes = 7};
  });
  Caller caller(server);
  std::string got;
  Request request = Page(server);
  request.on_chunk = [&](std::string_view piece) {
    got += piece;
    return Status();
  };
  Result<Response> response = caller.client.Send(request);
  ASSERT_TRUE(response.ok()) << response.error().message;
  EXPECT_EQ(got, "data: one\n\n");
  EXPECT_EQ(response->body, "");
  EXPECT_EQ(response->body_bytes, got.size());

  request.on_chunk = [](std::string_view) {
    return Status(Error{.kind = ErrorKind::kCorrupt, .message = "no event"});
  };
  response = caller.client.Send(request);
  ASSERT_FALSE(response.ok());
  EXPECT_NE(response.error().message.find("no event"), std::string::npos);

  request.url = *ParseUrl(server.url("/error"));
  response = caller.client.Send(request);
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(response->body, "why");
}

}  // namespace
}  // namespace sibyl::net
