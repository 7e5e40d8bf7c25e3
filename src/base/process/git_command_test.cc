// SPDX-License-Identifier: Apache-2.0
#include "base/process/git_command.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/strings.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

class GitCommandTest : public testing::Test {
 protected:
  GitCommandTest() : top_(fs::canonical(folder_.path())) {}

  static std::string Git(const fs::path& folder, std::vector<std::string> arguments) {
    const auto outcome =
        RunProgram({.program = "git", .arguments = std::move(arguments), .folder = folder});
    EXPECT_TRUE(outcome.ok() && outcome->succeeded()) << (outcome.ok() ? outcome->errors : "");
    return outcome.ok() ? std::string(Trim(outcome->output)) : "";
  }
  fs::path Make(const std::string& name) const {
    fs::create_directories(top_ / name);
    return top_ / name;
  }
  fs::path MakeRepository(const std::string& name) const {
    const fs::path folder = Make(name);
    Git(folder, {"init", "-q", "-b", "main"});
    Git(folder, {"-c", "user.name=Ada", "-c", "user.email=a@example.org", "commit", "-q",
                 "--allow-empty", "-m", "start"});
    return folder;
  }
  static void Write(const fs::path& path, std::string_view text) {
    fs::create_directories(path.parent_path());
    ASSERT_TRUE(WriteFileAtomically(path, text).ok());
  }
  // As it may be committed into any repository.
  static void LayOutBare(const fs::path& folder, const std::string& config) {
    Write(folder / "HEAD", "ref: refs/heads/main\n");
    Write(folder / "objects/keep", "");
    Write(folder / "refs/keep", "");
    Write(folder / "config", "[core]\n\trepositoryformatversion = 0\n" + config);
  }

  TemporaryFolder folder_;
  fs::path top_;
};

TEST_F(GitCommandTest, FindsTheWorkTreeThatHoldsAFolder) {
  const fs::path repository = MakeRepository("repository");
  const auto found = FindGitRepository(Make("repository/a/b"));
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ((*found)->work_tree, repository);
  EXPECT_EQ((*found)->git_dir, repository / ".git");
  EXPECT_FALSE(FindGitRepository(Make("elsewhere"))->has_value());
  EXPECT_FALSE(FindGitRepository(top_ / "nowhere")->has_value());
}

TEST_F(GitCommandTest, ABareRepositoryAmongTheFilesIsNotOne) {
  const fs::path canary = top_ / "canary";
  LayOutBare(Make("alone"), "\tbare = false\n\tworktree = .\n");
  EXPECT_FALSE(FindGitRepository(top_ / "alone")->has_value());
  EXPECT_TRUE(IsGitDir(top_ / "alone"));

  const fs::path repository = MakeRepository("repository");
  const fs::path inner = Make("repository/inner");
  LayOutBare(inner, "\tbare = false\n\tworktree = .\n\tfsmonitor = touch '" + canary.string() +
                        "'; false\n");
  const auto found = FindGitRepository(inner);
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ((*found)->work_tree, repository);
  const auto status =
      RunProgram(GitCommand(**found, inner, {"status", "--porcelain", "--untracked-files=all"}));
  ASSERT_TRUE(status.ok() && status->succeeded()) << status->errors;
  EXPECT_NE(status->output.find("inner/config"), std::string::npos) << status->output;
  EXPECT_FALSE(fs::exists(canary));
}

TEST_F(GitCommandTest, LinkedWorkTreesAreUsed) {
  const fs::path repository = MakeRepository("repository");
  Git(repository, {"worktree", "add", "-q", (top_ / "linked").string()});
  const auto found = FindGitRepository(top_ / "linked");
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ((*found)->work_tree, top_ / "linked");
  EXPECT_EQ((*found)->git_dir, repository / ".git/worktrees/linked");
  const auto head = RunProgram(GitCommand(**found, top_ / "linked", {"rev-parse", "HEAD"}));
  EXPECT_EQ(std::string(Trim(head->output)), Git(repository, {"rev-parse", "HEAD"}));
}

TEST_F(GitCommandTest, AGitDirAmongTheTrackedFilesIsRefused) {
  const fs::path folder = Make("folder");
  LayOutBare(folder / "evil", "");
  Write(folder / ".git", "gitdir: evil\n");
  const auto found = FindGitRepository(folder);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().kind, ErrorKind::kUsage);
  EXPECT_NE(found.error().message.find("inside the repository itself"), std::string::npos);
  fs::remove(folder / ".git");
  fs::create_directory_symlink("evil", folder / ".git");
  EXPECT_FALSE(FindGitRepository(folder).ok());
}

TEST_F(GitCommandTest, OneOfAnotherUserIsRefusedUnlessGitAllowsIt) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  const fs::path repository = MakeRepository("repository");
  ASSERT_EQ(::chown((repository / ".git").c_str(), 12'345, 12'345), 0);
  const auto found = FindGitRepository(repository);
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message.find("belongs to another user"), std::string::npos);
  Write(top_ / "gitconfig", "[safe]\n\tdirectory = " + repository.string() + "\n");
  const std::string config = (top_ / "gitconfig").string();
  const char* before = std::getenv("GIT_CONFIG_GLOBAL");  // NOLINT(concurrency-mt-unsafe)
  const std::string old = before != nullptr ? before : "";
  ::setenv("GIT_CONFIG_GLOBAL", config.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_TRUE(FindGitRepository(repository).ok());
  if (before != nullptr) {
    ::setenv("GIT_CONFIG_GLOBAL", old.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  } else {
    ::unsetenv("GIT_CONFIG_GLOBAL");  // NOLINT(concurrency-mt-unsafe)
  }
}

TEST_F(GitCommandTest, VariablesThatLeadGitElsewhereAreRemoved) {
  for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
                           "GIT_EXTERNAL_DIFF", "GIT_NEW_VARIABLE"}) {
    ::setenv(name, "/nowhere", 1);  // NOLINT(concurrency-mt-unsafe)
    EXPECT_FALSE(GitEnvironment().contains(name)) << name;
    ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
  }
  for (const char* name : {"GIT_AUTHOR_NAME", "GIT_COMMITTER_DATE", "GIT_ASKPASS",
                           "GIT_SSH_COMMAND", "GIT_CONFIG_SYSTEM", "SIBYL_TEST_VARIABLE"}) {
    ::setenv(name, "kept", 1);  // NOLINT(concurrency-mt-unsafe)
    EXPECT_EQ(GitEnvironment()[name], "kept") << name;
    ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
  }
}

}  // namespace
}  // namespace sibyl
