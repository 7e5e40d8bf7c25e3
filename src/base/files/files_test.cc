// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/files/temporary_folder.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

std::size_t CountFiles(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(ReadFile, GivesAllBytesIncludingZeros) {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\r\n\xff", 6);
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "x", bytes).ok());
  EXPECT_EQ(*ReadFile(folder.path() / "x"), bytes);
}

TEST(ReadFile, SaysWhichFileIsMissing) {
  const Result<std::string> text = ReadFile("/nonexistent/plan.md");
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(text.error().message, "opening /nonexistent/plan.md: no such file or directory");
}

TEST(ReadFile, RefusesAFolderAsAWrongRequest) {
  const Result<std::string> text = ReadFile("/");
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().kind, ErrorKind::kUsage);
}

TEST(ReadFile, HoldsTheLimitForFilesAndForWhatHasNoSize) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "x", "12345").ok());
  EXPECT_TRUE(ReadFile(folder.path() / "x", {.max_bytes = 5}).ok());
  EXPECT_FALSE(ReadFile(folder.path() / "x", {.max_bytes = 4}).ok());
  EXPECT_FALSE(ReadFile("/dev/zero", {.max_bytes = 100'000}).ok());
  EXPECT_TRUE(ReadFile("/proc/self/status").ok());  // says that it has 0 bytes
}

TEST(WriteFileAtomically, ReplacesAndLeavesNothingElseBehind) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "plan.md";
  ASSERT_TRUE(WriteFileAtomically(file, "old").ok());
  ASSERT_TRUE(WriteFileAtomically(file, "new").ok());
  EXPECT_EQ(*ReadFile(file), "new");
  EXPECT_EQ(CountFiles(folder.path()), 1U);
}

TEST(WriteFileAtomically, KeepsTheModeOfTheFileItReplaces) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "private";
  ASSERT_TRUE(WriteFileAtomically(file, "old").ok());
  ASSERT_EQ(::chmod(file.c_str(), 0640), 0);
  ASSERT_TRUE(WriteFileAtomically(file, "new").ok());
  struct stat about {};
  ASSERT_EQ(::stat(file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0640U);
}

TEST(WriteFileAtomically, WritesThroughNoLink) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "real", "old").ok());
  fs::create_symlink("real", folder.path() / "link");
  const Status written = WriteFileAtomically(folder.path() / "link", "new");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message, "replacing " + (folder.path() / "link").string() +
                                         ": it is a symbolic link, not a regular file");
  EXPECT_EQ(*ReadFile(folder.path() / "real"), "old");
}

TEST(ReadFile, NeverWaitsForANamedPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  const Result<std::string> text = ReadFile(folder.path() / "pipe");
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().kind, ErrorKind::kUsage);
}

TEST(ReadFile, ReadsWhatTheShellHandsOver) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "plan", 4), 4);
  ::close(ends[1]);
  EXPECT_EQ(*ReadFile("/dev/fd/" + std::to_string(ends[0])), "plan");
  ::close(ends[0]);
}

TEST(WriteFileAtomically, RefusesALoopOfLinks) {
  const TemporaryFolder folder;
  fs::create_symlink("b", folder.path() / "a");
  fs::create_symlink("a", folder.path() / "b");
  EXPECT_FALSE(WriteFileAtomically(folder.path() / "a", "x").ok());
}

TEST(WriteFileAtomically, WritesAPathWithoutAFolder) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  EXPECT_TRUE(WriteFileAtomically("plan.md", "text").ok());
  fs::current_path(before);
  EXPECT_EQ(*ReadFile(folder.path() / "plan.md"), "text");
}

TEST(WriteFileAtomically, TakesTheLongestNameTheSystemAllows) {
  const TemporaryFolder folder;
  EXPECT_TRUE(WriteFileAtomically(folder.path() / std::string(255, 'n'), "x").ok());
}

TEST(WriteFileAtomically, LeavesTheOldFileWhenTheNewOneCannotBeWritten) {
  const Status full = WriteFileAtomically("/dev/full", "x");
  EXPECT_FALSE(full.ok());
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "folder");
  EXPECT_FALSE(WriteFileAtomically(folder.path() / "folder", "x").ok());
  EXPECT_FALSE(WriteFileAtomically(folder.path() / "missing" / "x", "x").ok());
  EXPECT_EQ(CountFiles(folder.path()), 1U);
}

TEST(CreateFolders, IsFineWithWhatIsThereAndNotWithAFileInTheWay) {
  const TemporaryFolder folder;
  EXPECT_TRUE(CreateFolders(folder.path() / "a" / "b").ok());
  EXPECT_TRUE(CreateFolders(folder.path() / "a" / "b").ok());
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "file", "").ok());
  EXPECT_FALSE(CreateFolders(folder.path() / "file" / "b").ok());
}

}  // namespace
}  // namespace sibyl
