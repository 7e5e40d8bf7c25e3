// SPDX-License-Identifier: Apache-2.0
#include "gate/oracle_pages.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <string>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"

namespace sibyl::gate {
namespace {

namespace fs = std::filesystem;

class OraclePagesTest : public testing::Test {
 protected:
  void Write(const std::string& path, std::string_view text) const {
    ASSERT_TRUE(CreateFolders((folder_.path() / path).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(folder_.path() / path, text).ok());
  }

  TemporaryFolder folder_;
};

TEST_F(OraclePagesTest, KnowFilesAndFolders) {
  Write("cuda/01-a.md", "# A\n");
  const OraclePages pages(folder_.path());
  EXPECT_TRUE(pages.Exists("cuda/01-a.md"));
  EXPECT_TRUE(pages.Exists("cuda"));
  EXPECT_FALSE(pages.Exists("cuda/02-b.md"));
  EXPECT_FALSE(pages.Exists("cuda/01-a.md/x"));
  EXPECT_FALSE(pages.Exists(std::string("cuda\0x", 6)));
}

TEST_F(OraclePagesTest, KnowTheAnchorsOfMarkdownAlone) {
  Write("a.md", "# A title\n");
  Write("b.MD", "# B\n");
  Write("c.txt", "# C\n");
  const OraclePages pages(folder_.path());
  ASSERT_NE(pages.AnchorsOf("a.md"), nullptr);
  EXPECT_TRUE(pages.AnchorsOf("a.md")->Has("a-title"));
  EXPECT_NE(pages.AnchorsOf("b.MD"), nullptr);
  EXPECT_EQ(pages.AnchorsOf("c.txt"), nullptr);
  EXPECT_EQ(pages.AnchorsOf("none.md"), nullptr);
}

TEST_F(OraclePagesTest, RememberWhatWasReadOnce) {
  Write("a.md", "# Old\n");
  const OraclePages pages(folder_.path());
  ASSERT_TRUE(pages.AnchorsOf("a.md")->Has("old"));
  Write("a.md", "# New\n");
  EXPECT_TRUE(pages.AnchorsOf("a.md")->Has("old"));
}

TEST_F(OraclePagesTest, TakeAPageThatIsNotOnTheDiskYet) {
  OraclePages pages(folder_.path());
  constexpr std::string_view kText = "# Coming soon\n";
  pages.Put("cuda/09-new.md", *statement::ReadStatements(kText), kText);
  EXPECT_TRUE(pages.Exists("cuda/09-new.md"));
  EXPECT_TRUE(pages.AnchorsOf("cuda/09-new.md")->Has("coming-soon"));
}

TEST_F(OraclePagesTest, APageThatWasPutReplacesWhatIsOnTheDisk) {
  Write("a.md", "# Old\n");
  OraclePages pages(folder_.path());
  EXPECT_TRUE(pages.AnchorsOf("a.md")->Has("old"));
  constexpr std::string_view kText = "# New\n";
  pages.Put("a.md", *statement::ReadStatements(kText), kText);
  EXPECT_FALSE(pages.AnchorsOf("a.md")->Has("old"));
}

TEST_F(OraclePagesTest, FollowLinksOnlyInsideTheOracle) {
  Write("oracle/real.md", "# Real\n");
  Write("secret.md", "# Secret\n");
  fs::create_symlink("real.md", folder_.path() / "oracle/inside.md");
  fs::create_symlink("../secret.md", folder_.path() / "oracle/outside.md");
  fs::create_symlink("loop.md", folder_.path() / "oracle/loop.md");
  const OraclePages pages(folder_.path() / "oracle");
  EXPECT_TRUE(pages.Exists("inside.md"));
  EXPECT_TRUE(pages.AnchorsOf("inside.md")->Has("real"));
  EXPECT_FALSE(pages.Exists("outside.md"));
  EXPECT_EQ(pages.AnchorsOf("outside.md"), nullptr);
  EXPECT_FALSE(pages.Exists("loop.md"));
}

TEST_F(OraclePagesTest, WithoutAFolderNothingExists) {
  const OraclePages pages(folder_.path() / "none");
  EXPECT_FALSE(pages.Exists("a.md"));
  EXPECT_FALSE(pages.Exists(""));
  EXPECT_EQ(pages.AnchorsOf("a.md"), nullptr);
}

TEST(ResolveRelative, GoesFromTheFolderOfThePage) {
  EXPECT_EQ(ResolveRelative("a/b/c.md", "d.md"), "a/b/d.md");
  EXPECT_EQ(ResolveRelative("a/b/c.md", "../d.md"), "a/d.md");
  EXPECT_EQ(ResolveRelative("a/b/c.md", "../../d.md"), "d.md");
  EXPECT_EQ(ResolveRelative("c.md", "./d/"), "d");
  EXPECT_EQ(ResolveRelative("a/c.md", "/d.md"), "d.md");
  EXPECT_EQ(ResolveRelative("a/c.md", ""), "a");
}

TEST(ResolveRelative, NeverLeadsOutOfTheRoot) {
  EXPECT_EQ(ResolveRelative("a/c.md", "../../d.md"), std::nullopt);
  EXPECT_EQ(ResolveRelative("c.md", "../d.md"), std::nullopt);
  EXPECT_EQ(ResolveRelative("c.md", "/../d.md"), std::nullopt);
  EXPECT_EQ(ResolveRelative("c.md", "a/../../d.md"), std::nullopt);
}

TEST(ResolveRelative, GivesAPlainPathForAnyText) {
  EXPECT_TRUE(rc::check([] {
    const std::string path =
        *rc::gen::container<std::string>(rc::gen::element('.', '/', 'a', ' ', '\\', '\xC3', '~'));
    const auto resolved = ResolveRelative("x/y.md", path);
    if (!resolved) return;
    RC_ASSERT(!resolved->starts_with('/'));
    RC_ASSERT(resolved->find("//") == std::string::npos);
    RC_ASSERT(("/" + *resolved + "/").find("/../") == std::string::npos);
    RC_ASSERT(("/" + *resolved + "/").find("/./") == std::string::npos);
  }));
}

}  // namespace
}  // namespace sibyl::gate
