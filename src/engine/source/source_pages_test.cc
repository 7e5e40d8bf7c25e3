// SPDX-License-Identifier: Apache-2.0
// Pages from a real server on loopback, through all that a person would do with them.
#include "engine/source/source_pages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/mutex.h"
#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/verify_operations.h"
#include "net/test_server.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPage =
    "<html><head><title>Fences</title></head><body><nav>menu</nav><main><h1>Fences</h1>"
    "<p>A fence of the whole system costs 700 cycles on a busy gadget.</p>"
    "<h2 id=cost>Cost</h2><p>Nothing else is said about what a fence costs in this version.</p>"
    "</main></body></html>";

class SourcePages : public ::testing::Test {
 protected:
  SourcePages() : server_([this](const std::string& request) { return Answer(request); }) {
    oracle_ = folder_.path() / "oracle";
    ::setenv("SIBYL_WEB_ALLOW", server_.host().c_str(), 1);
    EXPECT_TRUE(Run(kInit, {{"dir", "oracle"}}).ok());
    const std::string config = *ReadFile(oracle_ / "sibyl.toml");
    Write("sibyl.toml",
          config + fmt::format("\n[web]\nallow = [\"127.0.0.1:{}\"]\ninterval_ms = 0\n",
                               server_.port()));
    Put("/fences.html", std::string(kPage));
  }

  void Put(const std::string& path, std::string body) {
    const MutexLock lock(mutex_);
    pages_[path] = std::move(body);
  }

  net::TestAnswer Answer(const std::string& request) {
    ++requests_;
    const std::size_t begin = request.find(' ') + 1;
    const std::string path = request.substr(begin, request.find(' ', begin) - begin);
    const MutexLock lock(mutex_);
    const auto found = pages_.find(path);
    if (found == pages_.end()) return net::TestPage("404 Not Found", "", "none");
    return net::TestPage("200 OK", "Content-Type: text/html\r\n", found->second);
  }

  std::string Url(std::string_view path) const {
    return fmt::format("http://127.0.0.1:{}{}", server_.port(), path);
  }

  void Write(const fs::path& path, std::string_view text) {
    ASSERT_TRUE(CreateFolders((oracle_ / path).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(oracle_ / path, text).ok());
  }

  Result<Outcome> Run(const Operation& operation, std::vector<GivenValue> given) {
    auto arguments = Arguments::Make(operation, std::move(given));
    if (!arguments.ok()) return std::move(arguments).error();
    return RunOperation(operation,
                        {.working_folder = folder_.path(),
                         .oracle = oracle_,
                         .clock = clock_,
                         .store = folder_.path() / "store",
                         .state = folder_.path() / "state",
                         .network = Network::kAllowed},
                        *arguments);
  }

  Outcome Done(const Operation& operation, std::vector<GivenValue> given) {
    Result<Outcome> outcome = Run(operation, std::move(given));
    EXPECT_TRUE(outcome.ok()) << (outcome.ok() ? "" : outcome.error().message);
    return outcome.ok() ? *std::move(outcome) : Outcome{};
  }

  TemporaryFolder folder_;
  fs::path oracle_;
  FixedClock clock_{Time(std::chrono::seconds(1'800'000'000))};
  Mutex mutex_;
  std::map<std::string, std::string> pages_ SIBYL_GUARDED_BY(mutex_);
  std::atomic<int> requests_ = 0;
  net::TestServer server_;
};

TEST_F(SourcePages, AreAddedSearchedCitedVerifiedAndGoStale) {
  const Outcome added = Done(kSourceAdd, {{"origin", Url("/fences.html#cost")}});
  EXPECT_EQ(added.data["source"]["name"], "fences");
  EXPECT_EQ(added.data["source"]["kind"], "page");
  EXPECT_EQ(added.data["pages"][0]["fate"], "new");
  EXPECT_EQ(added.data["pages"][0]["title"], "Fences");
  EXPECT_GT(added.data["pages"][0]["left_out_bytes"].get<int>(), 0);

  const int asked = requests_;
  const Outcome found = Done(kSearch, {{"query", "fence cycles busy"}});
  ASSERT_FALSE(found.data["hits"].empty());
  const Json& hit = found.data["hits"][0];
  EXPECT_TRUE(hit["citation"].get<std::string>().starts_with("web:sha256:"));
  EXPECT_NE(hit["link"].get<std::string>().find("#:~:text="), std::string::npos);
  const Outcome resolved = Done(kCite, {{"target", hit["citation"].get<std::string>()}});
  EXPECT_NE(resolved.data["text"].get<std::string>().find("costs 700 cycles"), std::string::npos);

  const Outcome cited =
      Done(kCite, {{"target", "fences:" + hit["path"].get<std::string>() + ":3"}});
  const std::string note = cited.data["footnote"];
  EXPECT_NE(note.find("[Fences](http://127.0.0.1:"), std::string::npos) << note;
  EXPECT_NE(note.find(", accessed 2027-01-15"), std::string::npos) << note;
  Write("cuda/01-fences.md",
        "# Fences\n\nA fence of the whole system costs 700 cycles.[^1]\n\n## Sources\n\n" + note +
            "\n");
  EXPECT_TRUE(Done(kVerify, {{"file", "oracle/cuda/01-fences.md"}}).holds);
  EXPECT_EQ(requests_, asked) << "all of this needs no web";

  // The page gets a new section in front: the words still stand, at another place.
  std::string longer(kPage);
  longer.replace(longer.find("<p>A fence"), 0,
                 "<p>Some words that were put in front of it all.</p>");
  Put("/fences.html", longer);
  const Outcome refreshed = Done(kRefresh, {{"fetch", ""}, {"file", "oracle/cuda/01-fences.md"}});
  EXPECT_EQ(refreshed.data["sources"][0]["pages"][0]["fate"], "changed");
  EXPECT_EQ(refreshed.data["sources"][0]["pages"][0]["changes"][0], "~ Fences");
  EXPECT_EQ(refreshed.data["renewed"].size(), 1u) << refreshed.data.dump(2);
  EXPECT_TRUE(Done(kVerify, {{"file", "oracle/cuda/01-fences.md"}}).holds);

  std::string other(kPage);
  other.replace(other.find("700"), 3, "90");
  Put("/fences.html", other);
  Done(kSourceSync, {});
  const Outcome stale = Done(kVerify, {{"file", "oracle/cuda/01-fences.md"}});
  EXPECT_FALSE(stale.holds);
  ASSERT_FALSE(stale.findings.empty());
  EXPECT_EQ(stale.findings[0].code, "cite/stale");
}

TEST_F(SourcePages, ThatAreNoEvidenceAreRefusedWithAWord) {
  Put("/login", "<title>Sign in</title><form><input type=password></form><p>Sign in.</p>");
  const Result<Outcome> login = Run(kSourceAdd, {{"origin", Url("/login")}});
  ASSERT_FALSE(login.ok());
  EXPECT_NE(login.error().message.find("a login page"), std::string::npos) << login.error().message;
  const Result<Outcome> none = Run(kSourceAdd, {{"origin", Url("/none")}});
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message.find("404"), std::string::npos) << none.error().message;
  const Result<Outcome> private_page = Run(kSourceAdd, {{"origin", "http://127.0.0.1:1/a"}});
  EXPECT_FALSE(private_page.ok());
}

TEST_F(SourcePages, SurviveTheLossOfTheStoreInAnArchive) {
  Done(kSourceAdd, {{"origin", Url("/fences.html")}});
  const Outcome written = Done(kSourceExport, {{"name", "fences"}, {"file", "pages.warc.gz"}});
  EXPECT_EQ(written.data["pages"], 1);
  Put("/fences.html",
      "<title>Fences</title><main><h1>Fences</h1><p>Everything is another thing now, "
      "and nobody remembers what it was.</p></main>");
  fs::remove_all(folder_.path() / "store");
  const Result<Outcome> lost = Run(kVerify, {{"restore", ""}});
  ASSERT_TRUE(lost.ok());
  EXPECT_FALSE(lost->holds);
  ASSERT_FALSE(lost->findings.empty());
  const Finding& finding = lost->findings.back();
  EXPECT_EQ(finding.code, "source/unrestored");
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_NE(finding.hint.find("source import"), std::string::npos) << finding.hint;
  const Outcome back = Done(kSourceImport, {{"file", "pages.warc.gz"}});
  EXPECT_EQ(back.data["restored"][0], "fences");
  const Outcome found = Done(kSearch, {{"query", "fence cycles busy"}});
  EXPECT_FALSE(found.data["hits"].empty());
  const Outcome again = Done(kSourceExport, {{"name", "fences"}, {"file", "again.warc.gz"}});
  EXPECT_EQ(again.data["sha256"], written.data["sha256"]);
}

TEST(PageAddresses, AreToldFromRepositories) {
  for (const char* page : {"https://docs.nvidia.com/cuda/index.html", "http://localhost:80/a",
                           "https://github.com/NVIDIA/cutlass/blob/main/README.md",
                           "https://gitlab.com/group", "https://pytorch.org"}) {
    EXPECT_TRUE(IsPageAddress(page)) << page;
  }
  for (const char* repository :
       {"https://github.com/NVIDIA/cutlass", "https://example.org/gadget.git", "git@github.com:a/b",
        "ssh://git@host/a", "git://host/a", "../notes", "https://codeberg.org/a/b/"}) {
    EXPECT_FALSE(IsPageAddress(repository)) << repository;
  }
}

}  // namespace
}  // namespace sibyl::engine
