// SPDX-License-Identifier: Apache-2.0
#include "git/repository.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/temporary_folder.h"
#include "git/self_contained.h"
#include "git/test_git.h"

namespace sibyl::git {
namespace {

namespace fs = std::filesystem;

class RepositoryTest : public testing::Test {
 protected:
  RepositoryTest() : git_(top() / "r") {
    git_.Write("a.txt", "one\n");
    first_ = git_.Commit("first");
    git_.Run({"tag", "light"});
    git_.Run({"tag", "-a", "annotated", "-m", "x"});
    git_.Run({"branch", "side"});
    git_.Write("a.txt", "two\n");
    second_ = git_.Commit("second");
  }

  // The commit, or the message.
  static std::string Resolved(const fs::path& path, std::string_view revision) {
    const Result<Repository> repository = Repository::Open(path);
    if (!repository.ok()) return repository.error().message;
    const Result<ObjectId> id = repository->ResolveCommit(revision);
    return id.ok() ? id->Hex() : id.error().message;
  }
  std::string Resolved(std::string_view revision) const {
    return Resolved(git_.folder(), revision);
  }

  const fs::path& top() const { return folder_.path(); }

  TemporaryFolder folder_;
  TestGit git_;
  std::string first_;
  std::string second_;
};

TEST_F(RepositoryTest, KnowsACommitByAnyOfItsNames) {
  for (const char* name : {"", "HEAD", "main", "refs/heads/main", "heads/main"}) {
    EXPECT_EQ(Resolved(name), second_) << name;
  }
  for (const char* name : {"light", "annotated", "side", "refs/tags/annotated", "tags/light"}) {
    EXPECT_EQ(Resolved(name), first_) << name;
  }
  EXPECT_EQ(Resolved(first_), first_);
  EXPECT_EQ(Resolved(first_.substr(0, 10)), first_);
}

TEST_F(RepositoryTest, KnowsTheSameNamesWhenTheyArePacked) {
  git_.Run({"pack-refs", "--all"});
  git_.Run({"repack", "-q", "-a", "-d"});
  EXPECT_EQ(Resolved("main"), second_);
  EXPECT_EQ(Resolved("annotated"), first_);
  EXPECT_EQ(Resolved("side"), first_);
  EXPECT_EQ(Resolved(first_.substr(0, 7)), first_);
}

TEST_F(RepositoryTest, ATagWinsOverABranchOfItsName) {
  git_.Run({"branch", "both", second_});
  git_.Run({"tag", "both", first_});
  EXPECT_EQ(Resolved("both"), first_) << "as git does it";
}

TEST_F(RepositoryTest, ABranchOfTheOriginIsFoundByItsShortName) {
  git_.Run({"update-ref", "refs/remotes/origin/feature", first_});
  EXPECT_EQ(Resolved("feature"), first_);
  EXPECT_EQ(Resolved("origin/feature"), first_);
}

TEST_F(RepositoryTest, AnUnknownNameIsToldWithWhatToDo) {
  const Result<Repository> repository = Repository::Open(git_.folder());
  ASSERT_TRUE(repository.ok());
  const Result<ObjectId> id = repository->ResolveCommit("mian");
  ASSERT_FALSE(id.ok());
  EXPECT_EQ(id.error().kind, ErrorKind::kNotFound);
  EXPECT_TRUE(id.error().message.starts_with("unknown ref 'mian'"));
  EXPECT_NE(id.error().hint, "");
}

TEST_F(RepositoryTest, ATreeOrABlobIsNoCommit) {
  EXPECT_NE(Resolved(git_.Run({"rev-parse", "HEAD^{tree}"})).find("is not in the repository"),
            std::string::npos);
  EXPECT_NE(Resolved(std::string(40, 'a')).find("is not in the repository"), std::string::npos);
}

TEST_F(RepositoryTest, AFileBesideHeadIsNoRef) {
  git_.Write(".git/secret", first_ + "\n");
  EXPECT_NE(Resolved("secret"), first_);
  EXPECT_NE(Resolved("config"), first_);
}

TEST_F(RepositoryTest, ANameThatLeadsOutIsNoRef) {
  git_.Write(".git/x", first_ + "\n");
  for (const std::string_view name :
       {std::string_view("refs/../x"), std::string_view("../.git/x"),
        std::string_view("/etc/passwd"), std::string_view("refs/heads/main\0", 16),
        std::string_view("main\n")}) {
    EXPECT_NE(Resolved(name), first_) << name;
    EXPECT_NE(Resolved(name), second_) << name;
  }
}

TEST_F(RepositoryTest, RefsInACircleEnd) {
  git_.Write(".git/refs/heads/a", "ref: refs/heads/b\n");
  git_.Write(".git/refs/heads/b", "ref: refs/heads/a\n");
  EXPECT_TRUE(Resolved("a").starts_with("unknown ref 'a'"));
}

TEST_F(RepositoryTest, WithoutCommitsItSaysSo) {
  const TestGit empty(top() / "empty");
  EXPECT_EQ(Resolved(empty.folder(), "HEAD"), "the repository has no commits yet");
}

TEST_F(RepositoryTest, IsOpenedByItsWorkTreeItsGitFolderOrBare) {
  git_.Run({"clone", "-q", "--bare", git_.folder().string(), (top() / "bare.git").string()});
  for (const fs::path& path : {git_.folder(), git_.folder() / ".git", top() / "bare.git"}) {
    EXPECT_EQ(Resolved(path, "HEAD"), second_) << path;
  }
}

TEST_F(RepositoryTest, ALinkedWorkTreeSharesRefsAndHasItsOwnHead) {
  git_.Run({"worktree", "add", "-q", "--detach", (top() / "linked").string(), first_});
  EXPECT_EQ(Resolved(top() / "linked", "HEAD"), first_);
  EXPECT_EQ(Resolved(top() / "linked", "main"), second_);
}

TEST_F(RepositoryTest, WhatIsNoRepositoryIsNotFound) {
  fs::create_directories(top() / "plain");
  EXPECT_EQ(Repository::Open(top() / "plain").error().kind, ErrorKind::kNotFound);
  EXPECT_NE(Repository::Open(top() / "plain").error().hint, "");
  EXPECT_EQ(Repository::Open(top() / "none").error().kind, ErrorKind::kNotFound);
}

TEST_F(RepositoryTest, ObjectsOfAnotherRepositoryAreNotBorrowed) {
  const TestGit thief(top() / "thief");
  thief.Write(".git/objects/info/alternates", (git_.folder() / ".git/objects").string() + "\n");
  thief.Write(".git/refs/heads/main", second_ + "\n");
  const Result<Repository> repository = Repository::Open(thief.folder());
  ASSERT_FALSE(repository.ok());
  EXPECT_EQ(repository.error().kind, ErrorKind::kUsage);
  EXPECT_NE(repository.error().message.find("borrows objects"), std::string::npos);
}

TEST_F(RepositoryTest, ObjectsThatAreALinkAreRefused) {
  const TestGit thief(top() / "thief");
  fs::remove_all(thief.folder() / ".git/objects");
  fs::create_directory_symlink(git_.folder() / ".git/objects", thief.folder() / ".git/objects");
  EXPECT_FALSE(Repository::Open(thief.folder()).ok());
}

TEST_F(RepositoryTest, WithinAFolderNothingOutsideIsOpened) {
  EXPECT_TRUE(Repository::Open(git_.folder(), top()).ok());
  fs::create_directories(top() / "oracle");
  EXPECT_FALSE(Repository::Open(git_.folder(), top() / "oracle").ok());
  fs::create_directory_symlink(git_.folder(), top() / "oracle/link");
  EXPECT_FALSE(Repository::Open(top() / "oracle/link", top() / "oracle").ok());
  fs::create_directories(top() / "oracle/pointer");
  std::ofstream(top() / "oracle/pointer/.git")
      << "gitdir: " << (git_.folder() / ".git").string() << "\n";
  EXPECT_FALSE(Repository::Open(top() / "oracle/pointer", top() / "oracle").ok());
}

TEST_F(RepositoryTest, AnAbbreviationMustBeOfOneObject) {
  const ObjectDatabase database =
      std::move(ObjectDatabase::Open(git_.folder() / ".git/objects")).value();
  EXPECT_EQ(database.FindByPrefix(first_.substr(0, 12))->Hex(), first_);
  EXPECT_EQ(database.FindByPrefix(first_)->Hex(), first_);
  for (const std::string& digits : {std::string("abc"), std::string(), first_ + "0",
                                    std::string("xyz1"), std::string("ABCD")}) {
    EXPECT_EQ(database.FindByPrefix(digits).error().kind, ErrorKind::kNotFound) << digits;
  }
}

TEST_F(RepositoryTest, ContainsLooseAndPackedObjects) {
  const auto contains = [this](const std::string& id) {
    const ObjectDatabase database =
        std::move(ObjectDatabase::Open(git_.folder() / ".git/objects")).value();
    return database.Contains(*ObjectId::FromHex(id));
  };
  EXPECT_TRUE(contains(first_));
  git_.Run({"repack", "-q", "-a", "-d"});
  EXPECT_TRUE(contains(first_));
  EXPECT_FALSE(contains(std::string(40, 'a')));
}

TEST_F(RepositoryTest, LoosePathsHaveTwoDigitsAsTheirFolder) {
  EXPECT_EQ(LoosePath(*ObjectId::FromHex(first_)),
            fs::path(first_.substr(0, 2)) / first_.substr(2));
}

TEST(Within, IsTheFolderItselfOrBelowIt) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "a/b");
  fs::create_directories(folder.path() / "ab");
  EXPECT_TRUE(IsWithin(folder.path() / "a", folder.path() / "a"));
  EXPECT_TRUE(IsWithin(folder.path() / "a/b", folder.path() / "a"));
  EXPECT_FALSE(IsWithin(folder.path() / "ab", folder.path() / "a"));
  EXPECT_FALSE(IsWithin(folder.path() / "a/..", folder.path() / "a"));
  EXPECT_FALSE(IsWithin(folder.path() / "none", folder.path()));
  fs::create_directory_symlink(folder.path() / "ab", folder.path() / "a/link");
  EXPECT_FALSE(IsWithin(folder.path() / "a/link", folder.path() / "a"));
}

}  // namespace
}  // namespace sibyl::git
