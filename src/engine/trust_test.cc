// SPDX-License-Identifier: Apache-2.0
// What a cloned oracle's settings do before and after the person agreed, against
// servers on loopback that record every request.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/files/files.h"
#include "engine/evidence_operations.h"
#include "engine/expand_operations.h"
#include "engine/gate_operations.h"
#include "engine/outcome.h"
#include "engine/plan/plan_operations.h"
#include "engine/test_git_http.h"
#include "engine/test_operations.h"
#include "engine/verify_operations.h"
#include "expansion/model/model_access.h"
#include "expansion/web.h"
#include "net/test_server.h"
#include "oracle/consent.h"
#include "oracle/lease_monitor.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;
using net::TestAnswer;
using net::TestPage;
using net::TestServer;

class Trust : public OperationTest {
 protected:
  Trust() : server_([this](const std::string& request) { return Serve(request); }) {
    for (const char* name : {"SIBYL_WEB_ALLOW", "SEARXNG_URL", "SIBYL_SEARCH_COMMAND",
                             "SIBYL_MODEL_URL", "SIBYL_OFFLINE"}) {
      ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
    }
    MakeOracle();
    Write("home/.ssh/id_ed25519", "a private key of Ada\n");
    Write("served/r/readme.md", "# Served\n\nThe gadget has nine lives in all.\n");
    const fs::path repository = folder_.path() / "served/r";
    GitIn(repository, {"init", "-q", "-b", "main"});
    GitIn(repository, {"add", "-A"});
    GitIn(repository, {"-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "one"});
  }
  ~Trust() override { ::unsetenv("GIT_SSH_COMMAND"); }  // NOLINT(concurrency-mt-unsafe)

  void Amend(oracle::Context& context) override {
    if (!is_served_) return;
    context.roots = {*oracle_};
    context.lease_monitor = &lease_monitor_;
  }

  TestAnswer Serve(const std::string& request) {
    const std::size_t start = request.find(' ') + 1;
    const std::string path = request.substr(start, request.find(' ', start) - start);
    if (path.starts_with("/moved/")) {
      return TestPage("301 Moved", "Location: " + moved_to_ + path.substr(7) + "\r\n", "");
    }
    if (path.starts_with("/r")) return ServeGit(folder_.path() / "served", request);
    if (path == "/robots.txt") return TestPage("404 Not Found", "", "");
    return TestPage("200 OK", "Content-Type: text/html\r\n",
                    "<html><head><title>Lives</title></head><body><main><h1>Lives</h1><p>A gadget "
                    "has nine lives, and each of them ends with the next restart of it.</p>"
                    "</main></body></html>");
  }

  // sibyl.toml as a stranger wrote it.
  void Configure(const std::string& lines) { Write("oracle/sibyl.toml", lines); }
  void ConfigureSource(const std::string& line) {
    Configure("[[source]]\nname = \"x\"\n" + line + "\n");
  }

  Outcome Sync() { return Done(kSourceSync, {}); }
  bool IsPinned() const { return Read("sibyl.lock").find("name = \"x\"") != std::string::npos; }
  Outcome List() { return Done(kTrust, {{"list", ""}}); }
  void Agree() { EXPECT_TRUE(Done(kTrust, {{"yes", ""}}).holds); }

  /// Refused with its place before the agreement, done after it.
  void ExpectAsks(const std::string& effect) {
    const Outcome refused = Sync();
    EXPECT_FALSE(refused.holds);
    ASSERT_EQ(refused.findings.size(), 1U);
    EXPECT_NE(refused.findings[0].message.find(effect), std::string::npos)
        << refused.findings[0].message;
    EXPECT_NE(refused.findings[0].hint.find("sibyl trust"), std::string::npos);
    EXPECT_EQ(refused.findings[0].place.file, "sibyl.toml");
    EXPECT_EQ(refused.findings[0].place.line, 1U);
    EXPECT_FALSE(IsPinned());
    EXPECT_EQ(server_.connections(), 0);
    const Outcome listed = List();
    EXPECT_FALSE(listed.holds);
    ASSERT_EQ(listed.data["settings"].size(), 1U);
    EXPECT_EQ(listed.data["settings"][0]["line"], 1);
    EXPECT_NE(listed.data["settings"][0]["effect"].get<std::string>().find(effect),
              std::string::npos);
    Agree();
    EXPECT_TRUE(List().holds);
    const Outcome done = Sync();
    EXPECT_TRUE(done.holds) << (done.findings.empty() ? "" : done.findings[0].message);
    EXPECT_TRUE(IsPinned());
  }

  bool is_served_ = false;
  oracle::LeaseMonitor lease_monitor_;
  std::string moved_to_;
  TestServer server_;
};

// Issue 16, finding 11.
TEST_F(Trust, AGitServerOnLoopbackIsNotAskedBeforeTheAgreement) {
  ConfigureSource("git = \"" + server_.url("/r") + "\"");
  ExpectAsks("not a public address (loopback)");
  EXPECT_GT(server_.connections(), 0);
}

TEST_F(Trust, OtherSpellingsOfLoopbackAreAskedAboutToo) {
  const std::string port = std::to_string(server_.port());
  for (const std::string host : {"localhost", "127.1", "0x7f000001", "2130706433", "[::1]"}) {
    ConfigureSource("git = \"http://" + host + ":" + port + "/r\"");
    EXPECT_FALSE(Sync().holds) << host;
    EXPECT_FALSE(List().holds) << host;
  }
  EXPECT_EQ(server_.connections(), 0);
}

TEST_F(Trust, AFolderOutsideIsNotReadBeforeTheAgreement) {
  ConfigureSource("folder = \"../home/.ssh\"");
  ExpectAsks("reads the folder ../home/.ssh");
}

TEST_F(Trust, AFileOutsideIsNotReadBeforeTheAgreement) {
  ConfigureSource("file = \"../home/.ssh/id_ed25519\"");
  ExpectAsks("reads the file ../home/.ssh/id_ed25519");
}

TEST_F(Trust, AFolderInsideNeedsNoAgreement) {
  Write("oracle/manual/a.md", "# Manual\n");
  ConfigureSource("folder = \"manual\"");
  EXPECT_TRUE(List().holds);
  EXPECT_TRUE(Sync().holds);
}

// What can never act is not something to agree to: it is listed as refused, with the
// reason, and stays refused.
TEST_F(Trust, WhatIsNeverDoneIsListedAsRefused) {
  fs::create_directory_symlink("../served/r", *oracle_ / "behind");
  fs::create_directory_symlink("../home/.ssh", *oracle_ / "keys");
  const std::vector<std::pair<std::string, std::string>> kRefused = {
      {"git = \"ext::sh -c true\"", "which would make git start a program; this is never allowed"},
      {"git = \"fd::7\"", "which would make git start a program; this is never allowed"},
      {"git = \"behind\"", "the symbolic link leads out of"},
      {"folder = \"keys\"", "the symbolic link leads out of"},
      {"folder = \".git\"", "the private folders of git and sibyl cannot be sources"},
      {"folder = \".sibyl\"", "the private folders of git and sibyl cannot be sources"}};
  for (const auto& [line, why] : kRefused) {
    ConfigureSource(line);
    const Outcome listed = List();
    EXPECT_TRUE(listed.holds) << line;
    ASSERT_EQ(listed.data["settings"].size(), 1U) << line;
    const Json& setting = listed.data["settings"][0];
    EXPECT_EQ(setting["refused"], true) << line;
    EXPECT_EQ(setting["agreed"], false) << line;
    const std::string effect = setting["effect"];
    EXPECT_NE(effect.find(why), std::string::npos) << effect;
    EXPECT_EQ(effect.find("ssh, with your keys"), std::string::npos) << effect;
    EXPECT_EQ(effect.find("outside this oracle"), std::string::npos) << effect;
    EXPECT_EQ(Done(kTrust, {{"yes", ""}}).data["agreed_now"], 0) << line;
    EXPECT_FALSE(Sync().holds) << line;
    EXPECT_FALSE(IsPinned()) << line;
  }
}

TEST_F(Trust, OneBadSourceKeepsNoneOfTheOthers) {
  Write("oracle/manual/a.md", "# Manual\n\nThe gadget has nine lives.\n");
  for (const std::string bad :
       {"git = \"http://127.0.0.1%3a9911/z.git\"", "git = \"ext::sh -c true\"",
        "page = \"gopher://host/x\"", "page = \"http://exa mple/x\"", "folder = \".git\"",
        "page = [\"https://example.org/x\", \"nothing\"]", "git = \"http://[::/r\""}) {
    fs::remove(*oracle_ / "sibyl.lock");
    Configure("[[source]]\nname = \"bad\"\n" + bad +
              "\n\n[[source]]\nname = \"x\"\nfolder = \"manual\"\n");
    const Result<Outcome> synced = Run(kSourceSync, {});
    ASSERT_TRUE(synced.ok()) << bad << synced.error().message;
    EXPECT_FALSE(synced->holds) << bad;
    EXPECT_TRUE(IsPinned()) << bad;
    ASSERT_FALSE(synced->findings.empty()) << bad;
    EXPECT_EQ(synced->findings[0].place.file, "sibyl.toml") << bad;
    EXPECT_EQ(synced->findings[0].place.line, 1U) << bad << synced->findings[0].message;
    EXPECT_EQ(Done(kSourceList, {}).data["sources"].size(), 2U) << bad;
    EXPECT_TRUE(List().holds) << bad;
    EXPECT_EQ(Done(kSearch, {{"query", "gadget"}}).data["hits"].size(), 1U) << bad;
  }
}

TEST_F(Trust, APasswordIsShownOfNoKindOfAddress) {
  std::string said;
  const auto hear = [&said](const Result<Outcome>& outcome) {
    if (!outcome.ok()) {
      said += outcome.error().message + outcome.error().hint;
      return;
    }
    said += FormatJson(outcome->data);
    for (const Finding& finding : outcome->findings) {
      said += finding.code + finding.message + finding.hint + finding.place.text;
    }
  };
  for (const std::string& url : std::vector<std::string>{
           "https://u:hunter9@example.com/x", "https://hunter9@example.com/x",
           "http://u:hunter9@" + server_.host() + "/x", "https://u:hunter9/9@example.com/x",
           "https:/u:hunter9@example.com/x", "ftp://u:hunter9@example.com/x"}) {
    ConfigureSource("page = \"" + url + "\"");
    hear(Run(kSourceList, {}));
    EXPECT_NE(said.find("source/credentials"), std::string::npos) << url;
    hear(Run(kSourceSync, {}));
    hear(Run(kTrust, {{"list", ""}}));
    hear(Run(kSearch, {{"query", "x"}}));
    hear(Run(kSourceAdd, {{"origin", url}, {"kind", "page"}, {"name", "y"}}));
    Configure("[web]\nprovider = \"command\"\ncommand = [\"finder\", \"--at=" + url + "\"]\n");
    hear(Run(kTrust, {{"list", ""}}));
    Configure("[web]\nprovider = \"searxng\"\nurl = \"" + url + "\"\nproxy = \"" + url + "\"\n");
    hear(Run(kTrust, {{"list", ""}}));
    hear(Run(kSearch, {{"query", "x"}, {"web", ""}}));
    Configure("[model]\nname = \"m\"\nurl = \"" + url + "\"\n");
    hear(Run(kTrust, {{"list", ""}}));
    Write("oracle/plans/p.md",
          "# Plan\n\n## PART 1: Create a/01-b.md (~9 lines)\n\n1. **Scrape**: " + url +
              "\n2. **Search**: see " + url + "\n");
    hear(Run(kPlanShow, {{"plan", "plans/p.md"}}));
    hear(Run(kPlanCheck, {{"plan", "plans/p.md"}}));
    hear(Run(kPlanSources, {{"plan", "plans/p.md"}}));
    EXPECT_EQ(said.find("hunter9"), std::string::npos)
        << url << said.substr(said.find("hunter9") - 200, 400);
    said.clear();
  }
  EXPECT_FALSE(fs::exists(*oracle_ / "sibyl.lock"));
  EXPECT_EQ(server_.connections(), 0);
}

TEST_F(Trust, ALocalRepositoryIsNotReadBeforeTheAgreement) {
  ConfigureSource("git = \"../served/r\"");
  ExpectAsks("reads the git repository ../served/r");
}

TEST_F(Trust, SshIsNotStartedBeforeTheAgreement) {
  const fs::path ran = folder_.path() / "ran";
  const fs::path ssh = Write("ssh", "#!/bin/sh\ntouch " + ran.string() + "\nexit 1\n");
  fs::permissions(ssh, fs::perms::owner_all);
  ::setenv("GIT_SSH_COMMAND", ssh.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  for (const std::string origin : {"ssh://git@github.com/o/r", "git@github.com:o/r.git"}) {
    ConfigureSource("git = \"" + origin + "\"");
    EXPECT_FALSE(Sync().holds);
    EXPECT_FALSE(fs::exists(ran)) << origin;
    const Outcome listed = List();
    ASSERT_EQ(listed.data["settings"].size(), 1U);
    EXPECT_NE(listed.data["settings"][0]["effect"].get<std::string>().find("over ssh"),
              std::string::npos);
  }
  Agree();
  EXPECT_FALSE(Sync().holds) << "this ssh fails";
  EXPECT_TRUE(fs::exists(ran));
}

TEST_F(Trust, TransportHelpersAreNeverRun) {
  const fs::path ran = folder_.path() / "ran";
  ConfigureSource("git = \"ext::touch " + ran.string() + "\"");
  EXPECT_FALSE(Sync().holds);
  (void)Done(kTrust, {{"yes", ""}});
  EXPECT_FALSE(Sync().holds);
  EXPECT_FALSE(fs::exists(ran));
}

TEST_F(Trust, APinOfTheLockIsJudgedLikeASource) {
  Configure("");
  Write("oracle/sibyl.lock",
        "version = 1\n\n[[pin]]\nname = \"x\"\nkind = \"folder\"\norigin = \"../home/.ssh\"\n"
        "tree = \"94954abda49de8615a048f8d2e64b5de848e27a1\"\ndate = \"2026-08-20T12:00:00Z\"\n"
        "max_file_bytes = 2097152\n");
  const Outcome searched = Done(kSearch, {{"query", "private key"}});
  ASSERT_FALSE(searched.findings.empty());
  EXPECT_NE(searched.findings[0].message.find("outside this oracle"), std::string::npos);
  const Outcome listed = List();
  ASSERT_EQ(listed.data["settings"].size(), 1U);
  EXPECT_EQ(listed.data["settings"][0]["file"], "sibyl.lock");
}

TEST_F(Trust, WhatAPersonAddsIsAgreedToAndNothingElse) {
  EXPECT_TRUE(Run(kSourceAdd, {{"origin", "home/.ssh"}, {"name", "x"}}).ok());
  EXPECT_TRUE(
      Run(kSourceAdd, {{"origin", server_.url("/r")}, {"kind", "git"}, {"name", "g"}}).ok());
  EXPECT_TRUE(Run(kSourceAdd, {{"origin", server_.url("/lives.html")}, {"name", "p"}}).ok());
  EXPECT_TRUE(List().holds);
  EXPECT_TRUE(Sync().holds);
  Write("oracle/sibyl.toml",
        Read("sibyl.toml") + "\n[[source]]\nname = \"y\"\nfolder = \"../home\"\n");
  EXPECT_FALSE(List().holds);
}

TEST_F(Trust, AChangedSettingIsAskedAboutAgain) {
  ConfigureSource("folder = \"../home/.ssh\"");
  Agree();
  ConfigureSource("folder = \"../home\"");
  EXPECT_FALSE(List().holds);
  EXPECT_FALSE(Sync().holds);
  ConfigureSource("folder = \"../home/.ssh\"");
  EXPECT_TRUE(Sync().holds);
  EXPECT_TRUE(Done(kTrust, {{"revoke", ""}}).holds);
  EXPECT_FALSE(Sync().holds);
}

TEST_F(Trust, ACopyAtAnotherPathIsAskedAboutAgain) {
  ConfigureSource("folder = \"../home/.ssh\"");
  Agree();
  fs::copy(*oracle_, folder_.path() / "copy", fs::copy_options::recursive);
  oracle_ = folder_.path() / "copy";
  EXPECT_FALSE(List().holds);
  EXPECT_FALSE(Sync().holds);
}

TEST_F(Trust, AForgedOrForeignConsentDoesNotCount) {
  ConfigureSource("folder = \"../home/.ssh\"");
  Agree();
  for (const auto& entry : fs::directory_iterator(folder_.path() / "state/trust")) {
    std::string text = *ReadFile(entry.path());
    const std::size_t at = text.find("\"signature\": \"") + 14;
    text[at] = text[at] == '0' ? '1' : '0';
    ASSERT_TRUE(WriteFileAtomically(entry.path(), text).ok());
  }
  EXPECT_FALSE(List().holds);
  EXPECT_FALSE(Sync().holds);
}

TEST_F(Trust, AgentsCannotAgree) {
  Configure("");
  is_served_ = true;
  EXPECT_FALSE(Run(kSourceAdd, {{"origin", "../home/.ssh"}, {"name", "x"}}).ok());
  EXPECT_FALSE(
      Run(kSourceAdd, {{"origin", server_.url("/r")}, {"kind", "git"}, {"name", "g"}}).ok());
  EXPECT_FALSE(Run(kSourceAdd, {{"origin", server_.url("/p.html")}, {"name", "p"}}).ok());
  EXPECT_FALSE(Run(kTrust, {{"yes", ""}}).ok());
  EXPECT_FALSE(Run(kTrust, {{"revoke", ""}}).ok());
  EXPECT_EQ(server_.connections(), 0);
  ConfigureSource("folder = \"../home/.ssh\"");
  const Result<std::vector<oracle::OutsideSetting>> settings = oracle::OutsideSettings(Here());
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(oracle::RecordConsent(Here(), *settings).error().kind, ErrorKind::kUsage);
  EXPECT_FALSE(Sync().holds);
  is_served_ = false;
  EXPECT_FALSE(List().holds);
  // What the person agreed to, an agent may use.
  Agree();
  is_served_ = true;
  EXPECT_TRUE(Sync().holds);
}

TEST_F(Trust, APersonAtTheTerminalIsAsked) {
  ConfigureSource("folder = \"../home/.ssh\"");
  const auto ask = [&](bool answer) {
    oracle::Context context = Here();
    std::vector<std::string> shown;
    context.confirm = [&](const std::vector<std::string>& lines, std::string_view) {
      shown = lines;
      return answer;
    };
    const Result<Outcome> outcome = RunOperation(kTrust, context, *Arguments::Make(kTrust, {}));
    EXPECT_EQ(shown.size(), 1U);
    return outcome.ok() && outcome->holds;
  };
  EXPECT_FALSE(ask(false));
  EXPECT_FALSE(Done(kTrust, {}).holds) << "nobody is there to be asked";
  EXPECT_TRUE(ask(true));
  EXPECT_TRUE(List().holds);
}

TEST_F(Trust, CredentialsInAUrlAreRefusedAndNeverShown) {
  const std::string url = "http://ada:s3cret@" + server_.host() + "/r";
  const Result<Outcome> added = Run(kSourceAdd, {{"origin", url}, {"kind", "git"}, {"name", "x"}});
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().message.find("s3cret"), std::string::npos);
  EXPECT_EQ(added.error().hint.find("s3cret"), std::string::npos);
  EXPECT_EQ(Read("sibyl.toml").find("s3cret"), std::string::npos);

  ConfigureSource("git = \"" + url + "\"");
  const Outcome listed = Done(kSourceList, {});
  ASSERT_FALSE(listed.findings.empty());
  EXPECT_EQ(listed.findings[0].code, "source/credentials");
  Agree();
  const Outcome synced = Sync();
  EXPECT_FALSE(synced.holds);
  std::string said = FormatJson(listed.data) + FormatJson(synced.data) + FormatJson(List().data);
  for (const Outcome* outcome : {&listed, &synced}) {
    for (const Finding& finding : outcome->findings) said += finding.message + finding.hint;
  }
  EXPECT_EQ(said.find("s3cret"), std::string::npos) << said;
  EXPECT_EQ(server_.connections(), 0);
}

TEST_F(Trust, AModelServerGetsNeitherQuestionsNorKeysBeforeTheAgreement) {
  Configure("[model]\nname = \"m\"\nurl = \"" + server_.url("/v1") + "\"\n");
  const expansion::ModelEnvironment environment{.key = "sk-own"};
  const auto refused = expansion::ModelAccess::Open(Here(), {}, environment);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("your key"), std::string::npos);
  EXPECT_EQ(refused.error().place->line, 3U);
  EXPECT_EQ(server_.connections(), 0);
  Agree();
  const auto opened = expansion::ModelAccess::Open(Here(), {}, environment);
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  EXPECT_EQ((*opened)->writer().server().key, "sk-own");
  Configure("[model]\nname = \"m\"\nurl = \"" + server_.url("/v2") + "\"\n");
  EXPECT_FALSE(expansion::ModelAccess::Open(Here(), {}, environment).ok());
}

TEST_F(Trust, SearchServersAndProgramsWaitForTheAgreement) {
  const fs::path ran = folder_.path() / "ran";
  const fs::path program = Write("finder", "#!/bin/sh\ntouch " + ran.string() + "\n");
  fs::permissions(program, fs::perms::owner_all);
  Configure("[web]\nprovider = \"command\"\ncommand = [\"" + program.string() + "\"]\n");
  EXPECT_FALSE(Run(kSearch, {{"query", "q"}, {"web", ""}}).ok());
  EXPECT_FALSE(fs::exists(ran));
  Agree();
  EXPECT_TRUE(Run(kSearch, {{"query", "q"}, {"web", ""}}).ok());
  EXPECT_TRUE(fs::exists(ran));

  Configure("[web]\nprovider = \"searxng\"\nurl = \"" + server_.url("/") + "\"\n");
  EXPECT_FALSE(Run(kSearch, {{"query", "q"}, {"web", ""}}).ok());
  EXPECT_EQ(server_.connections(), 0);
  Agree();
  (void)Run(kSearch, {{"query", "q"}, {"web", ""}});
  EXPECT_GT(server_.connections(), 0);
}

TEST_F(Trust, APageAtAPrivateAddressWaitsForTheAgreement) {
  ConfigureSource("page = \"" + server_.url("/lives.html") + "\"");
  ExpectAsks("not a public address (loopback)");
}

TEST_F(Trust, AProxyWaitsForTheAgreement) {
  Configure("[web]\nproxy = \"" + server_.url("") +
            "\"\n\n[[source]]\nname = \"x\"\npage = \"http://docs.example.org/a.html\"\n");
  EXPECT_FALSE(Sync().holds);
  EXPECT_EQ(server_.connections(), 0);
}

TEST_F(Trust, AnAgreedGitServerCannotRedirectToAnotherPrivateOne) {
  TestServer other([](const std::string&) { return TestPage("200 OK", "", "secret"); });
  moved_to_ = other.url("/");
  ConfigureSource("git = \"" + server_.url("/moved/r") + "\"");
  Agree();
  EXPECT_FALSE(Sync().holds);
  EXPECT_EQ(other.connections(), 0);
}

TEST_F(Trust, AGitRedirectOnTheSameServerIsFollowed) {
  moved_to_ = server_.url("/");
  ConfigureSource("git = \"" + server_.url("/moved/r") + "\"");
  Agree();
  const Outcome done = Sync();
  EXPECT_TRUE(done.holds) << (done.findings.empty() ? "" : done.findings[0].message);
}

TEST_F(Trust, AnAgreedPageCannotRedirectToAnotherPrivateAddress) {
  TestServer other([](const std::string&) { return TestPage("200 OK", "", "secret"); });
  moved_to_ = other.url("/");
  ConfigureSource("page = \"" + server_.url("/moved/x.html") + "\"");
  Agree();
  EXPECT_FALSE(Sync().holds);
  EXPECT_EQ(other.connections(), 0);
}

TEST_F(Trust, ExpandDoesNotSearchTheWebBecauseTheFileSaysSo) {
  Configure("[web]\nexpand = true\n");
  const Outcome listed = List();
  ASSERT_EQ(listed.data["settings"].size(), 1U);
  EXPECT_EQ(listed.data["settings"][0]["line"], 2);
  EXPECT_FALSE(listed.holds);
}

// Issue 16, finding 13.
TEST_F(Trust, OfflineIsOneSwitchForEveryKindOfSource) {
  Configure("[[source]]\nname = \"g\"\ngit = \"" + server_.url("/r") +
            "\"\n\n[[source]]\nname = \"p\"\npage = \"" + server_.url("/lives.html") + "\"\n");
  Agree();
  EXPECT_TRUE(Sync().holds);
  fs::remove_all(folder_.path() / "store");
  const int before = server_.connections();
  for (const auto& [operation, given] :
       std::vector<std::pair<const Operation*, std::vector<GivenValue>>>{
           {&kAsk, {{"question", "how many lives has a gadget"}}},
           {&kSearch, {{"query", "gadget"}}},
           {&kVerify, {}},
           {&kAudit, {{"path", "oracle"}}},
           {&kRefresh, {}},
           {&kSourceList, {}}}) {
    (void)Run(*operation, given);
    EXPECT_EQ(server_.connections(), before) << operation->name;
  }
  const Outcome asked = Done(kSearch, {{"query", "gadget"}});
  ASSERT_EQ(asked.findings.size(), 1U) << "one for all sources";
  EXPECT_NE(
      asked.findings[0].message.find("2 of 2 sources: the pinned content is not in the cache"),
      std::string::npos)
      << asked.findings[0].message;
  EXPECT_NE(asked.findings[0].hint.find("sibyl source sync"), std::string::npos);
  ::setenv("SIBYL_OFFLINE", "1", 1);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_FALSE(Sync().holds);
  EXPECT_EQ(Run(kVerify, {{"restore", ""}}).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(server_.connections(), before);
  ::unsetenv("SIBYL_OFFLINE");  // NOLINT(concurrency-mt-unsafe)
  EXPECT_TRUE(Run(kVerify, {{"restore", ""}}).ok());
  EXPECT_GT(server_.connections(), before);
}

}  // namespace
}  // namespace sibyl::engine
