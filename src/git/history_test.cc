// SPDX-License-Identifier: Apache-2.0
#include "git/history.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/temporary_folder.h"
#include "git/repository.h"
#include "git/test_git.h"
#include "git/tree_diff.h"

namespace sibyl::git {
namespace {

class HistoryTest : public testing::Test {
 protected:
  std::vector<HistoryCommit> Walk(const std::string& tip, const HistoryLimits& limits = {}) const {
    const Repository repository = *Repository::Open(git_.folder());
    Result<std::vector<HistoryCommit>> commits =
        WalkHistory(*repository.objects(), *ObjectId::FromHex(tip), limits, {});
    EXPECT_TRUE(commits.ok()) << commits.error().message;
    return commits.ok() ? std::move(commits).value() : std::vector<HistoryCommit>();
  }

  std::vector<ChangedFiles> Changes(const std::string& tip, const ChangeOptions& options = {}) {
    const Repository repository = *Repository::Open(git_.folder());
    Result<std::vector<ChangedFiles>> changes = FindChanges(
        *repository.objects(), Walk(tip), [](std::size_t) { return true; }, options);
    EXPECT_TRUE(changes.ok());
    return changes.ok() ? std::move(changes).value() : std::vector<ChangedFiles>();
  }

  TemporaryFolder folder_;
  TestGit git_{folder_.path() / "r"};
};

TEST_F(HistoryTest, HasEveryCommitOnceTheLatestFirst) {
  git_.Write("a.txt", "1\n");
  const std::string first = git_.Commit("first");
  git_.Run({"checkout", "-q", "-b", "side"});
  git_.Write("b.txt", "1\n");
  const std::string side = git_.Commit("side");
  git_.Run({"checkout", "-q", "main"});
  git_.Write("a.txt", "2\n");
  const std::string second = git_.Commit("second");
  git_.Run({"merge", "-q", "--no-ff", "-m", "Merge side", "side"});
  const std::string tip = git_.Run({"rev-parse", "HEAD"});
  const std::vector<HistoryCommit> commits = Walk(tip);
  ASSERT_EQ(commits.size(), 4U);
  EXPECT_EQ(commits[0].id.Hex(), tip);
  EXPECT_TRUE(commits[0].is_merge);
  EXPECT_EQ(commits[0].first_parent.Hex(), second);
  EXPECT_EQ(commits[3].id.Hex(), first);
  EXPECT_EQ(commits[3].first_parent, ObjectId{});
  EXPECT_EQ(Walk(tip, {.most_commits = 2}).size(), 2U);
  EXPECT_EQ(Walk(side).size(), 2U);
}

TEST_F(HistoryTest, NamesTheFilesThatACommitChanged) {
  git_.Write("src/deep/a.c", "1\n");
  git_.Write("src/b.c", "1\n");
  git_.Write("src.txt", "1\n");
  git_.Commit("first");
  git_.Write("src/deep/a.c", "2\n");
  git_.Write("new/folder/c.c", "3\n");
  std::filesystem::remove(git_.folder() / "src/b.c");
  const std::vector<ChangedFiles> changes = Changes(git_.Commit("second"));
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].paths,
            (std::vector<std::string>{"new/folder/c.c", "src/b.c", "src/deep/a.c"}));
  EXPECT_TRUE(changes[0].moves.empty());
  EXPECT_TRUE(changes[1].is_unknown) << "the first commit brings everything";
}

TEST_F(HistoryTest, FollowsAMoveAndGivesUpOnBulk) {
  git_.Write("old/a.c", "a file of its own\n");
  git_.Write("old/same1.c", "twins\n");
  git_.Write("old/same2.c", "twins\n");
  git_.Commit("first");
  git_.Run({"mv", "old", "new"});
  const std::vector<ChangedFiles> moved = Changes(git_.Commit("move"));
  ASSERT_EQ(moved[0].moves.size(), 1U) << "twins could be either";
  EXPECT_EQ(moved[0].moves[0].first, "old/a.c");
  EXPECT_EQ(moved[0].moves[0].second, "new/a.c");
  for (int i = 0; i < 9; ++i) git_.Write("many/" + std::to_string(i), std::to_string(i));
  const std::string tip = git_.Commit("bulk");
  const std::vector<ChangedFiles> bulk = Changes(tip, {.most_files = 8});
  EXPECT_TRUE(bulk[0].is_bulk);
  EXPECT_TRUE(bulk[0].paths.empty());
  EXPECT_FALSE(Changes(tip, {.most_files = 9})[0].is_bulk);
}

TEST_F(HistoryTest, IsTheSameOnAnyNumberOfThreads) {
  for (int i = 0; i < 12; ++i) {
    git_.Write("f" + std::to_string(i % 7), std::to_string(i));
    git_.Commit("change " + std::to_string(i));
  }
  const std::string tip = git_.Run({"rev-parse", "HEAD"});
  const std::vector<ChangedFiles> one = Changes(tip, {.threads = 1});
  const std::vector<ChangedFiles> four = Changes(tip, {.threads = 4});
  ASSERT_EQ(one.size(), four.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].paths, four[i].paths) << i;
}

TEST_F(HistoryTest, EndsWhereAShallowCloneEnds) {
  git_.Write("a", "1");
  git_.Commit("first");
  git_.Write("a", "2");
  const std::string tip = git_.Commit("second");
  git_.Run({"clone", "-q", "--depth=1", "file://" + git_.folder().string(),
            (folder_.path() / "shallow").string()});
  const Repository repository = *Repository::Open(folder_.path() / "shallow");
  const auto commits =
      WalkHistory(*repository.objects(), *ObjectId::FromHex(tip), HistoryLimits{}, {});
  ASSERT_TRUE(commits.ok());
  ASSERT_EQ(commits->size(), 1U);
  EXPECT_EQ((*commits)[0].first_parent, ObjectId{});
  const auto missing = WalkHistory(*repository.objects(), ObjectId{}, HistoryLimits{}, {});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::kNotFound);
}

TEST(ParseWholeCommit, HasParentsAuthorTimeAndMessage) {
  const std::string id(40, 'a');
  const std::string bytes = "tree " + id + "\nparent " + id + "\nparent " + std::string(40, 'b') +
                            "\nauthor Ada <ada@example.org> 1 +0000\n"
                            "committer Bob <bob@example.org> 1767322800 +0100\n"
                            "gpgsig -----BEGIN\n parent of nothing\n\nSubject\n\nparent body\n";
  const std::optional<Commit> commit = ParseWholeCommit(bytes);
  ASSERT_TRUE(commit);
  EXPECT_EQ(commit->parents.size(), 2U);
  EXPECT_EQ(commit->author_view, "Ada <ada@example.org>");
  EXPECT_EQ(commit->time, 1767322800);
  EXPECT_EQ(commit->message_view, "Subject\n\nparent body\n");
  EXPECT_FALSE(ParseWholeCommit("tree short\n"));
  EXPECT_FALSE(ParseWholeCommit(""));
  EXPECT_FALSE(ParseWholeCommit("tree " + id + "\nparent zzz\n"));
}

}  // namespace
}  // namespace sibyl::git
