// SPDX-License-Identifier: Apache-2.0
// search --web, plan sources and expand --web against servers on loopback: a
// search provider, pages, and git over http.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <stop_token>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/expand_operations.h"
#include "engine/outcome.h"
#include "engine/plan/plan_operations.h"
#include "engine/test_git_http.h"
#include "engine/test_operations.h"
#include "engine/verify_operations.h"
#include "net/test_server.h"
#include "oracle/context.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;
using net::TestAnswer;
using net::TestPage;
using net::TestServer;

constexpr std::string_view kWebPlan = R"(# Knowledge expansion: Gadget

**Topic**: How Gadget is built

## PART 1: How Gadget finds its profiler

- [ ] PART 1: Create gadget/01-profiler.md (~90 lines)

**Step 1: Research**
- [ ] Search: "gadget profiler detection order"

**Step 3: Write**
- [ ] Section 1: Detection (~50 lines)
      - Detection order of the profiler
)";

std::string Article(std::string_view title, std::string_view text) {
  std::string html = "<html><head><title>" + std::string(title) +
                     "</title></head><body><nav>Home Docs</nav><main><h1>" + std::string(title) +
                     "</h1><p>" + std::string(text) + "</p>";
  for (int i = 0; i < 4; ++i) {
    html += "<p>Paragraph " + std::to_string(i) +
            " says something about gadgets, their parts, how they are put together, and what a "
            "person who builds one should look at before anything else is done.</p>";
  }
  return html + "</main></body></html>";
}

std::string Path(const std::string& request) {
  const std::size_t start = request.find(' ') + 1;
  return request.substr(start, request.find(' ', start) - start);
}

class WebOperations : public OperationTest {
 protected:
  WebOperations() : server_([this](const std::string& request) { return Serve(request); }) {
    ::setenv("SIBYL_WEB_ALLOW", server_.host().c_str(), 1);
    MakeOracle();
    Configure("provider = \"searxng\"\nurl = \"" + server_.url("/") + "\"\n");
    Write("gadget.md", kWebPlan);
  }

  void Configure(const std::string& lines) const {
    const Result<std::string> text = ReadFile(*oracle_ / "sibyl.toml");
    const std::string before = text->substr(0, text->find("\n[web]"));
    EXPECT_TRUE(WriteFileAtomically(*oracle_ / "sibyl.toml",
                                    before + "\n[web]\ninterval_ms = 0\nallow = [\"" +
                                        server_.host() + "\"]\n" + lines)
                    .ok());
  }

  TestAnswer Serve(const std::string& request) {
    const std::string path = Path(request);
    if (path.starts_with("/git/")) {
      std::string inner = request;
      inner.replace(inner.find("/git/"), 4, "");
      return ServeGit(folder_.path() / "served", inner);
    }
    if (++requests_ == interrupted_at_) interrupt_.request_stop();
    if (path == "/robots.txt") return TestPage("200 OK", "", "User-agent: *\nDisallow: /secret\n");
    if (path.starts_with("/search?")) return TestPage("200 OK", "", Results());
    if (path == "/profiler.html") {
      return TestPage("200 OK", "Content-Type: text/html\r\n",
                      Article("Profiler",
                              "The detection order of the profiler is fixed: the "
                              "toolkit is asked before the system."));
    }
    if (path == "/cut.html") {  // no length, and the connection ends in the middle
      const std::string page = Article("Cut", "The words of this page end before it does.");
      return {.bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" +
                       page.substr(0, page.size() * 9 / 10)};
    }
    return TestPage("404 Not Found", "Content-Type: text/html\r\n", "<h1>Not Found</h1>");
  }

  std::string Results() const {
    return R"({"results":[{"url":")" + server_.url("/profiler.html") +
           R"(","title":"Profiler","content":"order"},{"url":")" + server_.url("/secret/x.html") +
           R"(","title":"Secret"},{"url":")" + server_.url("/gone.html") +
           R"(","title":"Gone"},{"url":"https://github.com/NVIDIA/gadget","title":"Repo"}]})";
  }

  void Amend(oracle::Context& context) override {
    if (interrupt_.stop_possible()) {
      context.catch_interrupt = [this] { return interrupt_.get_token(); };
    }
  }

  std::atomic<int> requests_ = 0;  // but those for git
  std::atomic<int> interrupted_at_ = -1;
  std::stop_source interrupt_{std::nostopstate};
  TestServer server_;
};

TEST_F(WebOperations, SearchListsWhatProvidersKnowWithWhoSpeaks) {
  const auto outcome = Run(kSearch, {{"query", "gadget profiler"}, {"web", ""}});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  ASSERT_EQ(outcome->data["web"].size(), 4U);
  EXPECT_EQ(outcome->data["web"][0]["url"], "https://github.com/NVIDIA/gadget");
  EXPECT_EQ(outcome->data["web"][0]["authority"], "official");
  EXPECT_EQ(outcome->data["web"][0]["maker"], "nvidia");
  EXPECT_EQ(outcome->data["web"][1]["title"], "Profiler");
  EXPECT_EQ(outcome->data["spent"]["requests"], 1);
}

TEST_F(WebOperations, SearchFetchesAndPinsWhatIsGood) {
  const auto outcome = Run(kSearch, {{"query", "gadget profiler"}, {"web", ""}, {"fetch", ""}});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  std::map<std::string, std::string> fates;
  for (const Json& page : outcome->data["pages"]) {
    fates[page["url"].get<std::string>()] = page["fate"].get<std::string>();
  }
  EXPECT_EQ(fates[server_.url("/profiler.html")], "new");
  EXPECT_EQ(fates[server_.url("/secret/x.html")], "refused");
  EXPECT_EQ(fates[server_.url("/gone.html")], "refused");
  const auto found = Run(kSearch, {{"query", "detection order of the profiler"}});
  ASSERT_TRUE(found.ok()) << found.error().message;
  ASSERT_FALSE(found->data["hits"].empty());
  EXPECT_EQ(found->data["hits"][0]["source"], "web");
}

TEST_F(WebOperations, SearchSaysWhatIsMissing) {
  Configure("provider = \"brave\"\n");
  const auto no_key = Run(kSearch, {{"query", "x"}, {"web", ""}});
  ASSERT_FALSE(no_key.ok()) << "the environment of a test has no key";
  EXPECT_NE(no_key.error().message.find("BRAVE_API_KEY"), std::string::npos);
  EXPECT_FALSE(Run(kSearch, {{"regex", "x"}, {"web", ""}}).ok());
  Configure("provider = \"searxng\"\nurl = \"" + server_.url("/") + "\"\n");
  const auto spent = Run(kSearch, {{"query", "x"}, {"web", ""}, {"max-requests", "0"}});
  ASSERT_FALSE(spent.ok());
  EXPECT_NE(spent.error().message.find("budget is used up"), std::string::npos);
  EXPECT_EQ(requests_, 0);
}

TEST_F(WebOperations, ExpandUsesTheWebOnlyWhenItIsAllowed) {
  Write("notes/a.md", "# Notes\n\nNothing of interest.\n");
  ASSERT_TRUE(Run(kSourceAdd, {{"origin", "notes"}}).ok());
  const auto closed = Run(kExpand, {{"plan", "gadget.md"}, {"dry-run", ""}});
  ASSERT_TRUE(closed.ok()) << closed.error().message;
  EXPECT_FALSE(closed->data.contains("web"));
  const auto preview = Run(kExpand, {{"plan", "gadget.md"}, {"dry-run", ""}, {"web", ""}});
  ASSERT_TRUE(preview.ok());
  EXPECT_EQ(preview->data["web"]["queries"], 1);
  network_ = Network::kForbidden;
  EXPECT_FALSE(Run(kExpand, {{"plan", "gadget.md"}, {"web", ""}}).ok());
  Configure("expand = true\nprovider = \"searxng\"\nurl = \"" + server_.url("/") + "\"\n");
  const auto offline = Run(kExpand, {{"plan", "gadget.md"}});
  EXPECT_FALSE(offline.ok() && offline->data.contains("web"));
  EXPECT_EQ(requests_, 0) << "nobody was asked until now";
}

TEST_F(WebOperations, ExpandSaysWhatItWouldSearchWhenNothingIsPinned) {
  EXPECT_FALSE(Run(kExpand, {{"plan", "gadget.md"}, {"dry-run", ""}}).ok());
  const auto preview = Run(kExpand, {{"plan", "gadget.md"}, {"dry-run", ""}, {"web", ""}});
  ASSERT_TRUE(preview.ok()) << preview.error().message;
  EXPECT_EQ(preview->data["sources"], Json::array());
  EXPECT_EQ(preview->data["web"]["queries"], 1);
  EXPECT_EQ(preview->data["web"]["most_pages"], 8);
  EXPECT_EQ(preview->data["web"]["asks"][0]["query"], "gadget profiler detection order");
  EXPECT_EQ(preview->data["parts"][0]["state"], "runs");
  EXPECT_EQ(requests_, 0);
}

TEST_F(WebOperations, ExpandThatIsInterruptedOnTheWebGoesOn) {
  for (int at = 1; at <= 4; ++at) {  // the search, robots.txt, pages
    interrupt_ = std::stop_source();
    interrupted_at_ = requests_ + 1;
    const auto stopped = Run(kExpand, {{"plan", "gadget.md"}, {"web", ""}});
    if (stopped.ok()) break;
    EXPECT_EQ(stopped.error().kind, ErrorKind::kCancelled) << stopped.error().message;
    EXPECT_NE(stopped.error().message.find("interrupted"), std::string::npos);
    EXPECT_NE(stopped.error().hint.find("run it again to resume"), std::string::npos);
    EXPECT_EQ(Read("gadget/01-profiler.md"), "no file gadget/01-profiler.md");
  }
  interrupt_ = std::stop_source(std::nostopstate);
  const auto done = Run(kExpand, {{"plan", "gadget.md"}, {"web", ""}});
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_NE(Read("gadget/01-profiler.md").find("the toolkit is asked"), std::string::npos);
}

TEST_F(WebOperations, APageThatEndsTooEarlyIsRefused) {
  const auto cut = Run(kSourceAdd, {{"origin", server_.url("/cut.html")}});
  ASSERT_FALSE(cut.ok());
  EXPECT_NE(cut.error().message.find("closed the connection"), std::string::npos)
      << cut.error().message;
  EXPECT_EQ(requests_, 3) << "robots.txt and the page twice";
}

// The file may have come with somebody else's oracle.
TEST_F(WebOperations, PrivateHostsOfTheFileNeedThePersonsWordToo) {
  ::unsetenv("SIBYL_WEB_ALLOW");
  const auto search = Run(kSearch, {{"query", "gadget"}, {"web", ""}});
  ASSERT_FALSE(search.ok());
  EXPECT_NE(search.error().hint.find("sibyl trust"), std::string::npos)
      << search.error().message << "; " << search.error().hint;
  ::setenv("SIBYL_WEB_ALLOW", "other.lan", 1);
  EXPECT_FALSE(Run(kSearch, {{"query", "gadget"}, {"web", ""}}).ok());
  EXPECT_EQ(requests_, 0);
  // What a person types is agreed to.
  EXPECT_TRUE(Run(kSourceAdd, {{"origin", server_.url("/profiler.html")}}).ok());
  EXPECT_GT(requests_, 0);
}

TEST_F(WebOperations, ExpandSearchesPinsCitesAndAsksNothingTwice) {
  const auto first = Run(kExpand, {{"plan", "gadget.md"}, {"web", ""}});
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_TRUE(first->holds) << FormatJson(first->data);
  EXPECT_EQ(first->data["totals"]["delivered"], 1);
  const std::string page = Read("gadget/01-profiler.md");
  EXPECT_NE(page.find("the toolkit is asked before the system"), std::string::npos) << page;
  EXPECT_NE(page.find(server_.url("/profiler.html")), std::string::npos) << page;
  EXPECT_NE(Read("sibyl.lock").find("web"), std::string::npos);
  EXPECT_NE(Read("_ingest-auto/completed/expansion-gadget/"
                 "KNOWLEDGE-DROP-profiler-2026-11-15.md")
                .find("- Profiler: " + server_.url("/profiler.html") + " (1 citation)"),
            std::string::npos)
      << "the drop lists what was used";
  bool says_used = false;
  for (const Finding& finding : first->findings) says_used |= finding.code == "web/used";
  EXPECT_TRUE(says_used);
  const auto verified = Run(kVerify, {});
  ASSERT_TRUE(verified.ok());
  EXPECT_TRUE(verified->holds);

  // The whole re-run from snapshots without a single request.
  const int asked = requests_;
  const std::string lock = Read("sibyl.lock");
  const auto again =
      Run(kExpand, {{"plan", "gadget.md"}, {"web", ""}, {"part", "1"}, {"replace", ""}});
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(requests_, asked);
  EXPECT_EQ(Read("sibyl.lock"), lock);
}

TEST_F(WebOperations, PlanSourcesListsAndPinsWhatAPlanNames) {
  const fs::path origin = folder_.path() / "served" / "ada" / "widget.git";
  fs::create_directories(origin);
  GitIn(origin, {"init", "-q", "-b", "main"});
  EXPECT_TRUE(WriteFileAtomically(origin / "widget.md", "# Widget\n\nA widget turns.\n").ok());
  GitIn(origin, {"add", "."});
  GitIn(origin, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one"});
  Write("named.md", std::string(kWebPlan) + "\n- [ ] Scrape " + server_.url("/profiler.html") +
                        "\n- [ ] Scrape " + server_.url("/gone.html") + "\n- [ ] Read " +
                        server_.url("/git/ada/widget.git") + "\n- [ ] Repositories: gizmo\n");
  const auto list = Run(kPlanSources, {{"plan", "named.md"}});
  ASSERT_TRUE(list.ok()) << list.error().message;
  EXPECT_EQ(requests_, 0);
  for (const Json& source : list->data["sources"]) EXPECT_EQ(source["pinned"], false);

  const auto added = Run(kPlanSources, {{"plan", "named.md"}, {"add", ""}});
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_FALSE(added->holds) << "one page is gone";
  std::map<std::string, bool> pinned;
  for (const Json& source : added->data["sources"]) {
    pinned[source["name"].get<std::string>()] = source["pinned"].get<bool>();
  }
  EXPECT_TRUE(pinned[server_.url("/profiler.html")]) << FormatJson(added->data);
  EXPECT_FALSE(pinned[server_.url("/gone.html")]);
  EXPECT_TRUE(pinned[server_.url("/git/ada/widget.git")]) << FormatJson(added->data);
  const auto found = Run(kSearch, {{"query", "widget turns"}});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->data["hits"][0]["source"], "widget");
}

}  // namespace
}  // namespace sibyl::engine
