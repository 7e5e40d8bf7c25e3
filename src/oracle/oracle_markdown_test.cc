// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle_markdown.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

class OracleMarkdownTest : public OracleTest {
 protected:
  static Paths PathsOf(const OracleMarkdown& markdown) {
    Paths paths;
    for (const gate::PageText& page : markdown.pages) paths.push_back(page.path);
    return paths;
  }

  OracleMarkdown All() const {
    Result<OracleMarkdown> found = ReadOracleMarkdown(Here());
    EXPECT_TRUE(found.ok()) << found.error().message;
    return found.ok() ? *std::move(found) : OracleMarkdown();
  }
};

TEST_F(OracleMarkdownTest, ReadsEveryPageInTheOrderOfThePaths) {
  Write("oracle/b/02-two.md", "two");
  Write("oracle/INDEX.md", "index");
  Write("oracle/b/01-one.md", "one");
  const OracleMarkdown found = All();
  EXPECT_EQ(PathsOf(found), (Paths{"INDEX.md", "b/01-one.md", "b/02-two.md"}));
  EXPECT_EQ(found.pages[1].text, "one");
  EXPECT_EQ(found.pages[1].name, "oracle/b/01-one.md") << "as seen from the working folder";
  EXPECT_TRUE(found.findings.empty());
}

TEST_F(OracleMarkdownTest, SkipsPlansHiddenFoldersAndOtherFiles) {
  Write("oracle/_ingest-auto/plan/ingestion.md", "");
  Write("oracle/_labs/notes.md", "");
  Write("oracle/.github/README.md", "");
  Write("oracle/notes.txt", "");
  Write("oracle/README.MD", "");
  Write("oracle/page.md", "");
  EXPECT_EQ(PathsOf(All()), Paths{"page.md"});
}

TEST_F(OracleMarkdownTest, AnOracleWithoutPagesIsEmpty) {
  const OracleMarkdown found = All();
  EXPECT_TRUE(found.pages.empty());
  EXPECT_TRUE(found.findings.empty());
}

TEST_F(OracleMarkdownTest, FollowsALinkToAPageInsideAndEntersNone) {
  Write("oracle/a/page.md", "text");
  fs::create_symlink("a/page.md", oracle() / "link.md");
  fs::create_directory_symlink("a", oracle() / "folder");
  const OracleMarkdown found = All();
  EXPECT_EQ(PathsOf(found), (Paths{"a/page.md", "link.md"}));
  EXPECT_EQ(found.pages[1].text, "text");
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].severity, Severity::kNote) << "no page is missing";
  EXPECT_EQ(found.findings[0].code, "struct/unread");
  EXPECT_EQ(found.findings[0].place.file, "oracle/folder");
}

TEST_F(OracleMarkdownTest, APageThatCannotBeReadIsAnError) {
  Write("secret.md", "secret");
  fs::create_symlink(top() / "secret.md", oracle() / "out.md");
  ASSERT_EQ(::mkfifo((oracle() / "pipe.md").c_str(), 0600), 0);
  Write("oracle/page.md", "text");
  const OracleMarkdown found = All();
  EXPECT_EQ(PathsOf(found), Paths{"page.md"}) << "the others are still read";
  ASSERT_EQ(found.findings.size(), 2U);
  for (const Finding& finding : found.findings) {
    EXPECT_EQ(finding.severity, Severity::kError);
    EXPECT_EQ(finding.code, "struct/unread");
    EXPECT_NE(finding.message, "");
  }
  EXPECT_EQ(found.findings[0].place.file, "oracle/out.md");
  EXPECT_EQ(found.findings[1].place.file, "oracle/pipe.md");
}

TEST_F(OracleMarkdownTest, APageOverTheLimitIsAnError) {
  Write("oracle/large.md", std::string((std::size_t{16} << 20) + 1, 'x'));
  const OracleMarkdown found = All();
  EXPECT_TRUE(found.pages.empty());
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].severity, Severity::kError);
}

TEST_F(OracleMarkdownTest, NamedFilesAreReadInTheirOrderWhereverTheyAre) {
  Write("oracle/page.md", "inside");
  Write("notes/mine.md", "outside");
  const Result<OracleMarkdown> found =
      ReadNamedMarkdown(Here(), {"notes/mine.md", "oracle/page.md"});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(PathsOf(*found), (Paths{"mine.md", "page.md"}));
  EXPECT_EQ(found->pages[0].text, "outside");
  EXPECT_EQ(found->pages[0].name, "notes/mine.md");
}

TEST_F(OracleMarkdownTest, ANamedFileNeedNotEndInMd) {
  Write("oracle/page.txt", "text");
  EXPECT_EQ(ReadNamedMarkdown(Here(), {"page.txt"})->pages.size(), 1U);
}

TEST_F(OracleMarkdownTest, ANamedFolderMayBeOneThatIsNotEntered) {
  Write("oracle/_drafts/a.md", "a");
  Write("oracle/_drafts/_more/b.md", "b");
  const Result<OracleMarkdown> found = ReadNamedMarkdown(Here(), {"_drafts"});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(PathsOf(*found), Paths{"_drafts/a.md"});
}

TEST_F(OracleMarkdownTest, ANamedFileThatDoesNotExistIsNamed) {
  Write("oracle/page.md", "");
  const Result<OracleMarkdown> found = ReadNamedMarkdown(Here(), {"page.md", "pgae.md"});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().kind, ErrorKind::kNotFound);
  EXPECT_NE(found.error().message.find("pgae.md"), std::string::npos);
}

TEST_F(OracleMarkdownTest, AnAgentNamesNothingOutsideTheOracle) {
  Write("notes/mine.md", "");
  EXPECT_EQ(ReadNamedMarkdown(Agent(), {"../notes/mine.md"}).error().kind, ErrorKind::kUsage);
}

TEST_F(OracleMarkdownTest, NeedsAnOracle) {
  fs::remove(oracle() / "sibyl.toml");
  EXPECT_EQ(ReadOracleMarkdown(Here()).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(ReadNamedMarkdown(Here(), {}).error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace sibyl::oracle
