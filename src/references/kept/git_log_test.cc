// SPDX-License-Identifier: Apache-2.0
#include "references/kept/git_log.h"

#include <gtest/gtest.h>

#include "base/files/temporary_folder.h"
#include "git/test_git.h"

namespace sibyl::references {
namespace {

struct Fixture {
  TemporaryFolder folder;
  git::TestGit git{folder.path() / "repo"};

  GitRepository Location() const { return **FindGitRepository(git.folder()); }
  git::ObjectId Head() const { return *git::ObjectId::FromHex(git.Run({"rev-parse", "HEAD"})); }
};

TEST(GitLog, GivesTheVersionsOfADocumentThroughRenames) {
  const Fixture fixture;
  fixture.git.Write("a.md", "one two three four\nfive\n");
  const std::string first = fixture.git.Commit();
  fixture.git.Run({"mv", "a.md", "b.md"});
  const std::string second = fixture.git.Commit();
  fixture.git.Write("b.md", "one two three four\nsix\n");
  fixture.git.Write("other.txt", "x\n");
  const std::string third = fixture.git.Commit();
  const GitRepository location = fixture.Location();
  const auto history = DocumentHistory::Read({.repository = location, .head = fixture.Head()});
  ASSERT_TRUE(history.ok()) << history.error().message;
  const std::vector<DocumentVersion> versions = history->VersionsOf("b.md");
  ASSERT_EQ(versions.size(), 3U);
  EXPECT_EQ(versions[0].commit.Hex(), third);
  EXPECT_EQ(versions[0].parent.Hex(), second);
  EXPECT_EQ(versions[2].commit.Hex(), first);
}

TEST(GitLog, FollowsADocumentThatWasCopiedAsItWas) {
  const Fixture fixture;
  fixture.git.Write("plans/a.md", "one two three four\n");
  const std::string first = fixture.git.Commit();
  fixture.git.Write("archive/a.md", "one two three four\n");
  fixture.git.Commit();
  fixture.git.Run({"rm", "-q", "plans/a.md"});
  fixture.git.Commit();
  const GitRepository location = fixture.Location();
  const auto history = DocumentHistory::Read({.repository = location, .head = fixture.Head()});
  ASSERT_TRUE(history.ok()) << history.error().message;
  const std::vector<DocumentVersion> versions = history->VersionsOf("archive/a.md");
  ASSERT_EQ(versions.size(), 2U);
  EXPECT_EQ(versions[1].commit.Hex(), first);
}

TEST(GitLog, KnowsWhereLostFilesWent) {
  const Fixture fixture;
  fixture.git.Write("src/a.rs", "fn a() {}\nfn b() {}\nfn c() {}\n");
  fixture.git.Write("src/gone.rs", "fn gone() {}\n");
  fixture.git.Commit();
  fixture.git.Run({"mv", "src/a.rs", "src/b.rs"});
  fixture.git.Run({"rm", "-q", "src/gone.rs"});
  fixture.git.Commit();
  const GitRepository location = fixture.Location();
  const auto lost = LostFiles::Read({.repository = location, .head = fixture.Head()});
  ASSERT_TRUE(lost.ok());
  EXPECT_EQ(lost->EndingWith("a.rs"), (std::vector<std::string>{"src/a.rs"}));
  EXPECT_EQ(lost->NowAt("src/a.rs"), "src/b.rs");
  EXPECT_EQ(lost->NowAt("src/gone.rs"), "");
  EXPECT_TRUE(lost->EndingWith("never.rs").empty());
}

TEST(GitLog, IsKeptAndContinued) {
  const Fixture fixture;
  fixture.git.Write("a.md", "one\n");
  fixture.git.Commit();
  const GitRepository location = fixture.Location();
  const auto read = [&] {
    const auto history = DocumentHistory::Read(
        {.repository = location, .head = fixture.Head(), .cache = fixture.folder.path() / "cache"});
    EXPECT_TRUE(history.ok());
    return history.ok() ? history->VersionsOf("a.md").size() : 0;
  };
  EXPECT_EQ(read(), 1U);
  EXPECT_EQ(read(), 1U);
  fixture.git.Write("a.md", "two\n");
  fixture.git.Commit();
  EXPECT_EQ(read(), 2U);
  fixture.git.Run({"commit", "-q", "--amend", "-m", "other"});
  EXPECT_EQ(read(), 2U);
}

TEST(GitLog, SkipsWhatItDoesNotUnderstand) {
  EXPECT_TRUE(ParseGitLog("").empty());
  EXPECT_EQ(ParseGitLog(std::string_view("\x01xyz\n:1 2\0a\0", 13)).size(), 1U);
}

TEST(GitLog, ADamagedCacheIsReadAgain) {
  const Fixture fixture;
  fixture.git.Write("a.md", "one\n");
  fixture.git.Commit();
  fixture.git.Write("a.md", "two\n");
  fixture.git.Commit();
  const GitRepository location = fixture.Location();
  const std::filesystem::path cache = fixture.folder.path() / "cache";
  const auto count = [&] {
    const auto history =
        DocumentHistory::Read({.repository = location, .head = fixture.Head(), .cache = cache});
    return history.ok() ? history->VersionsOf("a.md").size() : 0U;
  };
  EXPECT_EQ(count(), 2U);
  for (const auto& entry : std::filesystem::directory_iterator(cache)) {
    std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) - 90);
  }
  EXPECT_EQ(count(), 2U);
}

}  // namespace
}  // namespace sibyl::references
