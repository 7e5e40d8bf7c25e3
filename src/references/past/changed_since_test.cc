// SPDX-License-Identifier: Apache-2.0
#include "references/past/changed_since.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/temporary_folder.h"
#include "git/test_git.h"

namespace sibyl::references {
namespace {

using Strings = std::vector<std::string>;

class Changed : public testing::Test {
 protected:
  Result<Strings> Since(std::string_view revision) {
    const auto location = FindGitRepository(git_.folder());
    EXPECT_TRUE(location.ok() && *location);
    return ChangedSince(*Repository::Open(**location).value(), revision);
  }

  TemporaryFolder folder_;
  git::TestGit git_{folder_.path() / "repo"};
};

TEST_F(Changed, AreDocumentsThatDifferAndNewOnes) {
  git_.Write("a.md", "a\n");
  git_.Write("b.md", "b\n");
  git_.Commit();
  git_.Write("b.md", "c\n");
  git_.Write("new.md", "d\n");
  EXPECT_EQ(Since("HEAD").value(), (Strings{"b.md", "new.md"}));
  EXPECT_FALSE(Since("--output=x").ok());
}

TEST_F(Changed, AreThoseOfThisBranchOnly) {
  git_.Write("a.md", "a\n");
  git_.Write("b.md", "b\n");
  git_.Commit();
  git_.Run({"checkout", "-q", "-b", "topic"});
  git_.Write("a.md", "changed here\n");
  git_.Commit();
  git_.Run({"checkout", "-q", "main"});
  git_.Write("b.md", "changed there\n");
  git_.Commit();
  git_.Run({"checkout", "-q", "topic"});
  EXPECT_EQ(Since("main").value(), Strings{"a.md"});
}

// The filters of .git/config once ran, as `git diff` runs them.
TEST_F(Changed, AreFoundWithoutRunningFilters) {
  git_.Write("a.md", "a\n");
  git_.Commit();
  const std::filesystem::path ran = folder_.path() / "ran";
  git_.Write(".gitattributes", "*.md filter=evil\n");
  git_.Run({"config", "filter.evil.clean", "touch '" + ran.string() + "'; cat"});
  git_.Write("a.md", "b\n");
  EXPECT_EQ(Since("HEAD").value(), Strings{"a.md"});
  EXPECT_FALSE(std::filesystem::exists(ran));
}

}  // namespace
}  // namespace sibyl::references
