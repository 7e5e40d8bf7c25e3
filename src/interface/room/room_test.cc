// SPDX-License-Identifier: Apache-2.0
// The reading room as a browser meets it: over HTTP, from a real oracle.
#include "interface/room/room.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <thread>

#include "base/files/files.h"
#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "evidence/pages/gzip.h"
#include "interface/room/room_paths.h"
#include "interface/site/site_pages.h"
#include "interface/web/test_served_http.h"

namespace sibyl::interface {
namespace {

class RoomTest : public ServedHttp {
 protected:
  void SetUp() override {
    Write("manual/build.md",
          "# Building\n\nSet GADGET_ARCH_LIST first.\nThe cache holds 48 KB.\nThe end.\n");
    ServedHttp::SetUp();
    Run("source add", {{"origin", (oracle() / "manual").string()}});
    const Json cited = Run("cite", {{"target", "manual:build.md:3-4"}});
    Write("gad/01-build.md",
          "# Building <b>\n\nSet `GADGET_ARCH_LIST` first.[^1] The cache holds 64 KB.[^1]\n\n"
          "<script>alert(1)</script>\n\n## Not found\n\n- speed\n\n## Sources\n\n" +
              std::string(cited["footnote"].get<std::string>()) + "\n");
  }
  Json Run(const char* name, std::vector<engine::GivenValue> given) const {
    const engine::Operation* row = engine::FindOperation(name);
    auto arguments = engine::Arguments::Make(*row, std::move(given));
    EXPECT_TRUE(arguments.ok());
    oracle::Context context = mcp_->context();
    context.roots = {};  // a person does it
    const Result<engine::Outcome> outcome = engine::RunOperation(*row, context, *arguments);
    EXPECT_TRUE(outcome.ok()) << (outcome.ok() ? "" : outcome.error().message);
    return outcome.ok() ? outcome->data : Json();
  }
  std::string Get(const std::string& path, const std::string& headers = {}) const {
    return Ask("GET " + path + " HTTP/1.1\r\n" + headers);
  }
  static std::string Head(const std::string& response) {
    return response.substr(0, response.find("\r\n\r\n") + 2);
  }
  static std::string Value(const std::string& response, const std::string& name) {
    const std::string head = Head(response);
    const std::size_t at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
};

TEST_F(RoomTest, HomeShowsTopicsAndHealth) {
  const std::string home = Get("/");
  EXPECT_TRUE(home.starts_with("HTTP/1.1 200")) << home;
  EXPECT_TRUE(Contains(home, "href=\"/page/gad/01-build.md\"")) << home;
  EXPECT_TRUE(Contains(home, "fail ✗")) << home;
  EXPECT_TRUE(Contains(home, "manual")) << home;
}

TEST_F(RoomTest, APageShowsItsStatementsWithTheirVerdicts) {
  const std::string page = Get("/page/gad/01-build.md");
  EXPECT_TRUE(Contains(page, "class=\"m ok\" id=\"m1\"")) << page;
  EXPECT_TRUE(Contains(page, "class=\"m bad\" id=\"m2\"")) << page;
  EXPECT_TRUE(Contains(page, "class=\"nf\"")) << page;
  EXPECT_FALSE(Contains(page, "<script>")) << page;
  EXPECT_TRUE(Contains(page, "&lt;script&gt;")) << page;
}

TEST_F(RoomTest, AReceiptShowsTheCitedLinesAndTheGroundedWords) {
  const std::string whole = Get("/receipt/gad/01-build.md/2?context=1");
  EXPECT_TRUE(Contains(whole, "<!doctype html>")) << whole;
  EXPECT_TRUE(Contains(whole, "<span class=\"ln hit\"><span class=\"no\">4</span>")) << whole;
  EXPECT_TRUE(Contains(whole, "<span class=\"ln\"><span class=\"no\">5</span>")) << whole;
  EXPECT_TRUE(Contains(whole, "number/ungrounded")) << whole;
  EXPECT_TRUE(Contains(whole, "swh:1:cnt:")) << whole;
  const std::string part = Get("/receipt/gad/01-build.md/1?part=1");
  EXPECT_FALSE(Contains(part, "<!doctype")) << part;
  EXPECT_TRUE(Contains(part, "<b class=\"g\"")) << part;
  EXPECT_TRUE(Contains(part, "still holds")) << part;
  EXPECT_TRUE(Get("/receipt/gad/01-build.md/99").starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(Get("/receipt/gad/01-build.md/x").starts_with("HTTP/1.1 400"));
}

TEST_F(RoomTest, EveryPageHasThePolicyAndNoInlineScript) {
  for (const char* path :
       {"/", "/page/gad/01-build.md", "/page/nothing.md", "/receipt/gad/01-build.md/1", "/search",
        "/search?q=cache", "/search?q=(&mode=regex", "/ask", "/ask?question=how+large+is+the+cache",
        "/source", "/source/manual/", "/source/manual/build.md?from=3&to=4", "/source/x/y", "/runs",
        "/check", "/labs", "/labs/x", "/labs?before=a&after=b", "/static/x"}) {
    SCOPED_TRACE(path);
    const std::string page = Get(path);
    EXPECT_TRUE(Value(page, "Content-Security-Policy")
                    .starts_with("default-src 'none'; script-src 'self';"));
    EXPECT_EQ(Value(page, "X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(Value(page, "Referrer-Policy"), "same-origin");
    EXPECT_FALSE(Contains(Head(page), "Set-Cookie"));
    EXPECT_TRUE(Contains(page, "<main")) << page;
    for (const char* inlined : {" style=", "<style", " onclick=", "<script>", "src=\"http"}) {
      EXPECT_FALSE(Contains(page, inlined)) << inlined;
    }
  }
}

TEST_F(RoomTest, NoGetWritesAFile) {
  const auto state = [this] {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(oracle())) {
      if (entry.is_regular_file()) files[entry.path().string()] = *ReadFile(entry.path());
    }
    return files;
  };
  const auto before = state();
  for (const char* path :
       {"/", "/page/gad/01-build.md", "/receipt/gad/01-build.md/1", "/search?q=cache",
        "/ask?question=cache", "/source/manual/build.md", "/runs", "/labs", "/check"}) {
    Get(path);
    EXPECT_EQ(before, state()) << path;
  }
}

TEST_F(RoomTest, AnAnswerIsKeptByItsContent) {
  const std::string first = Get("/page/gad/01-build.md");
  const std::string tag = Value(first, "ETag");
  ASSERT_FALSE(tag.empty()) << first;
  const std::string again = Get("/page/gad/01-build.md", "If-None-Match: " + tag + "\r\n");
  EXPECT_TRUE(again.starts_with("HTTP/1.1 304")) << again;
  EXPECT_TRUE(again.ends_with("\r\n\r\n"));
  const std::string old = *ReadFile(oracle() / "gad/01-build.md");
  Write("gad/01-build.md", "New text.\n\n" + old);
  std::this_thread::sleep_for(RoomCache::kFresh + std::chrono::milliseconds(50));
  const std::string changed = Get("/page/gad/01-build.md", "If-None-Match: " + tag + "\r\n");
  EXPECT_TRUE(changed.starts_with("HTTP/1.1 200")) << changed;
  EXPECT_TRUE(Contains(changed, "New text."));
}

TEST_F(RoomTest, AnAnswerIsCompressedForWhoAcceptsIt) {
  const std::string plain = Get("/static/room.css");
  const std::string packed = Get("/static/room.css", "Accept-Encoding: br, gzip\r\n");
  EXPECT_EQ(Value(packed, "Content-Encoding"), "gzip");
  EXPECT_EQ(Value(plain, "Content-Encoding"), "");
  const Result<std::string> unpacked =
      evidence::GunzipMembers(packed.substr(packed.find("\r\n\r\n") + 4), 1 << 20);
  ASSERT_TRUE(unpacked.ok());
  EXPECT_EQ(*unpacked, plain.substr(plain.find("\r\n\r\n") + 4));
  EXPECT_EQ(Value(Get("/static/room.css", "Accept-Encoding: gzip;q=0\r\n"), "Content-Encoding"),
            "");
}

// Issue 22: a site has a script more, which was not counted.
TEST_F(RoomTest, StylesheetAndScriptsStaySmall) {
  const std::vector<std::string_view> served = {FindRoomAsset("room.css").bytes,
                                                FindRoomAsset("room.js").bytes};
  std::vector<std::string_view> of_site = served;
  of_site.push_back(SiteSearchScript());
  for (const auto& files : {served, of_site}) {
    std::size_t bytes = 0;
    std::size_t compressed = 0;
    for (const std::string_view file : files) {
      bytes += file.size();
      compressed += evidence::GzipMember(std::string(file)).size();
    }
    EXPECT_LT(bytes, 40'000U) << files.size() << " files";
    EXPECT_LT(compressed, 15'000U) << files.size() << " files";
  }
}

TEST_F(RoomTest, APastedTextIsUnderlined) {
  const std::string page =
      Ask("POST /check HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n",
          "kind=markdown&text=Set+%60GADGET_ARCH_LISTS%60+first.+%3Cscript%3E%0A");
  EXPECT_TRUE(page.starts_with("HTTP/1.1 200")) << page;
  EXPECT_TRUE(Contains(page, "id=\"checked\"")) << page;
  EXPECT_TRUE(Contains(page, "GADGET_ARCH_LISTS")) << page;
  EXPECT_FALSE(Contains(page, "<script>")) << page;
}

TEST_F(RoomTest, APastedTextKeepsItsLines) {
  const std::string page =
      Ask("POST /check HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n",
          "kind=markdown&text=One.%0D%0ATwo.%0D%0A");
  EXPECT_TRUE(Contains(page, "One.\nTwo.\n")) << page;
  const std::string long_text = "kind=markdown&text=" + std::string(2'000'000, 'a');
  EXPECT_FALSE(
      Ask("POST /check HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n", long_text)
          .starts_with("HTTP/1.1 200"));
}

TEST_F(RoomTest, APastedDockerfileIsInspected) {
  const std::string page =
      Ask("POST /check HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n",
          "kind=artifact&text=FROM+debian%3A12%0ARUN+apt-get+update%0A");
  EXPECT_TRUE(page.starts_with("HTTP/1.1 200")) << page;
  EXPECT_TRUE(Contains(page, "dockerfile")) << page;
}

TEST_F(RoomTest, WhatIsNoFormOfThePageIsRefused) {
  const std::string form =
      "POST /check HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n";
  EXPECT_TRUE(Ask(form, "kind=evil&text=x").starts_with("HTTP/1.1 400"));
  EXPECT_TRUE(Ask("POST /check?kind=artifact HTTP/1.1\r\nContent-Type: application/json\r\n", "{}")
                  .starts_with("HTTP/1.1 400"));
  const std::string empty = Ask(form, "kind=markdown&text=+%0A");
  EXPECT_TRUE(Contains(empty, "Nothing to check")) << empty;
  EXPECT_FALSE(Contains(empty, "hold ✓")) << empty;
}

TEST_F(RoomTest, TheBoardIsSentAsEvents) {
  const int socket = server_->Connect();
  TestServer::Say(socket, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const std::string begun = TestServer::HearUntil(socket, "event: board\ndata: ");
  ::close(socket);
  EXPECT_TRUE(Contains(begun, "text/event-stream")) << begun;
  EXPECT_TRUE(Contains(begun, "event: board\ndata: ")) << begun;
}

TEST_F(RoomTest, RunsAreChangedOnlyWithTheToken) {
  EXPECT_TRUE(Ask("POST /runs/stop HTTP/1.1\r\n").starts_with("HTTP/1.1 401"));
  EXPECT_TRUE(Ask("POST /runs/start HTTP/1.1\r\n", "{}").starts_with("HTTP/1.1 401"));
  EXPECT_TRUE(Get("/runs/stop").starts_with("HTTP/1.1 405"));
  const std::string token = "Authorization: Bearer 0123456789abcdef\r\n";
  EXPECT_TRUE(Ask("POST /runs/stop HTTP/1.1\r\n" + token).starts_with("HTTP/1.1 400"));
  EXPECT_TRUE(Ask("POST /runs/stop HTTP/1.1\r\n" + token, "{\"plan\":\"p.md\"}")
                  .starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(Ask("POST /runs/start HTTP/1.1\r\n" + token, "{\"plan\":\"p.md\"}")
                  .starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(Ask("POST / HTTP/1.1\r\n").starts_with("HTTP/1.1 405"));
}

TEST_F(RoomTest, OtherSitesCannotReadIt) {
  EXPECT_TRUE(Get("/", "Sec-Fetch-Site: cross-site\r\n").starts_with("HTTP/1.1 403"));
  EXPECT_TRUE(Get("/", "Origin: http://evil.example\r\n").starts_with("HTTP/1.1 403"));
}

TEST_F(RoomTest, NothingOutsideOfTheOracleIsShown) {
  for (const char* path : {"/page/sibyl.toml", "/page/.env", "/page/a/.secret.md",
                           "/page/%2e%2e/%2e%2e/etc/passwd", "/page//etc/passwd", "/page/..%2fx.md",
                           "/source/manual/../../x", "/source/%2fetc/passwd"}) {
    EXPECT_FALSE(Get(path).starts_with("HTTP/1.1 200")) << path;
  }
}

TEST(RoomWithoutAnOracle, SaysSoInsteadOfWaitingForChecks) {
  const TemporaryFolder folder;
  const oracle::Context context{
      .working_folder = folder.path(), .clock = kTestClock, .store = folder.path() / "store"};
  const McpServer mcp(*ServedContext(context, {}), *OfferTools({}));
  Routes routes(mcp, TestGuard());
  TestServer server(routes, HttpServerOptions{});
  const std::string home =
      server.Ask("GET / HTTP/1.1\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Site: none\r\n", "");
  EXPECT_TRUE(home.starts_with("HTTP/1.1 400")) << home;
  EXPECT_TRUE(Contains(home, "sibyl init")) << home;
  EXPECT_FALSE(Contains(home, "data-unchecked")) << home;
}

TEST(RoomPaths, AreFoundByTheirBeginning) {
  EXPECT_EQ(FindRoomPath("/page/a.md")->path, "/page/");
  EXPECT_EQ(FindRoomPath("/source")->path, "/source");
  EXPECT_EQ(FindRoomPath("/source/a/b")->path, "/source/");
  EXPECT_EQ(FindRoomPath("/pages"), nullptr);
  EXPECT_EQ(FindRoomPath(""), nullptr);
}

TEST_F(RoomTest, ReceiptsComeFromOneCheckOfThePage) {
  const std::string around = Get("/receipt/gad/01-build.md/1?context=10&part=1");
  EXPECT_TRUE(Contains(around, "<span class=\"ln\"><span class=\"no\">1</span>")) << around;
  EXPECT_TRUE(Contains(around, "<span class=\"ln\"><span class=\"no\">5</span>")) << around;
  EXPECT_FALSE(Contains(around, "<span class=\"no\">6</span>")) << around;
  EXPECT_TRUE(Contains(around, "at the pin</dt><dd>still holds")) << around;
  EXPECT_TRUE(Contains(around, "newest commit</dt>")) << around;
}

TEST_F(RoomTest, ASourceIsLinkedByItsBytes) {
  const std::string receipt = Get("/receipt/gad/01-build.md/1?part=1");
  const std::string link = "href=\"/source/manual/build.md?at=";
  const std::size_t at = receipt.find(link);
  ASSERT_NE(at, std::string::npos) << receipt;
  const std::string blob = receipt.substr(at + link.size(), 40);
  EXPECT_TRUE(Contains(Get("/source/manual/build.md?at=" + blob), "GADGET_ARCH_LIST"));
  Write("manual/build.md", "# Building\n\nSet nothing.\n");
  Run("source sync", {});
  std::this_thread::sleep_for(RoomCache::kFresh + std::chrono::milliseconds(50));
  const std::string old = Get("/source/manual/build.md?at=" + blob);
  EXPECT_TRUE(Contains(old, "GADGET_ARCH_LIST")) << old;
  EXPECT_TRUE(Contains(old, "this is the one that was cited")) << old;
  const std::string none = Get("/source/manual/build.md?at=" + std::string(40, '0'));
  EXPECT_TRUE(Contains(none, "not on this machine")) << none;
  EXPECT_TRUE(Contains(none, "Set nothing.")) << none;
}

TEST_F(RoomTest, ARunThatIsNotThereSaysSo) {
  EXPECT_TRUE(Get("/run/x").starts_with("HTTP/1.1 404"));
  const std::string none = Get("/run/7");
  EXPECT_TRUE(none.starts_with("HTTP/1.1 404")) << none;
  EXPECT_TRUE(Contains(none, "the journal has no run 7.")) << none;
}

// Issue 22: a browser showed JSON.
TEST_F(RoomTest, AnErrorIsAPageForAPersonAndJsonForAProgram) {
  const std::string person = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
  for (const char* path : {"/nothing", "/api/none", "/page/none.md", "/run/99999", "/labs/0123"}) {
    const std::string page = Get(path, person);
    EXPECT_TRUE(page.starts_with("HTTP/1.1 404")) << page;
    EXPECT_EQ(Value(page, "Content-Type"), "text/html; charset=utf-8") << path;
    EXPECT_TRUE(Value(page, "Content-Security-Policy").starts_with("default-src 'none'")) << path;
    EXPECT_TRUE(Contains(page, "<h1>Not found</h1>")) << page;
    EXPECT_TRUE(Contains(page, "<a href=\"/\">All pages</a>")) << page;
  }
  EXPECT_EQ(Value(Get("/nothing"), "Content-Type"), "application/json");
  EXPECT_EQ(Value(Get("/api/none", "Accept: */*\r\n"), "Content-Type"), "application/json");
  const std::string method = Ask("POST / HTTP/1.1\r\n" + person);
  EXPECT_TRUE(method.starts_with("HTTP/1.1 405")) << method;
  EXPECT_EQ(Value(method, "Allow"), "GET, HEAD");
  EXPECT_TRUE(Contains(method, "<h1>That did not work</h1>")) << method;
  const std::string foreign = Get("/", person + "Sec-Fetch-Site: cross-site\r\n");
  EXPECT_TRUE(foreign.starts_with("HTTP/1.1 403")) << foreign;
  EXPECT_TRUE(Contains(foreign, "<title>That did not work · sibyl</title>")) << foreign;
  // What the script inserts is not a whole page.
  const std::string part = Get("/receipt/gad/01-build.md/99?part=1", person);
  EXPECT_TRUE(part.starts_with("HTTP/1.1 404")) << part;
  EXPECT_FALSE(Contains(part, "<!doctype")) << part;
}

TEST_F(RoomTest, WhatTheServerRefusesByItselfIsAPageToo) {
  HttpRequest head{.method = "GET", .path = "/", .headers = {{"accept", "text/html,*/*"}}};
  const HttpResponse page = routes_->Refusal(head, 503, "all workers are busy; try again");
  EXPECT_EQ(page.status, 503);
  EXPECT_TRUE(Contains(page.body, "<p>All workers are busy; try again.</p>")) << page.body;
  EXPECT_TRUE(std::any_of(page.headers.begin(), page.headers.end(),
                          [](const HttpHeader& header) { return header.name == "Retry-After"; }));
  head.headers.clear();
  EXPECT_EQ(routes_->Refusal(head, 503, "busy").body, "busy\n");
}

// Issue 22: the first byte after a start came after up to 89 ms.
TEST_F(RoomTest, TextsAreReadyBeforeTheyAreChecked) {
  routes_->Begin();
  const auto is_ready = [this](const char* path) {
    const HttpRequest head{
        .method = "GET",
        .path = path,
        .headers = {
            {"host", "localhost"}, {"sec-fetch-mode", "navigate"}, {"sec-fetch-site", "none"}}};
    return routes_->Judge(head).is_quick;
  };
  EXPECT_TRUE(is_ready("/"));
  EXPECT_TRUE(is_ready("/static/room.css"));
  bool is_page_ready = is_ready("/page/gad/01-build.md");
  for (int i = 0; i < 200 && !is_page_ready; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    Get("/static/room.css");  // looks at the files
    is_page_ready = is_ready("/page/gad/01-build.md");
  }
  EXPECT_TRUE(is_page_ready);
}

TEST_F(RoomTest, TheFirstPageHasTheTitleOfTheOracle) {
  Write("SKILL.md", "---\nname: gad\ndescription: All about gadgets.\n---\n\n# Gadgets & co\n");
  const std::string home = Get("/");
  EXPECT_TRUE(Contains(home, "<h1>Gadgets &amp; co</h1>")) << home;
  EXPECT_TRUE(Contains(home, "<title>Gadgets &amp; co · ")) << home;
  EXPECT_TRUE(Contains(home, "All about gadgets.")) << home;
}

TEST_F(RoomTest, ARegularExpressionFindsLinesOfThePagesFirst) {
  const std::string found = Get("/search?q=GADGET_[A-Z]%2B_LIST&mode=regex&part=1");
  const std::size_t page = found.find("href=\"/page/gad/01-build.md");
  const std::size_t source = found.find("/source/manual/build.md");
  ASSERT_NE(page, std::string::npos) << found;
  ASSERT_NE(source, std::string::npos) << found;
  EXPECT_LT(page, source);
  EXPECT_FALSE(Contains(Get("/search?q=GADGET_&mode=regex&source=manual&part=1"), "/page/gad"));
}

TEST_F(RoomTest, HostileQueriesAreText) {
  for (const char* path :
       {"/search?q=%3Cscript%3Ealert(1)%3C/script%3E", "/ask?question=%22%3E%3Cimg+src=x%3E",
        "/search?q=a&language=%22onfocus=%22x", "/source/%3Cb%3E/x?at=%22%3E%3Cb%3E"}) {
    const std::string page = Get(path);
    EXPECT_FALSE(Contains(page, "<script>")) << page;
    EXPECT_FALSE(Contains(page, "<img")) << page;
    EXPECT_FALSE(Contains(page, "\"onfocus=\"")) << page;
    EXPECT_FALSE(Contains(page, "<b>")) << page;
  }
}

TEST_F(RoomTest, ABrowserGetsAPageBeforeItIsChecked) {
  const std::string navigates = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Site: none\r\n";
  const std::string page = Get("/page/gad/01-build.md", navigates);
  EXPECT_TRUE(page.starts_with("HTTP/1.1 200")) << page;
  EXPECT_TRUE(Contains(page, "<title>Building")) << page;
  EXPECT_EQ(Contains(page, "data-unchecked"), Value(page, "Cache-Control") == "no-store") << page;
  EXPECT_TRUE(Contains(page, "data-unchecked") || Contains(page, "id=\"m1\"")) << page;
  EXPECT_FALSE(Contains(page, "<script>")) << page;
  const std::string home = Get("/", navigates);
  EXPECT_TRUE(Contains(home, "href=\"/page/gad/01-build.md\"")) << home;
  // Its script waits for the checked one, which is then kept for all.
  EXPECT_TRUE(Contains(Get("/page/gad/01-build.md", "Sec-Fetch-Mode: cors\r\n"), "id=\"m1\""));
  EXPECT_TRUE(Contains(Get("/page/gad/01-build.md", navigates), "id=\"m1\""));
  EXPECT_FALSE(Contains(Get("/page/gad/01-build.md", navigates), "data-unchecked"));
  EXPECT_TRUE(Get("/page/gad/none.md", navigates).starts_with("HTTP/1.1 404"));
  EXPECT_FALSE(Get("/page/.env", navigates).starts_with("HTTP/1.1 200"));
}

TEST_F(RoomTest, SearchShowsThePagesFirst) {
  const std::string found = Get("/search?q=GADGET_ARCH_LIST&part=1");
  const std::size_t page = found.find("href=\"/page/gad/01-build.md");
  const std::size_t source = found.find("/source/manual/build.md");
  ASSERT_NE(page, std::string::npos) << found;
  ASSERT_NE(source, std::string::npos) << found;
  EXPECT_LT(page, source);
  EXPECT_TRUE(Contains(found, "<mark>GADGET_ARCH_LIST</mark>")) << found;
  EXPECT_TRUE(Contains(found, "gad › Building")) << found;
}

}  // namespace
}  // namespace sibyl::interface
