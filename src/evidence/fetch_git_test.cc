// SPDX-License-Identifier: Apache-2.0
#include "evidence/fetch_git.h"

#include <gtest/gtest.h>

#include <fstream>

#include "evidence/test_git.h"

namespace sibyl::evidence {
namespace {

// After a fetch that was cut off the next one completes.
TEST(FetchGit, FetchesOneCommitAndSweepsWhatAKilledFetchLeft) {
  const TemporaryFolder folder;
  const TestGit git(folder.path() / "origin");
  git.Write("a.txt", "one\n");
  git.Commit("first");
  git.Write("a.txt", "two\n");
  const std::string second = git.Commit("second");
  const std::filesystem::path mirror = folder.path() / "mirror";
  TestGit(mirror.parent_path() / "scratch").Run({"init", "-q", "--bare", mirror.string()});
  const std::filesystem::path pack = mirror / "objects" / "pack";
  std::ofstream(pack / "tmp_pack_x1") << "half a pack";
  std::ofstream(mirror / "shallow.lock") << "";
  std::filesystem::create_directories(mirror / "objects" / "incoming-y");

  const std::string url = "file://" + git.folder().string();
  const Result<ObjectId> commit = FetchWithGit(mirror, url, "main", {});
  ASSERT_TRUE(commit.ok()) << commit.error().message;
  EXPECT_EQ(commit->Hex(), second);
  EXPECT_TRUE(std::filesystem::exists(mirror / "shallow")) << "history was fetched too";
  EXPECT_FALSE(std::filesystem::exists(pack / "tmp_pack_x1"));
  EXPECT_FALSE(std::filesystem::exists(mirror / "objects" / "incoming-y"));
}

TEST(FetchGit, TakesNoOptionsForAddresses) {
  const TemporaryFolder folder;
  EXPECT_EQ(FetchWithGit(folder.path(), "--upload-pack=touch x", "", {}).error().kind,
            ErrorKind::kUsage);
  EXPECT_EQ(FetchWithGit(folder.path(), "file:///x", "--all", {}).error().kind, ErrorKind::kUsage);
  const Result<ObjectId> other = FetchWithGit(folder.path(), "ext::sh -c true", "", {});
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("ext"), std::string::npos) << other.error().message;
}

}  // namespace
}  // namespace sibyl::evidence
