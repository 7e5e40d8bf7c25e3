// SPDX-License-Identifier: Apache-2.0
#include "evidence/pages/page_citation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/hash.h"
#include "base/strings.h"
#include "evidence/evidence.h"
#include "evidence/footnote.h"
#include "evidence/pages/gzip.h"
#include "evidence/pages/page_archive.h"
#include "evidence/pages/test_web.h"
#include "evidence/test_oracle.h"
#include "git/inflate.h"
#include "page/warc.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWords =
    "Größe zählt: a fence orders the stores of a thread before what it does next.";

class PageCitations : public ::testing::Test {
 protected:
  Surroundings around() {
    Surroundings around = oracle_.around();
    around.fetch_page = web_.Fetcher();
    return around;
  }

  void Add(const std::string& url, std::string_view words = kWords) {
    web_.Put(url, TestWeb::Page("Fences", words));
    const Result<PagesChange> added = AddPages({url}, {}, around());
    ASSERT_TRUE(added.ok()) << added.error().message;
  }

  TestOracle oracle_;
  TestWeb web_;
};

TEST_F(PageCitations, NameCharactersAndResolveToThem) {
  Add("https://x.org/a");
  const Result<CitedText> made = MakeCitation("web:x.org/a.md:3", around());
  ASSERT_TRUE(made.ok()) << made.error().message;
  ASSERT_TRUE(made->page);
  EXPECT_EQ(made->page->citation.first_char, 10u);
  EXPECT_EQ(made->page->citation.end_char, 10 + CountCharacters(kWords) + 1);
  EXPECT_EQ(made->page->Link(),
            "https://x.org/a#top:~:text=Gr%C3%B6%C3%9Fe%20z%C3%A4hlt%3A%20a%20fence%20orders,"
            "before%20what%20it%20does%20next.");
  const std::string line = FormatFootnote({.id = "1",
                                           .label = made->page->title,
                                           .citation = made->page->citation,
                                           .fragment = made->page->fragment});
  const Result<Footnote> read = ParseFootnote(line);
  ASSERT_TRUE(read.ok()) << line;
  const Result<CitedText> resolved = ResolveCitation(read->citation, oracle_.around());
  ASSERT_TRUE(resolved.ok()) << resolved.error().message;
  EXPECT_EQ(resolved->text, std::string(kWords) + "\n");
  EXPECT_EQ(resolved->citation.lines, (LineRange{3, 3}));
  EXPECT_EQ(resolved->source, "web");
}

TEST_F(PageCitations, StillResolveWhenThePageHasChanged) {
  Add("https://x.org/a");
  const WebCitation old = MakeCitation("web:x.org/a.md:3", around())->page->citation;
  web_.Put("https://x.org/a",
           TestWeb::Page("Fences", "Quite other words, and many more than these."));
  ASSERT_TRUE(SyncSource("web", around()).ok());
  const Result<CitedText> resolved = ResolveCitation(old, oracle_.around());
  ASSERT_TRUE(resolved.ok()) << resolved.error().message;
  EXPECT_EQ(resolved->text, std::string(kWords) + "\n");
}

TEST_F(PageCitations, ThatWereMadeUpAreRefused) {
  Add("https://x.org/a");
  Add("https://x.org/b", "Another page that says another thing in about as many words as that.");
  WebCitation citation = MakeCitation("web:x.org/a.md:3", around())->page->citation;
  citation.url = "https://x.org/b";
  EXPECT_EQ(ResolveCitation(citation, around()).error().kind, ErrorKind::kCorrupt);
  citation.url = "https://x.org/a";
  citation.end_char = 100'000;
  EXPECT_EQ(ResolveCitation(citation, around()).error().kind, ErrorKind::kNotFound);
  citation.sha256 = std::string(64, '0');
  EXPECT_EQ(ResolveCitation(citation, around()).error().kind, ErrorKind::kNotFound);
}

TEST(TextFragments, AreWhatABrowserShows) {
  EXPECT_EQ(TextFragment("## Title\n"), "#:~:text=Title");
  EXPECT_EQ(TextFragment("- use `a-b`, \\#1\n"), "#:~:text=use%20a%2Db%2C%20%231");
  EXPECT_EQ(TextFragment("| one cell | two |\n"), "#:~:text=one%20cell");
  EXPECT_EQ(TextFragment("```cpp\nint x;\n```\n"), "#:~:text=int%20x%3B");
  EXPECT_EQ(TextFragment("\n```\n"), "");
  EXPECT_EQ(TextFragment("1. a b c d e f\n\nlast one\n"), "#:~:text=a%20b%20c%20d%20e,last%20one");
}

TEST(TextFragments, StandUnderTheNearestNamedHeading) {
  const std::vector<std::string> anchors = {"1 top", "7 the cost:~:of", "nonsense", "20 end"};
  EXPECT_EQ(WithAnchor("#:~:text=a", anchors, 1), "#top:~:text=a");
  EXPECT_EQ(WithAnchor("#:~:text=a", anchors, 6), "#top:~:text=a");
  EXPECT_EQ(WithAnchor("#:~:text=a", anchors, 19), "#the%20cost%3A%7E%3Aof:~:text=a");
  EXPECT_EQ(WithAnchor("", anchors, 99), "#end");
  EXPECT_EQ(WithAnchor("#:~:text=a", {"5 late"}, 4), "#:~:text=a");
  EXPECT_EQ(WithAnchor("#:~:text=a", {}, 4), "#:~:text=a");
}

TEST(Characters, AreCutAtCodePoints) {
  EXPECT_EQ(CharactersOf("aßc", 1, 2), "ß");
  EXPECT_EQ(CharactersOf("aßc", 1, 3), "ßc");
  EXPECT_EQ(CharactersOf("aßc", 0, 0), "aßc");
  EXPECT_EQ(CharactersOf("aßc", 1, 4), std::nullopt);
  EXPECT_EQ(CharactersOf("", 0, 1), std::nullopt);
}

TEST_F(PageCitations, ComeBackFromAnArchiveWhenTheStoreIsLost) {
  Add("https://x.org/a");
  Add("https://x.org/b", "Another page that says another thing in about as many words as that.");
  const Result<Lock> lock = ReadLock(around());
  const Result<std::string> archive = ExportPages(*lock->Find("web"), around());
  ASSERT_TRUE(archive.ok()) << archive.error().message;
  EXPECT_EQ(*ExportPages(*lock->Find("web"), around()), *archive);
  fs::remove_all(around().store.folder());
  const Result<ImportedPages> imported = ImportPages(*archive, "", oracle_.around());
  ASSERT_TRUE(imported.ok()) << imported.error().message;
  EXPECT_EQ(imported->stored, 2u);
  EXPECT_EQ(imported->restored, (std::vector<std::string>{"web"}));
  EXPECT_TRUE(MakeCitation("web:x.org/a.md:3", oracle_.around()).ok());
  for (std::size_t cut = 1; cut < archive->size(); cut += 97) {
    const auto broken =
        ImportPages(std::string_view(*archive).substr(0, cut), "", oracle_.around());
    if (broken.ok()) {
      EXPECT_LT(broken->stored, 2u);
    }
  }
}

TEST_F(PageCitations, OfAnArchiveThatOthersMadeAreJudgedFirst) {
  const auto response = [](const std::string& url, const std::string& body) {
    return page::FormatWarcRecord(
        {.type = "response",
         .date = "2026-11-15T10:02:11Z",
         .target = url,
         .content_type = "application/http;msgtype=response",
         .block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body});
  };
  const std::string archive =
      response("https://y.org/good", TestWeb::Page("Good", kWords)) +
      response("https://y.org/wall", "<title>Sign in</title><input type=password><p>Sign in") +
      page::FormatWarcRecord({.type = "request", .target = "https://y.org/good", .block = "GET /"});
  for (const std::string& bytes : {archive, GzipMember(archive)}) {
    const Result<ImportedPages> imported = ImportPages(bytes, "crawl", oracle_.around());
    ASSERT_TRUE(imported.ok()) << imported.error().message;
    EXPECT_EQ(imported->stored, 1u);
    ASSERT_EQ(imported->skipped.size(), 1u);
    EXPECT_NE(imported->skipped[0].find("a login page"), std::string::npos);
    ASSERT_EQ(imported->pages.size(), 1u);
    EXPECT_EQ(imported->pages[0].record->path, "y.org/good.md");
  }
}

// As wget and Browsertrix keep them: in chunks, packed, or both.
TEST_F(PageCitations, OfAnArchiveWithPackedBodiesAreUnpacked) {
  const std::string page = TestWeb::Page("Good", kWords);
  const auto response = [](const std::string& url, const std::string& headers,
                           const std::string& body, page::WarcFields fields = {}) {
    return page::FormatWarcRecord(
        {.type = "response",
         .date = "2026-11-15T10:02:11Z",
         .target = url,
         .content_type = "application/http;msgtype=response",
         .fields = std::move(fields),
         .block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + headers + "\r\n" + body});
  };
  const auto chunks = [](const std::string& body) {
    return fmt::format("{:x}\r\n{}\r\n{:x}\r\n{}\r\n0\r\n\r\n", 10, body.substr(0, 10),
                       body.size() - 10, body.substr(10));
  };
  const std::string gzip = "Content-Encoding: gzip\r\n";
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  const std::string packed = GzipMember(page);
  const std::string bomb = GzipMember(std::string(std::size_t{30} << 20, ' '));
  const std::string archive =
      response("https://y.org/chunks", chunked, chunks(page)) +
      response("https://y.org/gzip", gzip, packed) +
      response("https://y.org/both", gzip + chunked, chunks(packed)) +
      response("https://y.org/unpacked", gzip, page) +
      response("https://y.org/brotli", "Content-Encoding: br\r\n", "\x1b\x10") +
      response("https://y.org/cut", gzip, packed.substr(0, packed.size() - 9)) +
      response("https://y.org/bomb", gzip, bomb) +
      response("https://y.org/short", "", page, {{"WARC-Truncated", "length"}});
  const Result<ImportedPages> imported = ImportPages(archive, "crawl", oracle_.around());
  ASSERT_TRUE(imported.ok()) << imported.error().message;
  EXPECT_EQ(imported->pages.size(), 4u);
  for (const PageOutcome& outcome : imported->pages) {
    EXPECT_EQ(outcome.record->sha256, Sha256(page)) << outcome.url;
  }
  EXPECT_EQ(imported->skipped.size(), 4u);
  const std::string said = Join(imported->skipped, "\n");
  for (const std::string_view words : {"encoded as 'br'", "truncated", "more than", "(length)"}) {
    EXPECT_NE(said.find(words), std::string::npos) << words << " in\n" << said;
  }
}

TEST(Gzip, UnpacksWhatHttpCallsDeflate) {
  const std::string text(5000, 'x');
  git::Deflater deflater;
  const std::string zlib(deflater.Compress(text));
  EXPECT_EQ(*InflateBody(zlib, 1 << 20), text);
  EXPECT_EQ(*InflateBody(zlib.substr(2, zlib.size() - 6), 1 << 20), text);  // without its frame
  EXPECT_FALSE(InflateBody(zlib, 4999).ok());
  EXPECT_FALSE(InflateBody(zlib.substr(0, zlib.size() / 2), 1 << 20).ok());
  EXPECT_FALSE(InflateBody("nothing of the kind", 1 << 20).ok());
}

TEST(Gzip, GivesBackItsMembersAndStopsAtTheLimit) {
  const std::string two = GzipMember("one") + GzipMember(std::string(100'000, 'x'));
  EXPECT_EQ(*GunzipMembers(two, 1 << 20), "one" + std::string(100'000, 'x'));
  EXPECT_FALSE(GunzipMembers(two, 1000).ok());
  EXPECT_FALSE(GunzipMembers(two + "junk", 1 << 20).ok());
  EXPECT_EQ(*GunzipMembers("plain", 1 << 20), "plain");
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += GzipMember("");
  EXPECT_EQ(*GunzipMembers(many, 1 << 20), "");
}

}  // namespace
}  // namespace sibyl::evidence
