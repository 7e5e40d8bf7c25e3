// SPDX-License-Identifier: Apache-2.0
#include "base/files/root_links.h"

#include <gtest/gtest.h>

#include "base/files/temporary_folder.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

class RootLinks : public ::testing::Test {
 protected:
  RootLinks() {
    EXPECT_TRUE(CreateFolders(folder_.path() / "oracle" / ".git").ok());
    EXPECT_TRUE(CreateFolders(folder_.path() / "oracle" / "docs").ok());
    EXPECT_TRUE(WriteFileAtomically(folder_.path() / "secret", "secret").ok());
    EXPECT_TRUE(WriteFileAtomically(folder_.path() / "oracle/.git/config", "token").ok());
    EXPECT_TRUE(WriteFileAtomically(folder_.path() / "oracle/docs/a.md", "a").ok());
  }

  void Link(const std::string& target, const std::string& name) {
    fs::create_symlink(target, folder_.path() / "oracle" / name);
  }

  Result<std::string> Read(const std::string& name) {
    return ReadFollowing(*Root::Open(folder_.path() / "oracle"), name);
  }

  TemporaryFolder folder_;
};

TEST_F(RootLinks, AreFollowedToFilesAndFoldersInside) {
  Link("docs/a.md", "one.md");
  Link("../one.md", "docs/two.md");
  Link("docs", "notes");
  for (const char* name : {"docs/a.md", "one.md", "docs/two.md", "notes/a.md", "notes/two.md"}) {
    const auto text = Read(name);
    ASSERT_TRUE(text.ok()) << name << ": " << text.error().message;
    EXPECT_EQ(*text, "a");
  }
  EXPECT_EQ(FollowLinks(*Root::Open(folder_.path() / "oracle"), "notes/two.md")->generic_string(),
            "docs/a.md");
}

TEST_F(RootLinks, AreRefusedByNameWhenTheyLeadOutOrIntoGit) {
  Link("../secret", "out.md");
  Link((folder_.path() / "secret").string(), "absolute.md");
  Link((folder_.path() / "oracle/docs/a.md").string(), "absolute-inside.md");
  Link("docs/../../secret", "detour.md");
  Link("..", "up");
  Link(".git/config", "config.md");
  Link(".git", "git");
  Link("circle.md", "circle.md");
  for (const char* name : {"out.md", "absolute.md", "absolute-inside.md", "detour.md", "up/secret",
                           "config.md", "git/config", "circle.md"}) {
    const auto text = Read(name);
    ASSERT_FALSE(text.ok()) << name << ": " << *text;
    EXPECT_EQ(text.error().kind, ErrorKind::kUsage) << name;
    const std::string_view whole = name;
    const std::string first(whole.substr(0, whole.find('/')));
    EXPECT_NE(text.error().message.find(first), std::string::npos) << text.error().message;
  }
}

TEST_F(RootLinks, APathWithDotsIsLeftToRoot) {
  EXPECT_FALSE(Read("../secret").ok());
  EXPECT_FALSE(Read("docs/../../secret").ok());
  EXPECT_EQ(Read("none.md").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(*Read(".git/config"), "token") << "named, not linked: the caller decides";
}

TEST(PrivatePaths, AreThoseOfGitAndOurOwn) {
  for (const char* path : {".git", "a/.git/b", ".sibyl/journal.db", ".GIT/x"}) {
    EXPECT_TRUE(IsPrivatePath(path)) << path;
  }
  for (const char* path : {"a.git", ".gitignore", "a/b.md", "."}) {
    EXPECT_FALSE(IsPrivatePath(path)) << path;
  }
}

}  // namespace
}  // namespace sibyl
