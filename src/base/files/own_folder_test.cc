// SPDX-License-Identifier: Apache-2.0
#include "base/files/own_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

class OwnFolderTest : public testing::Test {
 protected:
  OwnFolderTest() { fs::create_directories(oracle()); }

  fs::path oracle() const { return folder_.path() / "oracle"; }
  fs::path own() const { return oracle() / ".sibyl"; }
  UserState state(const std::string& user = "ada") const {
    return *UserState::Open(folder_.path() / user);
  }
  Result<OwnFolder> Open() const { return OwnFolder::Open(oracle(), state()); }
  // The message and the hint of a refusal; what is there stays.
  std::string Refusal() const {
    const auto opened = Open();
    EXPECT_FALSE(OwnFolder::Find(oracle(), state()).ok());
    if (opened.ok()) return "it was opened";
    EXPECT_EQ(opened.error().kind, ErrorKind::kUsage);
    return opened.error().message + "\n" + opened.error().hint;
  }
  void Git(std::vector<std::string> arguments) const {
    const auto outcome =
        RunProgram({.program = "git", .arguments = std::move(arguments), .folder = oracle()});
    ASSERT_TRUE(outcome.ok() && outcome->succeeded());
  }

  TemporaryFolder folder_;
};

TEST_F(OwnFolderTest, IsMadeHiddenFromGitAndFoundAgain) {
  EXPECT_FALSE(OwnFolder::Find(oracle(), state())->has_value());
  EXPECT_FALSE(fs::exists(own())) << "looking makes nothing";
  ASSERT_TRUE(Open().ok());
  EXPECT_EQ(*ReadFile(own() / ".gitignore"), "*\n");
  EXPECT_TRUE(OwnFolder::Find(oracle(), state())->has_value());
}

TEST_F(OwnFolderTest, ALinkInItsPlaceIsRefused) {
  const fs::path victim = folder_.path() / "victim";
  fs::create_directories(victim);
  fs::create_directory_symlink(victim, own());
  EXPECT_NE(Refusal().find("it is a symbolic link\nremove the link"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(victim));
  fs::remove(own());
  fs::create_directory_symlink(folder_.path() / "nowhere", own());
  EXPECT_NE(Refusal().find("it is a symbolic link"), std::string::npos);
}

TEST_F(OwnFolderTest, ALinkOrAPipeInsideIsRefused) {
  fs::create_directories(own() / "stage");
  fs::create_symlink("/etc", own() / "stage" / "x");
  EXPECT_NE(Refusal().find("stage/x in it is a symbolic link"), std::string::npos);
  fs::remove(own() / "stage" / "x");
  ASSERT_EQ(::mkfifo((own() / "journal.db").c_str(), 0600), 0);
  EXPECT_NE(Refusal().find("journal.db in it is not a regular file"), std::string::npos);
}

TEST_F(OwnFolderTest, AFileInItsPlaceIsRefused) {
  ASSERT_TRUE(WriteFileAtomically(own(), "").ok());
  EXPECT_NE(Refusal().find("it is not a folder"), std::string::npos);
}

TEST_F(OwnFolderTest, WhatGitTracksIsRefusedInAnyCaseOfLetters) {
  Git({"init", "-q"});
  for (const std::string name : {".sibyl", ".SIBYL"}) {
    fs::create_directories(oracle() / name);
    ASSERT_TRUE(WriteFileAtomically(oracle() / name / "notes", "x").ok());
    Git({"add", "-f", name + "/notes"});
    const auto opened = Open();
    ASSERT_FALSE(opened.ok()) << name;
    EXPECT_NE(opened.error().message.find("git tracks " + name + "/notes"), std::string::npos)
        << opened.error().message;
    EXPECT_NE(opened.error().hint.find("git rm -r --cached .sibyl"), std::string::npos);
    Git({"rm", "-r", "-q", "--cached", name});
    fs::remove_all(oracle() / name);
    EXPECT_TRUE(Open().ok());
    fs::remove_all(own());
  }
}

TEST_F(OwnFolderTest, OneThatBelongsToAnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  fs::create_directories(own());
  ASSERT_EQ(::chown(own().c_str(), 12'345, 12'345), 0);
  EXPECT_NE(Refusal().find("it belongs to another user"), std::string::npos);
}

TEST_F(OwnFolderTest, SignaturesHoldForOneUserOracleAndPurpose) {
  const OwnFolder folder = *Open();
  const std::string bytes = folder.WithSignature("web", "text\nof two lines\n");
  EXPECT_EQ(folder.Verified("web", bytes), "text\nof two lines\n");
  EXPECT_FALSE(folder.Verified("publication", bytes));
  EXPECT_FALSE(folder.Verified("web", bytes + " "));
  EXPECT_FALSE(folder.Verified("web", bytes.substr(1)));
  EXPECT_FALSE(folder.Verified("web", "text\nof two lines\n"));
  EXPECT_FALSE(folder.Verified("web", ""));
  EXPECT_EQ(folder.Verified("web", folder.WithSignature("web", "")), "");
  EXPECT_FALSE(OwnFolder::Open(oracle(), state("eve"))->Verified("web", bytes));
  fs::rename(oracle(), folder_.path() / "moved");
  EXPECT_FALSE(OwnFolder::Open(folder_.path() / "moved", state())->Verified("web", bytes));
}

TEST_F(OwnFolderTest, ALinkToTheOracleIsTheUsers) {
  fs::create_directory_symlink(oracle(), folder_.path() / "link");
  const std::string bytes = Open()->WithSignature("web", "text");
  EXPECT_EQ(OwnFolder::Open(folder_.path() / "link", state())->Verified("web", bytes), "text");
}

TEST_F(OwnFolderTest, WhatIsMovedAsideKeepsItsBytesAndGetsANumber) {
  const OwnFolder folder = *Open();
  for (const std::string number : {"1", "2"}) {
    ASSERT_TRUE(WriteFileAtomically(own() / "journal.db", "main " + number).ok());
    ASSERT_TRUE(WriteFileAtomically(own() / "journal.db-wal", "log " + number).ok());
    EXPECT_EQ(*folder.MoveAside("journal.db", {"-wal", "-shm"}),
              ".sibyl/aside/journal.db-" + number);
    EXPECT_EQ(*ReadFile(own() / ("aside/journal.db-" + number)), "main " + number);
    EXPECT_EQ(*ReadFile(own() / ("aside/journal.db-" + number + "-wal")), "log " + number);
    EXPECT_FALSE(fs::exists(own() / "journal.db-wal"));
  }
}

}  // namespace
}  // namespace sibyl
