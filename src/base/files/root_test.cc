// SPDX-License-Identifier: Apache-2.0
#include "base/files/root.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

#include "base/files/file_lock.h"
#include "base/files/temporary_folder.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

// An oracle somebody else made, beside a folder of the victim's.
class RootTest : public testing::TestWithParam<Root::Resolving> {
 protected:
  RootTest() {
    fs::create_directories(here() / "cuda");
    fs::create_directories(victim());
    Put(here() / "cuda/01-a.md", "page");
    Put(victim() / "diary", "private");
  }

  static void Put(const fs::path& path, std::string_view text) {
    ASSERT_TRUE(WriteFileAtomically(path, text).ok()) << path;
  }
  fs::path here() const { return folder_.path() / "oracle"; }
  fs::path victim() const { return folder_.path() / "victim"; }
  Root root() const { return *Root::Open(here(), GetParam()); }

  TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Both, RootTest,
                         testing::Values(Root::Resolving::kKernel, Root::Resolving::kByName),
                         [](const auto& about) {
                           return about.param == Root::Resolving::kKernel ? "Kernel" : "ByName";
                         });

TEST_P(RootTest, ReadsListsAndDescribesWhatIsInside) {
  EXPECT_EQ(*root().Read("cuda/01-a.md"), "page");
  EXPECT_EQ(*root().Read("./cuda//01-a.md"), "page");
  EXPECT_EQ(root().Map("cuda/01-a.md")->bytes(), "page");
  EXPECT_EQ(root().About("cuda/01-a.md")->kind, FileKind::kFile);
  EXPECT_EQ(root().About("cuda/01-a.md")->bytes, 4U);
  EXPECT_EQ(root().About("cuda/01-a.md")->owner, ::geteuid());
  EXPECT_EQ(root().About("")->kind, FileKind::kFolder);
  EXPECT_TRUE(root().IsFile("cuda/01-a.md"));
  EXPECT_TRUE(root().IsFolder("cuda/"));
  EXPECT_FALSE(root().Exists("cuda/02-b.md"));
  const std::vector<RootEntry> expected = {{.name = "cuda", .kind = FileKind::kFolder}};
  EXPECT_EQ(*root().List(), expected);
  EXPECT_EQ(*root().OpenFolder("cuda")->Read("01-a.md"), "page");
}

TEST_P(RootTest, RefusesALongerFileThanAskedFor) {
  EXPECT_FALSE(root().Read("cuda/01-a.md", {.max_bytes = 3}).ok());
}

TEST_P(RootTest, ReadsThroughNoLinkThatLeadsOut) {
  fs::create_symlink(victim() / "diary", here() / "absolute.md");
  fs::create_symlink("../victim/diary", here() / "relative.md");
  fs::create_symlink("../victim", here() / "folder");
  fs::create_symlink("/proc/self/root", here() / "magic");
  for (const fs::path path : {"absolute.md", "relative.md", "folder/diary", "magic/etc/passwd"}) {
    const auto text = root().Read(path);
    ASSERT_FALSE(text.ok()) << path;
    EXPECT_EQ(text.error().kind, ErrorKind::kUsage) << path;
    EXPECT_NE(text.error().message.find("symbolic link"), std::string::npos)
        << text.error().message;
    EXPECT_FALSE(root().Map(path).ok()) << path;
    EXPECT_FALSE(root().IsFile(path)) << path;
  }
  EXPECT_FALSE(root().List("folder").ok());
  EXPECT_FALSE(root().OpenFolder("folder").ok());
  EXPECT_FALSE(root().About("folder/diary").has_value());
  EXPECT_EQ(root().About("relative.md")->kind, FileKind::kLink);
  EXPECT_EQ(*root().LinkTarget("relative.md"), "../victim/diary");
}

TEST(Root, FollowsALinkThatStaysInside) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "AGENTS.md", "rules").ok());
  fs::create_symlink("AGENTS.md", folder.path() / "CLAUDE.md");
  EXPECT_EQ(*Root::Open(folder.path())->Read("CLAUDE.md"), "rules");
}

TEST_P(RootTest, TakesNoPathThatLeadsOut) {
  for (const fs::path& path : {fs::path("../victim/diary"), fs::path("cuda/../../victim/diary"),
                               victim() / "diary", fs::path("/etc/passwd")}) {
    EXPECT_FALSE(root().Read(path).ok()) << path;
    EXPECT_FALSE(root().Write(path, "x").ok()) << path;
    EXPECT_FALSE(root().Remove(path).ok()) << path;
    EXPECT_FALSE(root().MakeFolders(path).ok()) << path;
  }
  EXPECT_EQ(*ReadFile(victim() / "diary"), "private");
}

TEST_P(RootTest, NeverWaitsForAPipeAndOpensNoDevice) {
  ASSERT_EQ(::mkfifo((here() / "plan.md").c_str(), 0600), 0);
  const auto text = root().Read("plan.md");
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().message, "reading " + (here() / "plan.md").string() +
                                      ": it is a named pipe, not a regular file");
  EXPECT_FALSE(root().Map("plan.md").ok());
  EXPECT_FALSE(root().Read("cuda").ok());
  EXPECT_FALSE(root().Write("plan.md", "x").ok());
  EXPECT_EQ(root().About("plan.md")->kind, FileKind::kOther);
  EXPECT_FALSE(Root::Open("/dev", GetParam())->Read("zero").ok());
  const auto lock = FileLock::Take(here() / "plan.md", std::chrono::milliseconds(0));
  EXPECT_FALSE(lock.ok());
}

TEST_P(RootTest, WritesThroughNoLink) {
  fs::create_symlink("../victim/diary", here() / "SKILL.md");
  fs::create_symlink("../victim/new", here() / "dangling.md");
  fs::create_symlink("cuda/01-a.md", here() / "inside.md");
  fs::create_symlink("../victim", here() / "topic");
  fs::create_symlink("cuda", here() / "alias");
  for (const fs::path path :
       {"SKILL.md", "dangling.md", "inside.md", "topic/diary", "topic/new", "alias/01-a.md"}) {
    EXPECT_FALSE(root().Write(path, "overwritten").ok()) << path;
  }
  EXPECT_FALSE(root().MakeFolders("topic/sub").ok());
  EXPECT_FALSE(root().MakeFolders("topic").ok());
  EXPECT_FALSE(root().MoveFile("cuda/01-a.md", "topic/01-a.md").ok());
  EXPECT_FALSE(root().MoveFile("cuda/01-a.md", "SKILL.md").ok());
  EXPECT_FALSE(root().MoveNew("cuda", "topic/cuda").ok());
  EXPECT_EQ(*ReadFile(victim() / "diary"), "private");
  EXPECT_FALSE(fs::exists(victim() / "new"));
  EXPECT_EQ(*root().Read("cuda/01-a.md"), "page");
}

TEST_P(RootTest, ReplacesAFileAndKeepsItsMode) {
  ASSERT_EQ(::chmod((here() / "cuda/01-a.md").c_str(), 0640), 0);
  ASSERT_TRUE(root().Write("cuda/01-a.md", "new").ok());
  EXPECT_EQ(root().About("cuda/01-a.md")->mode, 0640U);
  ASSERT_TRUE(root().Write("secret", "key", {.mode = 0600}).ok());
  EXPECT_EQ(root().About("secret")->mode, 0600U);
  EXPECT_EQ(root().List("cuda")->size(), 1U);
}

TEST_P(RootTest, MovesFilesAndFolders) {
  ASSERT_TRUE(root().MakeFolders("a/b").ok());
  ASSERT_TRUE(root().MakeFolders("a/b").ok());
  ASSERT_TRUE(root().Write("a/b/x", "x").ok());
  ASSERT_TRUE(root().MoveFile("a/b/x", "cuda/01-a.md").ok());
  EXPECT_EQ(*root().Read("cuda/01-a.md"), "x");
  EXPECT_FALSE(root().MoveNew("a", "cuda").ok());
  ASSERT_TRUE(root().MoveNew("a", "c").ok());
  EXPECT_TRUE(root().IsFolder("c/b"));
}

TEST_P(RootTest, RemovesALinkAndNeverWhatItPointsTo) {
  fs::create_symlink(victim(), here() / "stage");
  fs::create_directories(here() / "tree/deep");
  fs::create_symlink(victim(), here() / "tree/deep/link");
  ASSERT_EQ(::mkfifo((here() / "tree/pipe").c_str(), 0600), 0);
  ASSERT_TRUE(root().Remove("stage").ok());
  ASSERT_TRUE(root().Remove("tree").ok());
  EXPECT_FALSE(root().Exists("stage"));
  EXPECT_FALSE(root().Exists("tree"));
  EXPECT_EQ(*ReadFile(victim() / "diary"), "private");
  EXPECT_TRUE(root().Remove("absent").ok());
  EXPECT_TRUE(root().Remove("absent/below").ok());
  EXPECT_FALSE(root().Remove("").ok());
}

TEST_P(RootTest, RemovesNothingBelowALinkedFolder) {
  fs::create_symlink(victim(), here() / "stage");
  EXPECT_FALSE(root().Remove("stage/diary").ok());
  EXPECT_EQ(*ReadFile(victim() / "diary"), "private");
}

TEST_P(RootTest, WalksWithoutEnteringLinksAndWithinLimits) {
  fs::create_directories(here() / ".git");
  Put(here() / ".git/config", "");
  fs::create_symlink(victim(), here() / "cuda/link");
  const auto walked =
      root().Walk(".", {.enters = [](std::string_view path) { return !path.starts_with("."); }});
  const std::vector<RootEntry> expected = {{.name = "cuda/01-a.md", .kind = FileKind::kFile},
                                           {.name = "cuda/link", .kind = FileKind::kLink}};
  ASSERT_TRUE(walked.ok());
  EXPECT_EQ(walked->entries, expected);
  EXPECT_FALSE(walked->is_cut);
  EXPECT_TRUE(root().Walk(".", {.max_entries = 2})->is_cut);
  EXPECT_TRUE(root().Walk(".", {.max_depth = 0})->is_cut);
  EXPECT_FALSE(root().Walk("absent").ok());
  EXPECT_FALSE(root().Walk("cuda/link").ok());
}

TEST_P(RootTest, StaysInTheFolderThatWasOpenedWhenItsNameMovesOn) {
  const Root opened = root();
  fs::rename(here(), folder_.path() / "moved");
  fs::create_directory_symlink(victim(), here());
  EXPECT_EQ(*opened.Read("cuda/01-a.md"), "page");
  EXPECT_FALSE(opened.Read("diary").ok());
  ASSERT_TRUE(opened.Write("new", "x").ok());
  EXPECT_FALSE(fs::exists(victim() / "new"));
}

TEST(Root, KnowsWhichPathsAreInside) {
  const TemporaryFolder folder;
  const Root root = *Root::Open(folder.path());
  EXPECT_EQ(*root.Inside(folder.path() / "a/./b/"), "a/b");
  EXPECT_EQ(*root.Inside(folder.path()), ".");
  EXPECT_FALSE(root.Inside(folder.path() / "../x").has_value());
  EXPECT_FALSE(root.Inside("/etc").has_value());
}

TEST(Root, SaysWhatIsWrongWithTheFolder) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "file", "").ok());
  EXPECT_EQ(Root::Open(folder.path() / "absent").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(Root::Open(folder.path() / "file").error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace sibyl
