// SPDX-License-Identifier: Apache-2.0
#include "git/fetch_git.h"

#include <gtest/gtest.h>

#include "base/files/temporary_folder.h"
#include "git/test_git.h"

namespace sibyl::git {
namespace {

TEST(FetchGit, TakesNoOptionsForAddresses) {
  const TemporaryFolder folder;
  EXPECT_EQ(FetchWithGit(folder.path(), "--upload-pack=touch x", "", {}).error().kind,
            ErrorKind::kUsage);
  EXPECT_EQ(FetchWithGit(folder.path(), "file:///x", "--all", {}).error().kind, ErrorKind::kUsage);
  const Result<ObjectId> other = FetchWithGit(folder.path(), "ext::sh -c true", "", {});
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("ext"), std::string::npos) << other.error().message;
}

// Repositories on this machine are read without git: it would run what they name.
TEST(FetchGit, FetchesNothingFromThisMachine) {
  const TemporaryFolder folder;
  const TestGit git(folder.path() / "origin");
  git.Write("a.txt", "one\n");
  git.Commit("first");
  const std::filesystem::path mirror = folder.path() / "mirror";
  TestGit(folder.path() / "scratch").Run({"init", "-q", "--bare", mirror.string()});
  for (const std::string& url : {"file://" + git.folder().string(), git.folder().string()}) {
    const Result<ObjectId> commit = FetchWithGit(mirror, url, "main", {});
    ASSERT_FALSE(commit.ok()) << url;
    EXPECT_NE(commit.error().message.find("'file' not allowed"), std::string::npos)
        << commit.error().message;
  }
}

}  // namespace
}  // namespace sibyl::git
