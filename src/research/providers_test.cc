// SPDX-License-Identifier: Apache-2.0
// Each provider against a server on loopback that speaks its documented shape,
// and against servers that do not.
#include "research/providers.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "base/files/temporary_folder.h"
#include "base/test_stopwatch.h"
#include "net/test_server.h"

namespace sibyl::research {
namespace {

using net::TestAnswer;
using net::TestPage;
using net::TestServer;

const FixedClock kClock(Time(std::chrono::seconds(1'790'000'000)));

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::optional<std::string> Keys(const char* name) {
  static const std::map<std::string, std::string> kKeys = {
      {"BRAVE_API_KEY", "key-of-brave"},   {"TAVILY_API_KEY", "key-of-tavily"},
      {"EXA_API_KEY", "key-of-exa"},       {"SERPER_API_KEY", "key-of-serper"},
      {"BRIGHTDATA_API_KEY", "key-of-bd"}, {"BRIGHTDATA_ZONE", "zone1"}};
  const auto found = kKeys.find(name);
  return found == kKeys.end() ? std::nullopt : std::optional(found->second);
}

struct TestProviders {
  explicit TestProviders(const TestServer& server)
      : client(
            {.clock = kClock, .stopwatch = stopwatch, .allow = {server.host()}, .jitter_seed = 1}),
        options{.client = client, .variable = Keys, .endpoint = server.url("/api")} {}

  Result<std::vector<Found>> Ask(std::string_view provider, const Query& query) {
    Result<std::unique_ptr<Provider>> made = MakeProvider(provider, options);
    if (!made.ok()) return made.error();
    return (*made)->Search(query, {});
  }

  TestStopwatch stopwatch;
  net::Client client;
  ProviderOptions options;
};

struct Documented {
  const char* name;
  const char* answer;
  std::vector<const char*> sent;  // pieces of the request
};

const Documented kDocumented[] = {
    {"searxng",
     R"({"query":"w","results":[{"url":"https://docs.nvidia.com/a","title":"A &amp; B",
        "content":"about <b>warps</b>","engine":"x","score":1.5,"publishedDate":null}],
        "answers":[],"unresponsive_engines":[]})",
     {"GET /api/search?q=warp%20divergence&format=json "}},
    {"brave",
     R"({"type":"search","query":{"more_results_available":false},"web":{"results":[
        {"title":"A & B","url":"https://docs.nvidia.com/a","description":"about warps"}]}})",
     {"GET /api?q=warp%20divergence&count=10", "X-Subscription-Token: key-of-brave\r\n"}},
    {"tavily",
     R"({"query":"w","results":[{"title":"A & B","url":"https://docs.nvidia.com/a",
        "content":"about warps","score":0.9}],"response_time":0.5})",
     {"POST /api ", "Authorization: Bearer key-of-tavily\r\n", R"("query":"warp divergence")"}},
    {"exa",
     R"({"requestId":"r","results":[{"id":"1","url":"https://docs.nvidia.com/a","title":"A & B",
        "text":"about warps"}],"costDollars":{"total":0.005}})",
     {"POST /api ", "x-api-key: key-of-exa\r\n", R"("numResults":10)"}},
    {"serper",
     R"({"searchParameters":{},"organic":[{"title":"A & B","link":"https://docs.nvidia.com/a",
        "snippet":"about warps","position":1}],"credits":1})",
     {"POST /api ", "X-API-KEY: key-of-serper\r\n", R"("q":"warp divergence")"}},
    {"brightdata",
     R"({"general":{},"organic":[{"rank":1,"link":"https://docs.nvidia.com/a","title":"A & B",
        "description":"about warps"}]})",
     {"POST /api ", "Authorization: Bearer key-of-bd\r\n", R"("zone":"zone1")",
      "google.com/search?q=warp%20divergence"}},
};

TEST(Providers, SpeakTheirDocumentedShapes) {
  for (const Documented& provider : kDocumented) {
    const TestServer server([&](const std::string&) {
      return TestPage("200 OK", "Content-Type: application/json\r\n", provider.answer);
    });
    TestProviders providers(server);
    const auto list = providers.Ask(provider.name, {.text = "warp divergence"});
    ASSERT_TRUE(list.ok()) << provider.name << ": " << list.error().message;
    ASSERT_EQ(list->size(), 1U) << provider.name;
    EXPECT_EQ((*list)[0].url.Text(), "https://docs.nvidia.com/a");
    EXPECT_EQ((*list)[0].title, "A & B");
    EXPECT_EQ((*list)[0].snippet, "about warps");
    EXPECT_EQ((*list)[0].provider, provider.name);
    EXPECT_EQ((*list)[0].rank, 1U);
    for (const char* piece : provider.sent) {
      EXPECT_TRUE(Has(server.requests().at(0), piece)) << piece << "\n" << server.requests().at(0);
    }
  }
}

TEST(Providers, AskForHostsInTheirOwnWay) {
  const TestServer server([](const std::string&) { return TestPage("200 OK", "", "{}"); });
  TestProviders providers(server);
  const Query query{.text = "warp", .hosts = {"docs.nvidia.com", "*.pytorch.org"}};
  ASSERT_TRUE(providers.Ask("brave", query).ok());
  ASSERT_TRUE(providers.Ask("tavily", query).ok());
  ASSERT_TRUE(providers.Ask("exa", query).ok());
  EXPECT_TRUE(Has(server.requests().at(0),
                  "q=warp%20%28site%3Adocs.nvidia.com%20OR%20site%3Apytorch.org%29"));
  EXPECT_TRUE(
      Has(server.requests().at(1), R"("include_domains":["docs.nvidia.com","pytorch.org"])"));
  EXPECT_TRUE(
      Has(server.requests().at(2), R"("includeDomains":["docs.nvidia.com","pytorch.org"])"));
}

TEST(Providers, SayWhatIsWrongWithoutTheKey) {
  const std::pair<const char*, const char*> statuses[] = {{"401 No", "is not accepted"},
                                                          {"403 No", "is not accepted"},
                                                          {"402 No", "payment required"},
                                                          {"429 No", "rate limit reached"},
                                                          {"500 No", "status 500"}};
  for (const auto& [status, words] : statuses) {
    const TestServer server([&line = status](const std::string&) {
      return TestPage(line, "", R"({"error":"your key key-of-brave is bad"})");
    });
    TestProviders providers(server);
    const auto list = providers.Ask("brave", {.text = "x"});
    ASSERT_FALSE(list.ok());
    EXPECT_TRUE(Has(list.error().message, words)) << list.error().message;
    EXPECT_FALSE(Has(list.error().message + list.error().hint, "key-of-brave"));
  }
}

TEST(Providers, WaitWhenTheyAreAskedToo) {
  std::atomic<int> asked = 0;
  const TestServer server([&](const std::string&) {
    return asked++ == 0 ? TestPage("429 Slow", "Retry-After: 2\r\n", "")
                        : TestPage("200 OK", "", R"({"organic":[]})");
  });
  TestProviders providers(server);
  const auto list = providers.Ask("serper", {.text = "x"});
  ASSERT_TRUE(list.ok());
  EXPECT_TRUE(list->empty());
  EXPECT_EQ(providers.stopwatch.Read(), std::chrono::seconds(2));
}

TEST(Providers, SurviveJunk) {
  const std::string many = [] {
    std::string text = R"({"results":[)";
    for (int i = 0; i < 3000; ++i) {
      text += R"({"url":"https://a.example/)" + std::to_string(i) + R"(","title":"t"},)";
    }
    return text + R"({"url":"https://a.example/last"}]})";
  }();
  const std::string strange =
      R"J({"results":[1,null,{},{"url":5},{"url":"javascript:alert(1)"},{"url":"ftp://x/"}]})J";
  const std::string answers[] = {"",
                                 "not JSON",
                                 "[]",
                                 "null",
                                 "{\"results\":",
                                 "{}",
                                 R"({"results":{}})",
                                 strange,
                                 std::string(5000, '[')};
  for (const std::string& answer : answers) {
    const TestServer server([&](const std::string&) { return TestPage("200 OK", "", answer); });
    TestProviders providers(server);
    const auto list = providers.Ask("tavily", {.text = "x"});
    EXPECT_TRUE(list.ok() ? list->empty() : list.error().kind == ErrorKind::kCorrupt) << answer;
  }
  const TestServer server([&](const std::string&) { return TestPage("200 OK", "", many); });
  EXPECT_EQ(TestProviders(server).Ask("tavily", {.text = "x", .limit = 7})->size(), 7U);
}

TEST(Providers, RefuseTenMegabytes) {
  const TestServer server([](const std::string&) {
    return TestPage("200 OK", "", "{\"x\":\"" + std::string(10 << 20, 'y') + "\"}");
  });
  TestProviders providers(server);
  const auto list = providers.Ask("exa", {.text = "x"});
  ASSERT_FALSE(list.ok());
  EXPECT_TRUE(Has(list.error().message, "limit")) << list.error().message;
}

TEST(Providers, SayWhatTheyNeed) {
  const TestServer server([](const std::string&) { return TestPage("200 OK", "", "{}"); });
  TestProviders providers(server);
  providers.options.endpoint.clear();
  providers.options.variable = [](const char*) { return std::optional<std::string>(); };
  EXPECT_TRUE(
      Has(MakeProvider("brave", providers.options).error().message, "BRAVE_API_KEY is not set"));
  EXPECT_TRUE(Has(MakeProvider("searxng", providers.options).error().hint, "SEARXNG_URL"));
  EXPECT_TRUE(Has(MakeProvider("command", providers.options).error().hint, "command = "));
  EXPECT_FALSE(MakeProvider("altavista", providers.options).ok());
  EXPECT_TRUE(UsableProviders(providers.options).empty());
  providers.options.command = {"x"};
  EXPECT_TRUE(
      Has(MakeProvider("command", providers.options).error().hint, "SIBYL_SEARCH_COMMAND=x"));
  providers.options.variable = [](const char* name) {
    return std::string_view(name) == "SIBYL_SEARCH_COMMAND" ? std::optional<std::string>("x")
                                                            : Keys(name);
  };
  EXPECT_EQ(
      UsableProviders(providers.options),
      (std::vector<std::string>{"command", "brave", "tavily", "exa", "serper", "brightdata"}));
}

TEST(CommandProvider, ReadsLinesOfAProgramOfYours) {
  const TemporaryFolder folder;
  const std::string program = (folder.path() / "find-pages").string();
  std::ofstream(program) << R"(#!/bin/sh
test "$1" = fast || exit 3
printf '{"url":"https://a.example/?q=%s","title":"T"}\n\n' "$2"
printf '{"title":"no address"}\n{"url":"https://b.example/","snippet":"s","published":"2026"}\n'
)";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const auto provider = MakeCommandProvider({program, "fast"});
  const auto list = provider->Search({.text = "a b; rm -rf $HOME"}, {});
  ASSERT_TRUE(list.ok()) << list.error().message;
  ASSERT_EQ(list->size(), 2U);
  EXPECT_EQ((*list)[0].url.query, "q=a%20b;%20rm%20-rf%20$HOME") << "no shell looked at it";
  EXPECT_EQ((*list)[1].published, "2026");

  EXPECT_FALSE(MakeCommandProvider({program, "slow"})->Search({.text = "x"}, {}).ok());
  EXPECT_FALSE(MakeCommandProvider({"/no/such/program"})->Search({.text = "x"}, {}).ok());
  EXPECT_EQ(MakeCommandProvider({"echo", "junk"})->Search({.text = "x"}, {}).error().kind,
            ErrorKind::kCorrupt);
}

}  // namespace
}  // namespace sibyl::research
