// SPDX-License-Identifier: Apache-2.0
#include "expansion/web.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "expansion/test_web.h"

namespace sibyl::expansion {
namespace {

class WebTest : public WebFixture {
 protected:
  WebTest() {
    for (const char* name :
         {"SIBYL_WEB_ALLOW", "SEARXNG_URL", "BRAVE_API_KEY", "TAVILY_API_KEY", "EXA_API_KEY",
          "SERPER_API_KEY", "BRIGHTDATA_API_KEY", "SIBYL_SEARCH_COMMAND"}) {
      ::unsetenv(name);
    }
    web_.Publish("/queue.html", "Queue", "The queue holds 64 entries.");
  }

  std::unique_ptr<Web> Open(const WebOptions& options = {}) const {
    return OpenIn(Context(), options);
  }
  static std::unique_ptr<Web> OpenIn(const oracle::Context& context,
                                     const WebOptions& options = {}) {
    auto web = Web::Open(context, options);
    EXPECT_TRUE(web.ok()) << (web.ok() ? "" : web.error().message);
    return std::move(web).value();
  }
  static Result<evidence::PageResponse> Fetch(Web& web, const std::string& url) {
    return web.PageFetcher()({.url = url});
  }
};

TEST_F(WebTest, TheTableIsReadWithItsDefaults) {
  Write("results = 3\nmax_mb = 7\n");
  const auto config = ReadWebConfig(Context());
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->results, 3);
  EXPECT_EQ(config->max_mb, 7);
  EXPECT_FALSE(config->expand);
  EXPECT_EQ(config->max_requests, 500);
}

TEST_F(WebTest, WithoutAnOracleOrItsFileTheDefaultsHold) {
  oracle::Context nowhere = Context();
  nowhere.oracle.reset();
  EXPECT_EQ(ReadWebConfig(nowhere)->results, 8);
  ASSERT_TRUE(std::filesystem::remove(expansion_.oracle() / "sibyl.toml"));
  EXPECT_EQ(ReadWebConfig(Context())->results, 8);
}

TEST_F(WebTest, ATableThatCannotBeReadIsAnErrorWithItsLine) {
  Write("results = 0\n");
  const auto config = ReadWebConfig(Context());
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.error().kind, ErrorKind::kUsage);
  ASSERT_TRUE(config.error().place.has_value());
  EXPECT_EQ(config.error().place->line, 2U);
  EXPECT_FALSE(Web::Open(Context(), {}).ok());
  Write("results = \n");
  EXPECT_FALSE(ReadWebConfig(Context()).ok());
}

TEST_F(WebTest, FetchesAPageWithItsHeadersAndCountsIt) {
  const auto web = Open();
  const auto page = Fetch(*web, web_.url("/queue.html"));
  ASSERT_TRUE(page.ok()) << page.error().message;
  EXPECT_EQ(page->status, 200);
  EXPECT_EQ(page->url, web_.url("/queue.html"));
  EXPECT_EQ(page->Header("content-type"), "text/html");
  EXPECT_NE(page->body.find("64 entries"), std::string::npos);
  EXPECT_FALSE(page->may_be_cut);
  EXPECT_EQ(web->spent().requests, 2U) << "robots.txt too";
  EXPECT_GT(web->spent().bytes, page->body.size());
}

TEST_F(WebTest, AnAnswerOfAnyStatusIsAnAnswer) {
  EXPECT_EQ(Fetch(*Open(), web_.url("/gone.html"))->status, 404);
}

TEST_F(WebTest, AnAnswerWithoutALengthMayBeCut) {
  web_.Answer("/cut.html", {.bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>half"});
  const auto page = Fetch(*Open(), web_.url("/cut.html"));
  ASSERT_TRUE(page.ok()) << page.error().message;
  EXPECT_TRUE(page->may_be_cut);
}

TEST_F(WebTest, WhatCanNotBecomeTextIsRefused) {
  web_.Answer("/film", net::TestPage("200 OK", "Content-Type: video/mp4\r\n", "film"));
  EXPECT_FALSE(Fetch(*Open(), web_.url("/film")).ok());
}

TEST_F(WebTest, RobotsAreObeyed) {
  web_.Answer("/robots.txt", net::TestPage("200 OK", "Content-Type: text/plain\r\n",
                                           "User-agent: *\nDisallow: /secret\n"));
  web_.Publish("/secret/page.html", "Secret", "Not for programs.");
  const auto web = Open();
  EXPECT_EQ(Fetch(*web, web_.url("/secret/page.html")).error().kind, ErrorKind::kUsage);
  EXPECT_TRUE(Fetch(*web, web_.url("/queue.html")).ok());
  EXPECT_EQ(web_.CountAsked("/secret/page.html"), 0U);
  EXPECT_EQ(web_.CountAsked("/robots.txt"), 1U);
}

TEST_F(WebTest, ABudgetOfTheCallReplacesThatOfTheFile) {
  Configure("max_requests = 100\n");
  const auto web = Open({.max_requests = 1});
  EXPECT_FALSE(Fetch(*web, web_.url("/queue.html")).ok()) << "robots.txt was the one request";
  EXPECT_EQ(web->spent().requests, 1U);
  const auto none = Open({.max_requests = 0});
  EXPECT_EQ(Fetch(*none, web_.url("/queue.html")).error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(none->spent().requests, 0U);
}

TEST_F(WebTest, WithoutTheNetworkNothingIsAsked) {
  const auto web = OpenIn(expansion_.context());
  EXPECT_FALSE(Fetch(*web, web_.url("/queue.html")).ok());
  EXPECT_TRUE(web_.asked().empty());
}

TEST_F(WebTest, APrivateAddressNeedsThePersonsWord) {
  Write("interval_ms = 0\n");
  EXPECT_EQ(Fetch(*Open(), web_.url("/queue.html")).error().kind, ErrorKind::kUsage);
  Write("interval_ms = 0\nallow = [\"" + web_.host() + "\", \"other.lan\"]\n");
  EXPECT_TRUE(Fetch(*Open(), web_.url("/queue.html")).ok()) << "this host was agreed to before";
  EXPECT_TRUE(oracle::RevokeConsent(Context()).ok());
  EXPECT_FALSE(Fetch(*Open(), web_.url("/queue.html")).ok());
  EXPECT_TRUE(Fetch(*Open({.allow = {web_.host()}}), web_.url("/queue.html")).ok())
      << "the person just named it";
}

TEST_F(WebTest, OnlyHostsOfTheTableAreFetched) {
  Configure("hosts = [\"example.org\"]\n");
  const auto refused = Fetch(*Open(), web_.url("/queue.html"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_NE(refused.error().message.find("example.org"), std::string::npos);
  EXPECT_TRUE(web_.asked().empty()) << "not even robots.txt";
  Configure("hosts = [\"example.org\", \"" + web_.host() + "\"]\n");
  EXPECT_TRUE(Fetch(*Open(), web_.url("/queue.html")).ok());
}

TEST_F(WebTest, ARedirectDoesNotLeadToAHostThatIsNotAllowed) {
  TestWeb other;
  other.Publish("/there.html", "There", "Elsewhere.");
  web_.Answer("/moved",
              net::TestPage("302 Found", "Location: " + other.url("/there.html") + "\r\n", ""));
  Configure("hosts = [\"" + web_.host() + "\"]\n");
  EXPECT_FALSE(Fetch(*Open({.allow = {other.host()}}), web_.url("/moved")).ok());
  EXPECT_TRUE(other.asked().empty());
  Configure("hosts = [\"" + web_.host() + "\", \"" + other.host() + "\"]\n");
  const auto moved = Fetch(*Open({.allow = {other.host()}}), web_.url("/moved"));
  ASSERT_TRUE(moved.ok()) << moved.error().message;
  EXPECT_EQ(moved->url, other.url("/there.html"));
}

TEST_F(WebTest, AddressesThatAreNoneAreErrors) {
  const auto web = Open();
  for (const char* url : {"", "queue.html", "ftp://example.org/", "file:///etc/passwd"}) {
    EXPECT_FALSE(Fetch(*web, url).ok()) << url;
  }
}

TEST_F(WebTest, AStoppedFetchIsCancelled) {
  std::stop_source stop;
  stop.request_stop();
  const auto web = Open();
  const auto page = web->PageFetcher(stop.get_token())({.url = web_.url("/queue.html")});
  EXPECT_EQ(page.error().kind, ErrorKind::kCancelled);
}

TEST_F(WebTest, AProxyThatNobodyAgreedToStopsEverything) {
  Write("interval_ms = 0\nallow = [\"" + web_.host() + "\"]\nproxy = \"http://10.0.0.1:3128\"\n");
  const auto web = Open();
  const auto page = Fetch(*web, web_.url("/queue.html"));
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(page.error().message.find("proxy"), std::string::npos) << page.error().message;
  EXPECT_EQ(web->Providers().error().kind, ErrorKind::kUnavailable);
  EXPECT_TRUE(web_.asked().empty());
}

TEST_F(WebTest, ProvidersAreThoseOfTheTable) {
  const auto web = Open();
  const auto providers = web->Providers();
  ASSERT_TRUE(providers.ok()) << providers.error().message;
  ASSERT_EQ(providers->size(), 1U);
  EXPECT_EQ(providers->front()->name(), "searxng");
}

TEST_F(WebTest, AProviderThatOnlyTheTableNamesNeedsThePersonsWord) {
  Write("provider = \"searxng\"\nurl = \"https://search.example/\"\n");
  const auto web = Open();
  const auto providers = web->Providers();
  ASSERT_FALSE(providers.ok());
  EXPECT_EQ(providers.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(providers.error().hint.find("sibyl trust"), std::string::npos);
}

TEST_F(WebTest, WithoutAProviderItSaysWhatToDo) {
  Configure("");
  const auto web = Open();
  const auto providers = web->Providers();
  ASSERT_FALSE(providers.ok());
  EXPECT_EQ(providers.error().kind, ErrorKind::kUsage);
  EXPECT_NE(providers.error().hint.find("BRAVE_API_KEY"), std::string::npos);
}

TEST_F(WebTest, OfSeveralKeysInTheEnvironmentTheFirstIsUsed) {
  ::setenv("EXA_API_KEY", "e", 1);
  ::setenv("BRAVE_API_KEY", "b", 1);
  Configure("");
  const auto web = Open();
  const auto providers = web->Providers();
  ::unsetenv("EXA_API_KEY");
  ::unsetenv("BRAVE_API_KEY");
  ASSERT_TRUE(providers.ok()) << providers.error().message;
  ASSERT_EQ(providers->size(), 1U);
  EXPECT_EQ(providers->front()->name(), "brave");
}

}  // namespace
}  // namespace sibyl::expansion
