// SPDX-License-Identifier: Apache-2.0
// The client and the visitor against a real server, decent and otherwise.
#include <gtest/gtest.h>

#include <thread>

#include "base/test_stopwatch.h"
#include "net/client.h"
#include "net/test_nginx.h"
#include "net/test_server.h"
#include "net/visitor.h"

namespace sibyl::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const FixedClock kNginxClock(Time(seconds(1'790'000'000)));

constexpr std::string_view kServer = R"(
  gzip on;
  gzip_types text/plain;
  gzip_min_length 100;
  location = /moved { return 301 /page.html; }
  location = /loop { return 302 /loop; }
  location = /inward { return 302 http://127.0.0.1:@PORT@/page.html; }
  location = /metadata { return 302 http://169.254.169.254/latest/meta-data/; }
  location = /to-file { return 302 file:///etc/passwd; }
  location = /gone { return 410; }
  location = /later { add_header Retry-After 7 always; return 429 "slow down"; }
  location = /much-later { add_header Retry-After 86400 always; return 503; }
  location = /slow.html { limit_rate 2k; gzip off; }
  location = /bomb.txt { add_header Content-Encoding gzip; gzip off; }
  location = /notgzip.txt { add_header Content-Encoding gzip; gzip off; }
  location /private/ { }
)";

std::string Gzipped(const std::string& bytes) {
  const Result<Outcome> outcome =
      RunProgram({.program = "gzip", .arguments = {"-c"}, .input = bytes});
  return outcome.ok() ? outcome->output : "";
}

class Nginx : public testing::Test {
 protected:
  void SetUp() override {
    if (!FindNginx()) GTEST_SKIP() << "nginx is not installed: scripts/setup installs it";
    nginx_.emplace(TestNginx::Setup{.server = std::string(kServer)});
    nginx_->AddPage("page.html", "<title>Warps</title>" + std::string(5000, 'w'));
    nginx_->AddPage("slow.html", std::string(100'000, 's'));
    nginx_->AddPage("plain.txt", std::string(20'000, 'p'));
    nginx_->AddPage("video.bin", std::string(1000, 'v'));
    nginx_->AddPage("robots.txt", "User-agent: *\nDisallow: /private/\n");
    nginx_->AddPage("private/x.html", "no");
    client_.emplace(ClientOptions{.clock = kNginxClock,
                                  .stopwatch = stopwatch_,
                                  .allow = {nginx_->host()},
                                  .jitter_seed = 7});
  }

  Request Page(std::string_view path) const { return {.url = *ParseUrl(nginx_->url(path))}; }
  Result<Response> Get(std::string_view path) { return client_->Send(Page(path)); }

  TestStopwatch stopwatch_;
  std::optional<TestNginx> nginx_;
  std::optional<Client> client_;
};

TEST_F(Nginx, ServesPagesCompressedAndConditionally) {
  Result<Response> page = Get("/plain.txt");
  ASSERT_TRUE(page.ok()) << page.error().message;
  EXPECT_EQ(page->headers.Find("Content-Encoding"), "gzip");
  EXPECT_EQ(page->body, std::string(20'000, 'p'));
  EXPECT_LT(page->wire_bytes, 1000U);
  Request again = Page("/plain.txt");
  again.validators = page->ResponseValidators();
  page = client_->Send(again);
  ASSERT_TRUE(page.ok());
  EXPECT_TRUE(page->NotModified());
}

TEST_F(Nginx, FollowsRedirectsButNotInCirclesNorInward) {
  const Result<Response> moved = Get("/moved");
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(moved->url.path, "/page.html");
  ASSERT_EQ(moved->hops.size(), 1U);
  EXPECT_EQ(moved->hops[0].status, 301);

  const std::pair<std::string_view, std::string_view> refused[] = {
      {"/loop", "more than 10 times"},
      {"/inward", "127.0.0.1, which is loopback"},
      {"/metadata", "metadata service"},
      {"/to-file", "not an http or https address"}};
  for (const auto& [path, words] : refused) {
    const Result<Response> response = Get(path);
    ASSERT_FALSE(response.ok()) << path;
    EXPECT_EQ(response.error().kind, ErrorKind::kUsage) << path;
    EXPECT_NE(response.error().message.find(words), std::string::npos) << response.error().message;
  }
}

TEST_F(Nginx, WaitsAsLongAsItIsAskedButNotForEver) {
  const Result<Response> later = Get("/later");
  ASSERT_TRUE(later.ok());
  EXPECT_EQ(later->status, 429);
  EXPECT_EQ(later->body, "slow down");
  EXPECT_EQ(later->tries, 3);
  EXPECT_EQ(stopwatch_.pauses(), (std::vector<milliseconds>{seconds(7), seconds(7)}));

  const Result<Response> much_later = Get("/much-later");
  ASSERT_TRUE(much_later.ok());
  EXPECT_EQ(much_later->status, 503);
  EXPECT_EQ(much_later->tries, 1);
  EXPECT_EQ(Get("/gone")->status, 410);
  EXPECT_EQ(Get("/missing")->status, 404);
}

TEST_F(Nginx, GivesUpOnSlowHugeAndUnwelcomeBodies) {
  Request slow = Page("/slow.html");
  slow.limits.total = milliseconds(300);
  slow.retry.tries = 1;
  Result<Response> response = client_->Send(slow);
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().kind, ErrorKind::kUnavailable);

  Request huge = Page("/plain.txt");
  huge.limits.body_bytes = 10'000;
  response = client_->Send(huge);
  ASSERT_FALSE(response.ok());
  EXPECT_NE(response.error().message.find("limit of 10000 bytes"), std::string::npos);

  Request unwelcome = Page("/video.bin");
  unwelcome.types = {"text/*"};
  EXPECT_FALSE(client_->Send(unwelcome).ok());
}

TEST_F(Nginx, DefusesBombsAndLies) {
  nginx_->AddPage("bomb.txt", Gzipped(std::string(30 << 20, '\0')));
  nginx_->AddPage("notgzip.txt", "this was never compressed");
  const Result<Response> bomb = Get("/bomb.txt");
  ASSERT_FALSE(bomb.ok());
  EXPECT_NE(bomb.error().message.find("bomb"), std::string::npos) << bomb.error().message;
  const Result<Response> lie = Get("/notgzip.txt");
  ASSERT_FALSE(lie.ok());
  EXPECT_EQ(lie.error().kind, ErrorKind::kCorrupt) << lie.error().message;
}

TEST_F(Nginx, IsVisitedPolitely) {
  Visitor visitor(*client_, {.interval = milliseconds(0)});
  EXPECT_TRUE(visitor.Visit(Page("/page.html")).ok());
  EXPECT_FALSE(visitor.Visit(Page("/private/x.html")).ok());
  EXPECT_EQ(nginx_->log(2),
            (std::vector<std::string>{"GET /robots.txt 200", "GET /page.html 200"}));
}

TEST_F(Nginx, ServesManyThreadsAtOnce) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 20; ++j) {
        const Result<Response> page = Get("/page.html");
        EXPECT_TRUE(page.ok() && page->body.size() == 5020);
      }
    });
  }
}

TEST(Tls, BelievesNobodyWithoutACertificate) {
  if (!FindNginx() || !FindProgram("openssl")) GTEST_SKIP() << "needs nginx and openssl";
  const TestNginx nginx({.server = "", .is_tls = true});
  nginx.AddPage("x.txt", "secret");
  const Request request{.url = *ParseUrl("https://" + nginx.host() + "/x.txt"),
                        .retry = {.tries = 1}};
  Client stranger({.clock = kNginxClock, .allow = {nginx.host()}});
  const Result<Response> refused = stranger.Send(request);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("was rejected"), std::string::npos)
      << refused.error().message;

  Client friendly({.clock = kNginxClock, .allow = {nginx.host()}, .ca_file = nginx.certificate()});
  const Result<Response> trusted = friendly.Send(request);
  ASSERT_TRUE(trusted.ok()) << trusted.error().message;
  EXPECT_EQ(trusted->body, "secret");

  Request by_address = request;
  by_address.url = *ParseUrl("https://127.0.0.1:" + std::to_string(nginx.port()) + "/x.txt");
  Client elsewhere({.clock = kNginxClock, .allow = {"127.0.0.1"}, .ca_file = nginx.certificate()});
  EXPECT_FALSE(elsewhere.Send(by_address).ok()) << "the certificate is for another name";
}

TEST(Dns, SaysThatANameHasNoAddress) {
  TestStopwatch stopwatch;
  Client client({.clock = kNginxClock, .stopwatch = stopwatch});
  const Result<Response> response =
      client.Send({.url = *ParseUrl("https://no-such-host.invalid/"), .retry = {.tries = 1}});
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().kind, ErrorKind::kNotFound);
  EXPECT_NE(response.error().message.find("cannot resolve 'no-such-host.invalid'"),
            std::string::npos)
      << response.error().message;
}

}  // namespace
}  // namespace sibyl::net
