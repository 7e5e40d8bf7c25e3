// SPDX-License-Identifier: Apache-2.0
#include "research/web_config.h"

#include <gtest/gtest.h>

namespace sibyl::research {
namespace {

TEST(WebConfig, IsModestWithoutATable) {
  const Result<WebConfig> config = ParseWebConfig("[[source]]\nname = \"x\"\n", "sibyl.toml");
  ASSERT_TRUE(config.ok());
  EXPECT_FALSE(config->expand);
  EXPECT_TRUE(config->providers.empty());
  EXPECT_TRUE(config->allow.empty());
  EXPECT_EQ(config->max_requests, 500);
}

TEST(WebConfig, ReadsEveryKey) {
  const Result<WebConfig> config = ParseWebConfig(
      R"([web]
expand = true
provider = ["searxng", "brave"]
url = "http://search.lan:8080"
zone = "serp1"
command = ["find-pages", "--json"]
allow = "search.lan:8080"
hosts = ["*.nvidia.com", "pytorch.org"]
proxy = "http://proxy:3128"
ca_file = "company.pem"
interval_ms = 0
at_once = 4
results = 3
max_requests = 10
max_mb = 5
max_minutes = 1
)",
      "sibyl.toml");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_TRUE(config->expand);
  EXPECT_EQ(config->providers, (std::vector<std::string>{"searxng", "brave"}));
  EXPECT_EQ(config->command.size(), 2U);
  EXPECT_EQ(config->allow, (std::vector<std::string>{"search.lan:8080"}));
  EXPECT_EQ(config->hosts.size(), 2U);
  EXPECT_EQ(config->max_mb, 5);
  EXPECT_TRUE(config->findings.empty());
}

TEST(WebConfig, SaysWhereAndWhatIsWrong) {
  const auto refused = [](std::string_view line) {
    const Result<WebConfig> config = ParseWebConfig("[web]\n" + std::string(line), "sibyl.toml");
    return config.ok() ? Error{} : config.error();
  };
  EXPECT_EQ(refused("provider = \"brve\"").hint, "did you mean 'brave'?");
  EXPECT_EQ(refused("provider = \"brve\"").place->line, 2U);
  EXPECT_NE(refused("max_mb = -1").message.find("max_mb"), std::string::npos);
  EXPECT_NE(refused("expand = \"yes\"").message.find("expand"), std::string::npos);
  EXPECT_NE(refused("allow = [1]").message.find("allow"), std::string::npos);
  EXPECT_FALSE(ParseWebConfig("web = 1", "sibyl.toml").ok());
}

TEST(WebConfig, NotesKeysThatItDoesNotKnow) {
  const Result<WebConfig> config = ParseWebConfig("[web]\napi_key = \"x\"\n", "sibyl.toml");
  ASSERT_TRUE(config.ok());
  ASSERT_EQ(config->findings.size(), 1U);
  EXPECT_EQ(config->findings[0].code, "web/unknown-key");
}

TEST(WebConfig, AllowsPrivateHostsThatThePersonNamesToo) {
  using Hosts = std::vector<std::string>;
  const Hosts named = {"search.lan:8080", "Build.lan", "[::1]:80"};
  EXPECT_EQ(PermittedHosts(named, ""), Hosts{});
  EXPECT_EQ(PermittedHosts(named, "other.lan, search.lan:80"), Hosts{});
  EXPECT_EQ(PermittedHosts(named, "search.lan:8080"), Hosts{"search.lan:8080"});
  EXPECT_EQ(PermittedHosts(named, "SEARCH.lan"), Hosts{"search.lan:8080"});
  EXPECT_EQ(PermittedHosts(named, "build.lan:99 , [::1]"), (Hosts{"build.lan:99", "[::1]:80"}));
  EXPECT_EQ(PermittedHosts({}, "build.lan"), Hosts{});
}

}  // namespace
}  // namespace sibyl::research
