// SPDX-License-Identifier: Apache-2.0
#include "evidence/pages/pages.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/files/files.h"
#include "base/hash.h"
#include "evidence/evidence.h"
#include "evidence/pages/page_changes.h"
#include "evidence/pages/page_snapshot.h"
#include "evidence/pages/page_visit.h"
#include "evidence/pages/test_web.h"
#include "evidence/test_oracle.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPageWords =
    "A fence orders the stores of a thread before what it does next, for all who look.";

// An oracle and a web that it can reach.
class WebOracle {
 public:
  TestOracle oracle;
  TestWeb web;

  Surroundings around() {
    Surroundings around = oracle.around();
    around.fetch_page = web.Fetcher();
    return around;
  }

  Surroundings Offline() const { return oracle.around(); }

  std::string LockText() const {
    const Result<std::string> text = ReadFile(oracle.oracle() / kLockFile);
    return text.ok() ? *text : "";
  }
};

SourceSpec PageSpec(const std::string& name, std::vector<std::string> urls) {
  SourceSpec spec{.name = name, .kind = SourceKind::kPage, .urls = std::move(urls)};
  spec.origin = PagesOrigin(name, spec.urls);
  return spec;
}

std::string TextAt(const Pin& pin, std::string_view path, const Surroundings& around) {
  const Result<Snapshot> snapshot = OpenSnapshot(pin, around);
  if (!snapshot.ok()) return snapshot.error().message;
  std::string text;
  snapshot->Scan({.threads = 1}, [&](const ScannedFile& file) {
    if (file.path == path) text = file.text;
  });
  return text;
}

TEST(Pages, ArePinnedAsATreeOfTexts) {
  WebOracle web_oracle;
  web_oracle.web.Put("https://docs.example.org/fences.html", TestWeb::Page("Fences", kPageWords),
                     "\"v1\"");
  const Surroundings around = web_oracle.around();
  const Result<SourceChange> added =
      AddSource(PageSpec("fences", {"https://Docs.Example.org/fences.html#top"}), around);
  ASSERT_TRUE(added.ok()) << added.error().message;
  ASSERT_EQ(added->pin.pages.size(), 1u);
  const PageRecord& page = added->pin.pages[0];
  EXPECT_EQ(page.url, "https://docs.example.org/fences.html");
  EXPECT_EQ(page.path, "docs.example.org/fences.md");
  EXPECT_EQ(page.title, "Fences");
  EXPECT_EQ(page.etag, "\"v1\"");
  EXPECT_EQ(page.fetched, "2027-01-15T08:00:00Z");
  const std::string text = TextAt(added->pin, page.path, web_oracle.Offline());
  EXPECT_TRUE(text.starts_with("# Fences\n\nA fence orders")) << text;
  EXPECT_EQ(Sha256(text), page.text_sha256);

  const Result<PageSnapshot> snapshot = LoadPageSnapshot(around.store, page.text_sha256);
  ASSERT_TRUE(snapshot.ok()) << snapshot.error().message;
  EXPECT_EQ(snapshot->body, TestWeb::Page("Fences", kPageWords));
  EXPECT_EQ(snapshot->record.sha256, Sha256(snapshot->body));
  EXPECT_EQ(snapshot->text, text);
  ASSERT_EQ(snapshot->anchors.size(), 2u);
  EXPECT_EQ(snapshot->anchors[0], "1 top");
  for (const auto& [name, value] : snapshot->headers) EXPECT_EQ(value.find("secret"), value.npos);

  const Result<Lock> lock = ReadLock(around);
  ASSERT_TRUE(lock.ok()) << lock.error().message;
  EXPECT_EQ(*lock->Find("fences"), added->pin);
  EXPECT_NE(FindPage(*lock, "https://docs.example.org/fences.html#more"), nullptr);
  const Result<SourceList> list = ListSources(around);
  ASSERT_TRUE(list.ok());
  EXPECT_TRUE(list->sources[0].agrees);
  EXPECT_TRUE(list->sources[0].present);
}

TEST(Pages, ThatRobotsMayNotReadHaveACodeForThat) {
  const TestOracle oracle;
  Surroundings around = oracle.around();
  for (const ErrorCause cause : {ErrorCause::kRobots, ErrorCause::kOther}) {
    around.fetch_page = [cause](const PageRequest&) -> Result<PageResponse> {
      return Error{.kind = ErrorKind::kUsage, .message = "about robots", .cause = cause};
    };
    const Result<VisitedPage> page = VisitPage("https://x.org/robots", nullptr, around);
    ASSERT_TRUE(page.ok());
    EXPECT_EQ(page->outcome.code, cause == ErrorCause::kRobots ? "robots" : "refused");
  }
}

TEST(Pages, ThatSayNothingAreRefusedWithTheReasonAndLeaveNoTrace) {
  WebOracle web_oracle;
  web_oracle.web.Put(
      "https://x.org/login",
      "<title>Sign in</title><form><input type=password></form><p>Please sign in.</p>");
  const Result<SourceChange> added =
      AddSource(PageSpec("x", {"https://x.org/login"}), web_oracle.around());
  ASSERT_FALSE(added.ok());
  EXPECT_NE(added.error().message.find("a login page"), std::string::npos) << added.error().message;
  EXPECT_FALSE(fs::exists(web_oracle.oracle.oracle() / kConfigFile));
  EXPECT_EQ(web_oracle.LockText(), "");
  const Result<SourceChange> gone =
      AddSource(PageSpec("y", {"https://x.org/no"}), web_oracle.around());
  EXPECT_NE(gone.error().message.find("no such page (404)"), std::string::npos);
}

TEST(Pages, AreCollectedIntoOneSourceAndNotFetchedTwice) {
  WebOracle web_oracle;
  for (const char* name : {"a", "b"}) {
    web_oracle.web.Put(std::string("https://x.org/") + name, TestWeb::Page(name, kPageWords));
  }
  web_oracle.web.Fail("https://down.org/", ErrorKind::kUnavailable);
  const Surroundings around = web_oracle.around();
  const Result<PagesChange> first =
      AddPages({"https://x.org/a", "https://down.org", "https://x.org/b", "https://x.org/a#z"},
               {.threads = 3}, around);
  ASSERT_TRUE(first.ok()) << first.error().message;
  ASSERT_EQ(first->pages.size(), 3u);
  EXPECT_EQ(first->pages[0].fate, PageFate::kNew);
  EXPECT_EQ(first->pages[1].fate, PageFate::kRefused);
  EXPECT_EQ(first->pages[1].code, "unreachable");
  EXPECT_EQ(first->pages[2].fate, PageFate::kNew);
  EXPECT_EQ(first->pin.pages.size(), 2u);
  EXPECT_EQ(web_oracle.web.asked().size(), 3u);
  const std::string lock = web_oracle.LockText();

  const Result<PagesChange> again =
      AddPages({"https://x.org/b", "https://x.org/a/"}, {}, web_oracle.Offline());
  ASSERT_TRUE(again.ok()) << "offline, from snapshots: " << again.error().message;
  EXPECT_EQ(again->pages[0].fate, PageFate::kUnchanged);
  EXPECT_EQ(again->pages[1].record->path, "x.org/a.md");
  EXPECT_EQ(web_oracle.LockText(), lock);
  EXPECT_FALSE(AddPages({"https://x.org/c"}, {}, web_oracle.Offline()).ok());

  web_oracle.web.Put("https://x.org/c", TestWeb::Page("c", kPageWords));
  const Result<PagesChange> more = AddPages({"https://x.org/c"}, {}, around);
  ASSERT_TRUE(more.ok());
  EXPECT_EQ(more->pin.pages.size(), 3u);
  EXPECT_TRUE(TextAt(more->pin, "x.org/a.md", around).starts_with("# a\n"));
}

TEST(Pages, OfTwoAddressesThatLeadToOnePageAreOne) {
  WebOracle web_oracle;
  PageResponse response{.status = 200, .url = "https://x.org/new"};
  response.headers = {{"content-type", "text/html"}};
  response.body = TestWeb::Page("New", kPageWords);
  web_oracle.web.Set("https://x.org/old", response);
  web_oracle.web.Set("https://x.org/older", response);
  const Result<PagesChange> added =
      AddPages({"https://x.org/old", "https://x.org/older"}, {.threads = 1}, web_oracle.around());
  ASSERT_TRUE(added.ok());
  EXPECT_EQ(added->pin.pages.size(), 1u);
  EXPECT_EQ(added->pages[1].record->url, "https://x.org/old");
  EXPECT_EQ(added->pin.pages[0].final_url, "https://x.org/new");
}

TEST(Pages, AreAddedBySeveralThreadsAtOnce) {
  WebOracle web_oracle;
  for (int i = 0; i < 12; ++i) {
    web_oracle.web.Put("https://x.org/" + std::to_string(i),
                       TestWeb::Page(std::to_string(i), kPageWords));
  }
  const Surroundings around = web_oracle.around();
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&around, t] {
        std::vector<std::string> urls;
        for (int i = 0; i < 6; ++i)
          urls.push_back("https://x.org/" + std::to_string((t * 3 + i) % 12));
        const Result<PagesChange> added = AddPages(urls, {.threads = 2}, around);
        EXPECT_TRUE(added.ok()) << added.error().message;
      });
    }
  }
  const Result<Lock> lock = ReadLock(around);
  ASSERT_TRUE(lock.ok());
  EXPECT_EQ(lock->Find("web")->pages.size(), 12u);
  EXPECT_TRUE(OpenSnapshot(*lock->Find("web"), around).ok());
}

TEST(Pages, ThatDidNotChangeLeaveTheLockAsItIs) {
  WebOracle web_oracle;
  const std::string url = "https://x.org/a";
  web_oracle.web.Put(url, TestWeb::Page("A", kPageWords), "\"1\"");
  ASSERT_TRUE(AddSource(PageSpec("a", {url}), web_oracle.around()).ok());
  const std::string lock = web_oracle.LockText();
  const Result<SourceChange> same = SyncSource("a", web_oracle.around());
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same->pages[0].fate, PageFate::kUnchanged);
  EXPECT_FALSE(same->Moved());
  EXPECT_EQ(web_oracle.LockText(), lock);
  // Other bytes around the same words.
  web_oracle.web.Put(url, TestWeb::Page("A", kPageWords) + "<script>var served = 2;</script>",
                     "\"2\"");
  EXPECT_EQ(SyncSource("a", web_oracle.around())->pages[0].fate, PageFate::kUnchanged);
  EXPECT_EQ(web_oracle.LockText(), lock);
}

TEST(Pages, ThatChangedSayWhereAndKeepTheirOldSnapshot) {
  WebOracle web_oracle;
  const std::string url = "https://x.org/a";
  web_oracle.web.Put(url, TestWeb::Page("A", kPageWords), "\"1\"");
  const Result<SourceChange> added = AddSource(PageSpec("a", {url}), web_oracle.around());
  ASSERT_TRUE(added.ok());
  web_oracle.web.Put(
      url, TestWeb::Page("A", "Other words, but again quite a few of them in a row."), "\"2\"");
  const Result<SourceChange> moved = SyncSource("a", web_oracle.around());
  ASSERT_TRUE(moved.ok()) << moved.error().message;
  EXPECT_EQ(moved->pages[0].fate, PageFate::kChanged);
  EXPECT_EQ(moved->pages[0].changes, (std::vector<std::string>{"~ A"}));
  EXPECT_TRUE(moved->Moved());
  EXPECT_EQ(moved->changes->examples, (std::vector<std::string>{"~ x.org/a.md"}));
  EXPECT_TRUE(LoadPageSnapshot(web_oracle.around().store, added->pin.pages[0].text_sha256).ok());
}

TEST(Pages, ThatVanishedKeepTheirSnapshotWithAWord) {
  WebOracle web_oracle;
  web_oracle.web.Put("https://x.org/a", TestWeb::Page("A", kPageWords));
  web_oracle.web.Put("https://x.org/b", TestWeb::Page("B", kPageWords));
  ASSERT_TRUE(
      AddSource(PageSpec("two", {"https://x.org/a", "https://x.org/b"}), web_oracle.around()).ok());
  const std::string lock = web_oracle.LockText();
  web_oracle.web.Set("https://x.org/a", {.status = 410, .url = "https://x.org/a"});
  web_oracle.web.Fail("https://x.org/b", ErrorKind::kNotFound);
  const Result<SourceChange> change = SyncSource("two", web_oracle.around());
  ASSERT_TRUE(change.ok()) << change.error().message;
  EXPECT_EQ(change->pages[0].fate, PageFate::kKept);
  EXPECT_EQ(change->pages[0].code, "not-found");
  EXPECT_EQ(change->pages[1].code, "no-host");
  ASSERT_EQ(change->findings.size(), 2u);
  EXPECT_EQ(change->findings[0].code, "page/kept");
  EXPECT_EQ(web_oracle.LockText(), lock);
}

TEST(Pages, AreRestoredFromSnapshotsOrFromTheWebIfItStillSaysTheSame) {
  WebOracle web_oracle;
  const std::string url = "https://x.org/a";
  web_oracle.web.Put(url, TestWeb::Page("A", kPageWords));
  const Result<SourceChange> added = AddSource(PageSpec("a", {url}), web_oracle.around());
  ASSERT_TRUE(added.ok());
  const fs::path store = web_oracle.around().store.folder();
  fs::remove_all(store / "sources");
  EXPECT_TRUE(RestoreSource(added->pin, web_oracle.Offline()).ok());
  EXPECT_TRUE(OpenSnapshot(added->pin, web_oracle.Offline()).ok());

  fs::remove_all(store);
  EXPECT_FALSE(RestoreSource(added->pin, web_oracle.Offline()).ok());
  EXPECT_TRUE(RestoreSource(added->pin, web_oracle.around()).ok());
  fs::remove_all(store);
  web_oracle.web.Put(
      url, TestWeb::Page("A", "Quite other words than those that stood here before now."));
  const Status lost = RestoreSource(added->pin, web_oracle.around());
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.error().kind, ErrorKind::kNotFound);
  EXPECT_NE(lost.error().hint.find("source import"), std::string::npos);
}

TEST(Pages, GetPathsThatAFolderCouldHold) {
  std::set<std::string> taken;
  EXPECT_EQ(PagePath("https://x.org/", ".md", taken), "x.org/index.md");
  EXPECT_EQ(PagePath("https://x.org/a/b.html", ".md", taken), "x.org/a/b.md");
  EXPECT_EQ(PagePath("https://x.org:8080/a/../.git/%2e%2e", ".md", taken),
            "x.org-8080/a/-../-.git/-...md");
  EXPECT_EQ(PagePath("https://x.org/a?b=c", ".md", taken).substr(0, 8), "x.org/a-");
  taken.insert("x.org/a.md");
  EXPECT_NE(PagePath("https://x.org/a", ".md", taken), "x.org/a.md");
  EXPECT_NE(PagePath("https://x.org/a.md/b", ".md", taken), "x.org/a.md/b.md");
  EXPECT_EQ(PageAddress("HTTPS://X.org:443?q#f"), "https://x.org/?q");
  EXPECT_EQ(PageName("https://docs.x.org/guide/fences.html"), "fences");
  EXPECT_EQ(PageName("https://docs.x.org/guide/index.html"), "guide");
  EXPECT_EQ(PageName("https://docs.x.org/"), "docs.x.org");
}

TEST(Pages, SayWhichSectionsChanged) {
  EXPECT_EQ(DescribePageChange("# a\n1\n## b\n2\n## c\n3\n", "# a\n1\n## b\n9\n## d\n3\n"),
            (std::vector<std::string>{"~ b", "+ d", "- c"}));
  EXPECT_TRUE(DescribePageChange("# a\n", "# a\n").empty());
  EXPECT_EQ(DescribePageChange("## a\n1\n## b\n2\n", "## b\n2\n## a\n1\n").size(), 1u);
}

TEST(Pages, OfAFullDiskOrABrokenSnapshotAreNeverHalfPinned) {
  WebOracle web_oracle;
  web_oracle.web.Put("https://x.org/a", TestWeb::Page("A", kPageWords));
  const Surroundings around = web_oracle.around();
  // A file where a folder must be made: as bad as a disk that takes nothing.
  std::ofstream(around.store.folder() / "pages") << "x";
  const Result<PagesChange> failed = AddPages({"https://x.org/a"}, {}, around);
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(web_oracle.LockText(), "");
  fs::remove(around.store.folder() / "pages");
  const Result<PagesChange> added = AddPages({"https://x.org/a"}, {}, around);
  ASSERT_TRUE(added.ok()) << added.error().message;
  const fs::path file = PageSnapshotPath(around.store, added->pin.pages[0].text_sha256);
  const std::string bytes = *ReadFile(file);
  for (std::size_t cut = 0; cut < bytes.size(); cut += 7) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes.substr(0, cut);
    EXPECT_FALSE(LoadPageSnapshot(around.store, added->pin.pages[0].text_sha256).ok()) << cut;
  }
}

// A server that says no length and hangs up: what is shown to be whole is taken.
TEST(PagesWithoutALength, AreTakenWhenTheyAreWhole) {
  const TestOracle oracle;
  Surroundings around = oracle.around();
  const std::string page = TestWeb::Page("Fences", "A fence orders what stands before it.");
  const std::string text = "Plain words about fences, and some more of them, to be long enough.\n";
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> answers = {
      {"http://x.org/closed", {{"text/html", page}}},
      {"http://x.org/once", {{"text/html", page.substr(0, page.size() - 40)}, {"text/html", page}}},
      {"http://x.org/open",
       {{"text/html", page.substr(0, page.size() - 40)},
        {"text/html", page.substr(0, page.size() - 40)}}},
      {"http://x.org/same.txt", {{"text/plain", text}, {"text/plain", text}}},
      {"http://x.org/other.txt", {{"text/plain", text}, {"text/plain", text.substr(0, 40)}}}};
  std::map<std::string, std::size_t> asked;
  around.fetch_page = [&](const PageRequest& request) -> Result<PageResponse> {
    const auto& [type, body] = answers.at(request.url).at(asked[request.url]++);
    return PageResponse{.status = 200,
                        .url = request.url,
                        .headers = {{"Content-Type", type}},
                        .body = body,
                        .may_be_cut = true};
  };
  std::vector<std::string> urls;
  for (const auto& [url, list] : answers) urls.push_back(url);
  const Result<PagesChange> added = AddPages(urls, {.threads = 1}, around);
  ASSERT_TRUE(added.ok()) << added.error().message;
  std::map<std::string, std::string> codes;
  for (const PageOutcome& outcome : added->pages) codes[outcome.url] = outcome.code;
  EXPECT_EQ(codes["http://x.org/closed"], "");
  EXPECT_EQ(codes["http://x.org/once"], "");
  EXPECT_EQ(codes["http://x.org/same.txt"], "");
  EXPECT_EQ(codes["http://x.org/open"], "cut");
  EXPECT_EQ(codes["http://x.org/other.txt"], "cut");
  for (const auto& [url, list] : answers) EXPECT_EQ(asked[url], list.size()) << url;
  for (const PageOutcome& outcome : added->pages) {
    if (outcome.code == "cut") {
      EXPECT_NE(outcome.reason.find("closed the connection"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace sibyl::evidence
