// SPDX-License-Identifier: Apache-2.0
#include "oracle/outside_settings.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;
using evidence::SourceKind;
using evidence::SourceSpec;
using Settings = std::vector<OutsideSetting>;

class OutsideSettingsTest : public OracleTest {
 protected:
  OutsideSettingsTest() { ClearEnvironment(); }
  ~OutsideSettingsTest() override { ClearEnvironment(); }

  static void ClearEnvironment() {
    for (const char* name :
         {"SIBYL_WEB_ALLOW", "SEARXNG_URL", "SIBYL_MODEL_URL", "SIBYL_SEARCH_COMMAND",
          "https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"}) {
      ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
    }
  }

  static void Set(const char* name, const char* value) {
    ::setenv(name, value, 1);  // NOLINT(concurrency-mt-unsafe)
  }

  Settings Of(SourceKind kind, std::string origin) const {
    Result<Settings> settings = OutsideSettingsOf(
        Here(), SourceSpec{.name = "src", .kind = kind, .origin = std::move(origin), .line = 3});
    EXPECT_TRUE(settings.ok()) << settings.error().message;
    return settings.ok() ? *std::move(settings) : Settings();
  }

  // The single setting, which must be there.
  OutsideSetting One(SourceKind kind, std::string origin) const {
    Settings settings = Of(kind, std::move(origin));
    EXPECT_EQ(settings.size(), 1U);
    return settings.empty() ? OutsideSetting() : settings[0];
  }

  Settings OfOracle(std::string_view config) const {
    Write("oracle/sibyl.toml", config);
    Result<Settings> settings = OutsideSettings(Here());
    EXPECT_TRUE(settings.ok()) << settings.error().message;
    return settings.ok() ? *std::move(settings) : Settings();
  }

  static std::vector<std::string> NamesOf(const Settings& settings) {
    std::vector<std::string> names;
    for (const OutsideSetting& setting : settings) names.push_back(setting.name);
    return names;
  }
};

TEST_F(OutsideSettingsTest, AFolderOrFileInsideIsNone) {
  Write("oracle/docs/page.md", "");
  EXPECT_TRUE(Of(SourceKind::kFolder, "docs").empty());
  EXPECT_TRUE(Of(SourceKind::kFolder, (oracle() / "docs").string()).empty());
  EXPECT_TRUE(Of(SourceKind::kFile, "docs/page.md").empty());
}

TEST_F(OutsideSettingsTest, AFolderOutsideIsOneWithWhereItLeads) {
  Write("notes/page.md", "");
  const OutsideSetting setting = One(SourceKind::kFolder, "../notes");
  EXPECT_EQ(setting.name, "source src folder");
  EXPECT_EQ(setting.value, "../notes");
  EXPECT_EQ(setting.target, fs::canonical(top() / "notes").string());
  EXPECT_EQ(setting.effect,
            "source 'src' reads the folder ../notes (" + setting.target + "), outside this oracle");
  EXPECT_EQ(setting.place.file, "sibyl.toml");
  EXPECT_EQ(setting.place.line, 3U);
  EXPECT_FALSE(setting.is_refused);
}

TEST_F(OutsideSettingsTest, ALinkOutsideCanBeRetargetedOnlyWithANewAgreement) {
  fs::create_directory(top() / "one");
  fs::create_directory(top() / "two");
  fs::create_directory_symlink("one", top() / "link");
  const OutsideSetting before = One(SourceKind::kFolder, "../link");
  fs::remove(top() / "link");
  fs::create_directory_symlink("two", top() / "link");
  const OutsideSetting after = One(SourceKind::kFolder, "../link");
  EXPECT_EQ(before.value, after.value);
  EXPECT_NE(before.target, after.target);
}

TEST_F(OutsideSettingsTest, ALinkOfTheOracleThatLeadsOutIsRefused) {
  fs::create_directory(top() / "secret");
  fs::create_directory_symlink(top() / "secret", oracle() / "docs");
  EXPECT_TRUE(One(SourceKind::kFolder, "docs").is_refused);
}

TEST_F(OutsideSettingsTest, APrivateFolderOfTheOracleIsRefused) {
  Write("oracle/.git/config", "");
  EXPECT_TRUE(One(SourceKind::kFolder, ".git").is_refused);
  EXPECT_TRUE(One(SourceKind::kFile, ".git/config").is_refused);
}

TEST_F(OutsideSettingsTest, ARepositoryInsideIsOneSinceItCanLeadOut) {
  fs::create_directory(oracle() / "repo");
  const OutsideSetting setting = One(SourceKind::kGit, "repo");
  EXPECT_FALSE(setting.is_refused);
  EXPECT_NE(setting.effect.find("reads the git repository repo"), std::string::npos);
  EXPECT_NE(setting.effect.find("can refer to other repositories"), std::string::npos);
}

TEST_F(OutsideSettingsTest, APublicServerIsNone) {
  EXPECT_TRUE(Of(SourceKind::kGit, "https://example.org/r.git").empty());
  EXPECT_TRUE(Of(SourceKind::kGit, "https://1.1.1.1/r.git").empty());
}

TEST_F(OutsideSettingsTest, APrivateServerIsOne) {
  const OutsideSetting setting = One(SourceKind::kGit, "http://127.0.0.1:8080/r.git");
  EXPECT_EQ(setting.value, "http://127.0.0.1:8080/r.git");
  EXPECT_EQ(setting.target, "");
  EXPECT_NE(setting.effect.find("not a public address (loopback)"), std::string::npos);
  EXPECT_NE(One(SourceKind::kGit, "HTTP://10.0.0.1/r").effect.find("(private)"), std::string::npos);
}

TEST_F(OutsideSettingsTest, APrivateServerNamedInTheEnvironmentNeedsNoAgreement) {
  Set("SIBYL_WEB_ALLOW", "127.0.0.1:8080");
  EXPECT_TRUE(One(SourceKind::kGit, "http://127.0.0.1:8080/r.git").is_from_environment);
  EXPECT_FALSE(One(SourceKind::kGit, "http://127.0.0.1:9090/r.git").is_from_environment);
  Set("SIBYL_WEB_ALLOW", "127.0.0.1");
  EXPECT_TRUE(One(SourceKind::kGit, "http://127.0.0.1:9090/r.git").is_from_environment);
}

TEST_F(OutsideSettingsTest, SshAndUnencryptedGitAreNamedByTheirProtocol) {
  EXPECT_NE(One(SourceKind::kGit, "git@example.org:o/r").effect.find("over ssh, with your keys"),
            std::string::npos);
  EXPECT_NE(One(SourceKind::kGit, "git://example.org/r").effect.find("without encryption"),
            std::string::npos);
}

TEST_F(OutsideSettingsTest, ATransportHelperIsRefused) {
  const OutsideSetting setting = One(SourceKind::kGit, "ext::sh -c id");
  EXPECT_TRUE(setting.is_refused);
  EXPECT_NE(setting.effect.find("never allowed"), std::string::npos);
}

TEST_F(OutsideSettingsTest, APasswordIsNotShown) {
  const OutsideSetting setting = One(SourceKind::kGit, "ssh://ann:hunter2@example.org/r");
  EXPECT_EQ(setting.effect.find("hunter2"), std::string::npos) << setting.effect;
}

TEST_F(OutsideSettingsTest, EachPrivatePageOfASourceIsOne) {
  const SourceSpec spec{
      .name = "wiki",
      .kind = SourceKind::kPage,
      .urls = {"http://wiki.lan/a", "https://example.org/b", "not a url", "http://wiki.lan/c"}};
  const Result<Settings> settings = OutsideSettingsOf(Here(), spec);
  ASSERT_TRUE(settings.ok());
  ASSERT_EQ(settings->size(), 2U);
  EXPECT_EQ((*settings)[0].value, "http://wiki.lan/a");
  EXPECT_EQ((*settings)[1].value, "http://wiki.lan/c");
  EXPECT_EQ((*settings)[0].place.file, "sibyl.lock") << "without a line it is a pin";
}

TEST_F(OutsideSettingsTest, AUrlIsNoneWhereItsHostIsPublic) {
  const net::Url url = *net::ParseUrl("https://example.org/");
  EXPECT_TRUE(OutsideSettingsOfUrl({.name = "src"}, url, {}).empty());
  EXPECT_EQ(OutsideSettingsOfUrl({.name = "src"}, url, {.why_not_public = "private"}).size(), 1U);
}

TEST_F(OutsideSettingsTest, AnEmptyConfigurationHasNone) {
  EXPECT_TRUE(OfOracle("").empty());
  EXPECT_TRUE(OutsideSettingsOf(research::WebConfig()).empty());
  EXPECT_TRUE(OutsideSettingsOf(model::ModelConfig()).empty());
}

TEST_F(OutsideSettingsTest, TheWebTableHasOneForEachKeyThatReachesOut) {
  const Settings settings = OfOracle(
      "[web]\nexpand = true\nurl = \"http://search.lan\"\nproxy = \"http://u:p@proxy.lan\"\n"
      "ca_file = \"ca.pem\"\nallow = [\"wiki.lan\", \"nas.lan\"]\ncommand = [\"find-it\", \"-x\"]\n"
      "interval_ms = 2000\n");
  EXPECT_EQ(NamesOf(settings),
            (std::vector<std::string>{"web expand", "web url", "web proxy", "web ca_file",
                                      "web allow", "web allow", "web command"}));
  EXPECT_EQ(settings[0].place.line, 2U);
  EXPECT_EQ(settings[2].effect.find("u:p"), std::string::npos) << settings[2].effect;
  EXPECT_EQ(settings[6].value, "[\"find-it\",\"-x\"]");
}

TEST_F(OutsideSettingsTest, AWebKeyThatTheEnvironmentRepeatsNeedsNoAgreement) {
  research::WebConfig config;
  config.url = "http://search.lan/";
  config.proxy = "http://proxy.lan";
  config.command = {"find-it"};
  config.allow = {"wiki.lan", "nas.lan"};
  Set("SEARXNG_URL", "http://search.lan/");
  Set("SIBYL_SEARCH_COMMAND", "find-it");
  Set("SIBYL_WEB_ALLOW", "wiki.lan");
  std::vector<std::string> ours;
  for (const OutsideSetting& setting : OutsideSettingsOf(config)) {
    if (setting.is_from_environment) ours.push_back(setting.name + " " + setting.value);
  }
  EXPECT_EQ(ours, (std::vector<std::string>{"web url http://search.lan/", "web allow wiki.lan",
                                            "web command [\"find-it\"]"}));
}

TEST_F(OutsideSettingsTest, AModelServerIsOneUnlessTheEnvironmentNamesIt) {
  const Settings settings = OfOracle("[model]\nurl = \"http://127.0.0.1:8080/v1\"\nname = \"m\"\n");
  ASSERT_EQ(NamesOf(settings), std::vector<std::string>{"model url"});
  EXPECT_EQ(settings[0].place.line, 2U);
  EXPECT_FALSE(settings[0].is_from_environment);
  Set("SIBYL_MODEL_URL", "http://127.0.0.1:8080/v1");
  model::ModelConfig config;
  config.url = "http://127.0.0.1:8080/v1";
  EXPECT_TRUE(OutsideSettingsOf(config)[0].is_from_environment);
  config.url = "http://127.0.0.1:8080/v2";
  EXPECT_FALSE(OutsideSettingsOf(config)[0].is_from_environment);
}

TEST_F(OutsideSettingsTest, OfTheOracleAreInTheOrderOfTheFileAndEachIsOnce) {
  Write("notes/page.md", "");
  const std::string tree(40, 'a');
  Write("oracle/sibyl.lock",
        "version = 1\n\n[[pin]]\nname = \"notes\"\nkind = \"folder\"\norigin = "
        "\"../notes\"\ntree = \"" +
            tree +
            "\"\ndate = "
            "\"2026-11-15T00:00:00Z\"\n\n[[pin]]\nname = \"old\"\nkind = "
            "\"folder\"\norigin = \"../old\"\ntree = \"" +
            tree +
            "\"\ndate = "
            "\"2026-11-15T00:00:00Z\"\n");
  const Settings settings = OfOracle(
      "[[source]]\nname = \"notes\"\nfolder = \"../notes\"\n\n[web]\nproxy = "
      "\"http://proxy.lan\"\n");
  EXPECT_EQ(NamesOf(settings),
            (std::vector<std::string>{"source notes folder", "web proxy", "source old folder"}));
  EXPECT_EQ(settings[2].place.file, "sibyl.lock");
}

TEST_F(OutsideSettingsTest, PagesAreListedWithoutALookUp) {
  Write("oracle/sibyl.toml",
        "[[source]]\nname = \"wiki\"\npage = [\"https://example.org/a\", \"http://wiki.lan/b\"]\n");
  const Result<Settings> settings = PageSettings(Here());
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  ASSERT_EQ(settings->size(), 2U);
  EXPECT_EQ((*settings)[0].name, "source wiki page");
  EXPECT_EQ((*settings)[0].value, "https://example.org/a");
}

TEST_F(OutsideSettingsTest, AFileThatCannotBeReadIsAnError) {
  Write("oracle/sibyl.toml", "[web\n");
  EXPECT_FALSE(OutsideSettings(Here()).ok());
  EXPECT_FALSE(PageSettings(Here()).ok());
  Write("oracle/sibyl.toml", "");
  Write("oracle/sibyl.lock", "<<<<<<< ours\n");
  EXPECT_FALSE(OutsideSettings(Here()).ok());
}

TEST_F(OutsideSettingsTest, AHostIsJudgedByItsFormWithoutTheNetwork) {
  EXPECT_EQ(JudgeUrl(Here(), *net::ParseUrl("https://example.org/"))->why_not_public, "");
  EXPECT_EQ(JudgeUrl(Here(), *net::ParseUrl("https://nas.local/"))->why_not_public, "a local name");
}

TEST(TransportHelper, IsAProtocolWithTwoColons) {
  for (const char* origin : {"ext::sh -c id", "fd::3", "ext::x", "foo::http://example.org"}) {
    EXPECT_TRUE(IsTransportHelper(origin)) << origin;
  }
  for (const char* origin : {"https://example.org/a::b", "[::1]:r", "/tmp/a::b", "git@host:r", "",
                             "./a::b", "ssh://[::1]/r"}) {
    EXPECT_FALSE(IsTransportHelper(origin)) << origin;
  }
}

TEST(HttpOrigin, IsHttpOrHttpsInAnyCase) {
  EXPECT_TRUE(IsHttpOrigin("http://a"));
  EXPECT_TRUE(IsHttpOrigin("HTTPS://a"));
  for (const char* origin : {"ssh://a", "httpx://a", "http:/a", "a/http://", ""}) {
    EXPECT_FALSE(IsHttpOrigin(origin)) << origin;
  }
}

}  // namespace
}  // namespace sibyl::oracle
