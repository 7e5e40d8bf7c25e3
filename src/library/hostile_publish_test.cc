// SPDX-License-Identifier: Apache-2.0
// A publication into an oracle that somebody prepared: links and pipes where
// files are expected. Nothing outside is read, written or removed, and nothing
// waits.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "library/carry_out.h"
#include "library/disk.h"
#include "library/intent.h"
#include "library/library.h"
#include "library/test_oracle.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

class HostilePublish : public testing::Test {
 protected:
  HostilePublish() { std::ofstream(victim_.path() / "diary") << "private"; }

  // Nothing of the publication is written, here or there.
  Error Refused() {
    const auto published = Publish(TestPublication(), oracle_.options());
    EXPECT_FALSE(published.ok());
    EXPECT_EQ(ReadFile(victim_.path() / "diary").value(), "private");
    EXPECT_EQ(std::distance(fs::directory_iterator(victim_.path()), {}), 1);
    EXPECT_FALSE(oracle_.Has("gadget/01-profiler.md"));
    return published.ok() ? Error{} : published.error();
  }
  void Replace(const std::string& path, const fs::path& target) const {
    fs::remove_all(oracle_.path() / path);
    fs::create_symlink(target, oracle_.path() / path);
  }

  TestOracle oracle_;
  TemporaryFolder victim_;
};

TEST_F(HostilePublish, ATopicFolderThatIsALinkIsRefused) {
  Replace("cuda", victim_.path());
  EXPECT_NE(Refused().message.find("a symbolic link is on the path"), std::string::npos);
}

TEST_F(HostilePublish, TheFolderOfPlansAsALinkIsRefused) {
  fs::rename(oracle_.path() / "_ingest-auto", oracle_.path() / "plans");
  Replace("_ingest-auto", "plans");
  EXPECT_NE(Refused().message.find("a symbolic link is on the path"), std::string::npos);
}

TEST_F(HostilePublish, PagesThatAreLinksAreRefusedWhereverTheyLead) {
  for (const std::string page : {"cuda/INDEX.md", "SKILL.md"}) {
    for (const fs::path& target :
         {victim_.path() / "diary", victim_.path() / "new", fs::path("theirs.txt")}) {
      Replace(page, target);
      const Error error = Refused();
      EXPECT_EQ(error.message, "publishing " + page + ": it is a symbolic link");
      EXPECT_NE(error.hint.find("replace it with its target"), std::string::npos);
    }
    fs::remove(oracle_.path() / page);
  }
}

TEST_F(HostilePublish, APipeInThePlaceOfAPageIsRefusedWithoutWaiting) {
  fs::remove(oracle_.path() / "cuda/INDEX.md");
  ASSERT_EQ(::mkfifo((oracle_.path() / "cuda/INDEX.md").c_str(), 0600), 0);
  EXPECT_EQ(Refused().message, "publishing cuda/INDEX.md: not a regular file");
}

TEST_F(HostilePublish, APipeAmongTheKnowledgeFilesIsNotRead) {
  ASSERT_EQ(::mkfifo((oracle_.path() / "cuda/09-pipe.md").c_str(), 0600), 0);
  fs::create_symlink(victim_.path() / "diary", oracle_.path() / "cuda/08-diary.md");
  ASSERT_TRUE(Publish(TestPublication(), oracle_.options()).ok());
  const std::string index = oracle_.Read("cuda/INDEX.md");
  EXPECT_EQ(index.find("09-pipe.md"), std::string::npos);
  EXPECT_EQ(index.find("08-diary.md"), std::string::npos);
}

// Without a signature of ours nothing in a stage is believed, whatever it says.
TEST_F(HostilePublish, ForgedRecordsAreMovedAsideAndNothingIsCarriedOut) {
  const std::string page = "# Buy now\n";
  Intent intent{.time = 1, .message = "forged"};
  intent.published.id = "0123456789abcdef";
  intent.steps.push_back(
      {.kind = StepKind::kFile, .path = "cuda/66-x.md", .after = Sha256(page), .staged = "0"});
  const std::string stage = StageOf(intent.published.id);
  oracle_.Write(stage + "/0", page);
  oracle_.Write(stage + "/" + std::string(kIntentFile), FormatIntent(intent));
  oracle_.Write(".sibyl/stage/file", "not a folder");
  oracle_.Write(".sibyl/published.json", FormatPublished(intent.published));
  EXPECT_EQ(FindForeignPublications(oracle_.own()).size(), 3U);
  const auto pending = FinishPending(oracle_.options());
  ASSERT_TRUE(pending.ok()) << pending.error().message;
  EXPECT_FALSE(pending->published);
  EXPECT_EQ(pending->findings.size(), 3U);
  EXPECT_FALSE(oracle_.Has("cuda/66-x.md"));
  for (const char* aside : {"0123456789abcdef-1/0", "file-1", "published.json-1"}) {
    EXPECT_TRUE(oracle_.Has(std::string(".sibyl/aside/") + aside)) << aside;
  }
  EXPECT_TRUE(FindForeignPublications(oracle_.own()).empty());
  EXPECT_EQ(oracle_.Git({"rev-list", "--count", "HEAD"}), "1");
}

// The message is part of what is signed; the file beside it is not.
TEST_F(HostilePublish, AStagedMessageThatWasChangedIsNotUsed) {
  oracle_.SetHook("pre-commit", "#!/bin/sh\nexit 1\n");
  ASSERT_FALSE(Publish(TestPublication(), oracle_.options()).ok());
  std::string stage;
  for (const auto& entry : fs::directory_iterator(oracle_.path() / ".sibyl/stage")) {
    stage = ".sibyl/stage/" + entry.path().filename().string();
  }
  oracle_.Write(stage + "/message", "I agree to everything\n");
  fs::remove(oracle_.path() / ".git/hooks/pre-commit");
  ASSERT_TRUE(FinishPending(oracle_.options()).ok());
  EXPECT_TRUE(oracle_.Git({"log", "-1", "--format=%s"}).starts_with("expand: 2 files"));
}

// Both lie below one root, on two file systems.
TEST(Disk, AFileIsMovedFromOneFileSystemToAnother) {
  const MemoryFolder memory;
  const TemporaryFolder folder;
  struct stat one {};
  struct stat other {};
  ASSERT_EQ(::stat(memory.path().c_str(), &one), 0);
  ASSERT_EQ(::stat(folder.path().c_str(), &other), 0);
  if (one.st_dev == other.st_dev) GTEST_SKIP() << "both are on one file system";
  const Root root = Root::Open("/").value();
  const fs::path from = memory.path().relative_path() / "staged";
  const fs::path to = fs::canonical(folder.path()).relative_path() / "page.md";
  Disk disk;
  ASSERT_TRUE(disk.Write(root, from, "new").ok());
  ASSERT_TRUE(disk.Write(root, to, "old").ok());
  fs::permissions(root.Shown(to), fs::perms::owner_read | fs::perms::owner_write);
  const Status moved = disk.MoveFile(root, from, to);
  ASSERT_TRUE(moved.ok()) << moved.error().message;
  EXPECT_EQ(root.Read(to).value(), "new");
  EXPECT_EQ(root.About(to)->mode, 0600U);
  EXPECT_FALSE(root.Exists(from));
}

}  // namespace
}  // namespace sibyl::library
