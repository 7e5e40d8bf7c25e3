// SPDX-License-Identifier: Apache-2.0
// Asking again, going elsewhere, and what a run may spend.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/test_stopwatch.h"
#include "net/client.h"
#include "net/test_server.h"

namespace sibyl::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const FixedClock kRetryClock(*ParseHttpDate("Sun, 15 Nov 2026 12:00:00 GMT"));

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Retry, OutlastsATroubledServer) {
  std::atomic<int> asked = 0;
  const TestServer server([&](const std::string&) {
    switch (asked++) {
      case 0:
        // Closed after it: a connection that is kept and then dead is tried again
        // by the library itself.
        return TestPage("503 Service Unavailable", "Connection: close\r\n", "");
      case 1:
        return TestAnswer{};  // hangs up
      default:
        return TestPage("200 OK", "", "at last");
    }
  });
  TestStopwatch stopwatch;
  Client client(
      {.clock = kRetryClock, .stopwatch = stopwatch, .allow = {server.host()}, .jitter_seed = 3});
  const Result<Response> response = client.Get(*ParseUrl(server.url()));
  ASSERT_TRUE(response.ok()) << response.error().message;
  EXPECT_EQ(response->body, "at last");
  EXPECT_EQ(response->tries, 3);
  ASSERT_EQ(stopwatch.pauses().size(), 2U);
  EXPECT_GE(stopwatch.pauses()[0], milliseconds(375));
  EXPECT_LE(stopwatch.pauses()[0], milliseconds(500));
  EXPECT_GE(stopwatch.pauses()[1], milliseconds(750));
  EXPECT_LE(stopwatch.pauses()[1], milliseconds(1000));
}

TEST(Retry, UnderstandsADate) {
  std::atomic<int> asked = 0;
  const TestServer server([&](const std::string&) {
    return asked++ == 0 ? TestPage("429 Too Many Requests",
                                   "Retry-After: Sun, 15 Nov 2026 12:00:42 GMT\r\n", "")
                        : TestPage("200 OK", "", "");
  });
  TestStopwatch stopwatch;
  Client client({.clock = kRetryClock, .stopwatch = stopwatch, .allow = {server.host()}});
  ASSERT_TRUE(client.Get(*ParseUrl(server.url())).ok());
  EXPECT_EQ(stopwatch.pauses(), (std::vector<milliseconds>{seconds(42)}));
}

TEST(Retry, IsNotForWhatWillNotChange) {
  std::atomic<int> asked = 0;
  const TestServer server([&](const std::string&) {
    ++asked;
    return TestPage("404 Not Found", "", "");
  });
  Client client({.clock = kRetryClock, .allow = {server.host()}});
  EXPECT_EQ(client.Get(*ParseUrl(server.url()))->status, 404);
  EXPECT_EQ(asked, 1);
}

TEST(Retry, NeverRepeatsAStreamThatHadBegun) {
  std::atomic<int> asked = 0;
  const TestServer server([&](const std::string&) {
    ++asked;
    return TestAnswer{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"};
  });
  TestStopwatch stopwatch;
  Client client({.clock = kRetryClock, .stopwatch = stopwatch, .allow = {server.host()}});
  std::string got;
  const Result<Response> response =
      client.Send({.url = *ParseUrl(server.url()), .on_chunk = [&](std::string_view piece) {
                     got += piece;
                     return Status();
                   }});
  EXPECT_FALSE(response.ok());
  EXPECT_EQ(got, "half");
  EXPECT_EQ(asked, 1);
}

TEST(Redirect, LeavesCredentialsBehind) {
  const TestServer elsewhere([](const std::string&) { return TestPage("200 OK", "", "done"); });
  const TestServer home([&](const std::string& request) {
    if (Has(request, "GET /here ")) return TestPage("200 OK", "", "done");
    if (Has(request, "GET /stay ")) return TestPage("302 Found", "Location: /here\r\n", "");
    return TestPage("302 Found", "Location: " + elsewhere.url() + "\r\n", "");
  });
  Client client({.clock = kRetryClock, .allow = {home.host(), elsewhere.host()}});
  Request request{.url = *ParseUrl(home.url("/go")),
                  .headers = {{"Authorization", "Bearer one"}, {"Accept", "text/html"}},
                  .credentials = {{"X-Key", "two"}}};
  ASSERT_TRUE(client.Send(request).ok());
  EXPECT_TRUE(Has(home.requests().at(0), "Bearer one"));
  EXPECT_TRUE(Has(home.requests().at(0), "X-Key: two"));
  EXPECT_FALSE(Has(elsewhere.requests().at(0), "Bearer one"));
  EXPECT_FALSE(Has(elsewhere.requests().at(0), "X-Key"));
  EXPECT_TRUE(Has(elsewhere.requests().at(0), "Accept: text/html"));

  request.url = *ParseUrl(home.url("/stay"));
  ASSERT_TRUE(client.Send(request).ok());
  EXPECT_TRUE(Has(home.requests().back(), "X-Key: two"));
}

TEST(Redirect, TakesAPostNoFurtherThanItsServer) {
  const TestServer elsewhere([](const std::string&) { return TestPage("200 OK", "", ""); });
  const TestServer home([&](const std::string& request) {
    if (Has(request, "POST /again ")) return TestPage("200 OK", "", "posted again");
    if (Has(request, "GET /again ")) return TestPage("200 OK", "", "asked for");
    if (Has(request, "/307 ")) {
      return TestPage("307 Temporary Redirect", "Location: /again\r\n", "");
    }
    if (Has(request, "/303 ")) return TestPage("303 See Other", "Location: /again\r\n", "");
    return TestPage("307 Temporary Redirect", "Location: " + elsewhere.url() + "\r\n", "");
  });
  Client client({.clock = kRetryClock, .allow = {home.host(), elsewhere.host()}});
  const auto post = [&](std::string_view path) {
    return client.Send(
        {.url = *ParseUrl(home.url(path)), .method = Method::kPost, .body = "secret"});
  };
  EXPECT_EQ(post("/307")->body, "posted again");
  EXPECT_EQ(post("/303")->body, "asked for");
  EXPECT_FALSE(post("/away").ok());
  EXPECT_EQ(elsewhere.connections(), 0);
}

TEST(Budget, HoldsForAllThreadsTogether) {
  const TestServer server([](const std::string&) { return TestPage("200 OK", "", "x"); });
  Budget budget({.requests = 10});
  Client client({.clock = kRetryClock, .allow = {server.host()}, .budget = &budget});
  std::atomic<int> refused = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < 5; ++j) {
          const Result<Response> response = client.Get(*ParseUrl(server.url()));
          if (!response.ok()) {
            ++refused;
            EXPECT_TRUE(
                Has(response.error().message, "the network budget is used up (10 requests)"));
            EXPECT_EQ(response.error().cause, ErrorCause::kBudgetSpent);
          }
        }
      });
    }
  }
  EXPECT_EQ(server.requests().size(), 10U);
  EXPECT_EQ(refused, 10);
}

TEST(Budget, CutsATransferThatIsTooMuch) {
  const TestServer server(
      [](const std::string&) { return TestPage("200 OK", "", std::string(2 << 20, 'x')); });
  Budget budget({.bytes = 300'000});
  Client client({.clock = kRetryClock, .allow = {server.host()}, .budget = &budget});
  const Result<Response> response = client.Get(*ParseUrl(server.url()));
  ASSERT_FALSE(response.ok());
  EXPECT_TRUE(Has(response.error().hint, "--max-mb"));
  EXPECT_LT(budget.bytes(), 400'000U);
  EXPECT_FALSE(client.Get(*ParseUrl(server.url())).ok());
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST(Budget, EndsWithItsTime) {
  TestStopwatch stopwatch;
  Budget budget({.time = seconds(60)}, stopwatch);
  EXPECT_TRUE(budget.TakeRequest().ok());
  stopwatch.Advance(seconds(61));
  const Status late = budget.TakeRequest();
  ASSERT_FALSE(late.ok());
  EXPECT_TRUE(Has(late.error().hint, "--max-minutes"));
}

}  // namespace
}  // namespace sibyl::net
