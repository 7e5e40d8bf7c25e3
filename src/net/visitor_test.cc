// SPDX-License-Identifier: Apache-2.0
#include "net/visitor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/test_stopwatch.h"
#include "net/test_server.h"

namespace sibyl::net {
namespace {

using std::chrono::milliseconds;

const FixedClock kVisitorClock(Time(std::chrono::seconds(1'790'000'000)));

std::string PathOf(const std::string& request) {
  const std::size_t start = request.find(' ') + 1;
  return request.substr(start, request.find(' ', start) - start);
}

struct TestVisitor {
  explicit TestVisitor(std::vector<std::string> hosts, const PaceOptions& pace = {})
      : client({.clock = kVisitorClock,
                .stopwatch = stopwatch,
                .allow = std::move(hosts),
                .jitter_seed = 1}),
        visitor(client, pace) {}

  Result<Response> Visit(const std::string& url) { return visitor.Visit({.url = *ParseUrl(url)}); }

  TestStopwatch stopwatch;
  Client client;
  Visitor visitor;
};

TEST(Visitor, ReadsRobotsOnceAndKeepsToIt) {
  const TestServer server([](const std::string& request) {
    return PathOf(request) == "/robots.txt"
               ? TestPage("200 OK", "", "User-agent: *\nDisallow: /private\n")
               : TestPage("200 OK", "", "page");
  });
  TestVisitor visitor({server.host()});
  EXPECT_TRUE(visitor.Visit(server.url("/a")).ok());
  EXPECT_TRUE(visitor.Visit(server.url("/b")).ok());
  const Result<Response> refused = visitor.Visit(server.url("/private/x?y"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(refused.error().cause, ErrorCause::kRobots);
  EXPECT_NE(refused.error().message.find("does not allow programs to fetch '/private/x?y'"),
            std::string::npos);
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST(Visitor, AsksTheRobotsOfWhereARedirectLeads) {
  const TestServer target([](const std::string& request) {
    return PathOf(request) == "/robots.txt"
               ? TestPage("200 OK", "", "User-agent: *\nDisallow: /x\n")
               : TestPage("200 OK", "", "secret");
  });
  const TestServer server([&](const std::string& request) {
    return PathOf(request) == "/robots.txt"
               ? TestPage("404 Not Found", "", "")
               : TestPage("302 Found", "Location: " + target.url("/x") + "\r\n", "");
  });
  TestVisitor visitor({server.host(), target.host()});
  const Result<Response> refused = visitor.Visit(server.url("/a"));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("robots.txt of '" + target.host() + "'"),
            std::string::npos)
      << refused.error().message;
}

TEST(Visitor, TakesAMissingFileForLeaveAndABrokenServerForNone) {
  std::atomic<int> status = 404;
  const TestServer server([&](const std::string& request) {
    return PathOf(request) == "/robots.txt" ? TestPage(std::to_string(status) + " Word", "", "")
                                            : TestPage("200 OK", "", "page");
  });
  for (const int allowed : {404, 403, 401}) {
    status = allowed;
    EXPECT_TRUE(TestVisitor({server.host()}).Visit(server.url("/a")).ok()) << allowed;
  }
  for (const int unreachable : {500, 503, 429}) {
    status = unreachable;
    const Result<Response> refused = TestVisitor({server.host()}).Visit(server.url("/a"));
    ASSERT_FALSE(refused.ok()) << unreachable;
    EXPECT_EQ(refused.error().kind, ErrorKind::kUnavailable);
    EXPECT_NE(refused.error().message.find("could not be read"), std::string::npos);
  }
}

TEST(Visitor, CutsARobotsFileThatIsTooLong) {
  const TestServer server([](const std::string& request) {
    return PathOf(request) == "/robots.txt"
               ? TestPage("200 OK", "",
                          "User-agent: *\nDisallow: /a\n" + std::string(kMaxRobotsBytes, '\n'))
               : TestPage("200 OK", "", "page");
  });
  TestVisitor visitor({server.host()});
  EXPECT_FALSE(visitor.Visit(server.url("/a")).ok());
  EXPECT_TRUE(visitor.Visit(server.url("/b")).ok());
}

TEST(Visitor, KeepsTheIntervalOrTheSitesOwn) {
  const TestServer server([](const std::string& request) {
    return PathOf(request) == "/robots.txt"
               ? TestPage("200 OK", "", "User-agent: *\nCrawl-delay: 3\n")
               : TestPage("200 OK", "", "page");
  });
  TestVisitor visitor({server.host()}, {.interval = milliseconds(1000)});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(visitor.Visit(server.url("/a")).ok());
  // robots.txt at 0 s, then pages at 1 s, 4 s, 7 s.
  EXPECT_EQ(visitor.stopwatch.Read(), milliseconds(7000));
}

TEST(Visitor, HoldsManyThreadsToThePaceOfOneHost) {
  std::atomic<int> active = 0;
  std::atomic<int> most = 0;
  const TestServer server([&](const std::string&) {
    most = std::max(most.load(), ++active);
    std::this_thread::sleep_for(milliseconds(3));
    --active;
    return TestPage("200 OK", "", "");
  });
  TestVisitor visitor({server.host()}, {.interval = milliseconds(0), .at_once = 2});
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < 3; ++j) EXPECT_TRUE(visitor.Visit(server.url("/a")).ok());
      });
    }
  }
  EXPECT_LE(most.load(), 2);
  EXPECT_EQ(server.requests().size(), 19U) << "18 pages and robots.txt once";
}

}  // namespace
}  // namespace sibyl::net
