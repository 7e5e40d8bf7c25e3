// SPDX-License-Identifier: Apache-2.0
#include "git/fetch.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/files/temporary_folder.h"
#include "base/process/environment.h"
#include "git/test_git.h"

namespace sibyl::git {
namespace {

TEST(Fetch, TakesNoOptionsForAddresses) {
  const TemporaryFolder folder;
  EXPECT_EQ(FetchCommit(folder.path(), "--upload-pack=touch x", "", {}).error().kind,
            ErrorKind::kUsage);
  EXPECT_EQ(FetchCommit(folder.path(), "file:///x", "--all", {}).error().kind, ErrorKind::kUsage);
  const Result<ObjectId> other = FetchCommit(folder.path(), "ext::sh -c true", "", {});
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("ext"), std::string::npos) << other.error().message;
}

// Repositories on this machine are read without git: it would run what they name.
TEST(Fetch, FetchesNothingFromThisMachine) {
  const TemporaryFolder folder;
  const TestGit git(folder.path() / "origin");
  git.Write("a.txt", "one\n");
  git.Commit("first");
  const std::filesystem::path mirror = folder.path() / "mirror";
  TestGit(folder.path() / "scratch").Run({"init", "-q", "--bare", mirror.string()});
  for (const std::string& url : {"file://" + git.folder().string(), git.folder().string()}) {
    const Result<ObjectId> commit = FetchCommit(mirror, url, "main", {});
    ASSERT_FALSE(commit.ok()) << url;
    EXPECT_NE(commit.error().message.find("'file' not allowed"), std::string::npos)
        << commit.error().message;
  }
}

TEST(Fetch, NamesTheSourceWhereThereIsNoGit) {
  const TemporaryFolder folder;
  const std::string path = EnvironmentVariable("PATH").value_or("");
  ::setenv("PATH", folder.path().c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
  const Result<ObjectId> commit = FetchCommit(folder.path(), "https://example.org/r", "", {});
  ::setenv("PATH", path.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  ASSERT_FALSE(commit.ok());
  EXPECT_EQ(commit.error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(commit.error().message, "fetching https://example.org/r: no such program in PATH: git");
}

TEST(Fetch, WithoutTheNetworkNoGitIsStarted) {
  const TemporaryFolder folder;
  const Result<ObjectId> commit =
      FetchCommit(folder.path(), "https://example.org/r", "main", {.network = Network::kForbidden});
  ASSERT_FALSE(commit.ok());
  EXPECT_EQ(commit.error().cause, ErrorCause::kOffline);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Fetch, APasswordInAnAddressIsRefusedAndNotShown) {
  const TemporaryFolder folder;
  const Result<ObjectId> commit =
      FetchCommit(folder.path(), "https://me:hunter2@example.org/r", "", {});
  ASSERT_FALSE(commit.ok());
  EXPECT_EQ(commit.error().kind, ErrorKind::kUsage);
  EXPECT_EQ((commit.error().message + commit.error().hint).find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace sibyl::git
