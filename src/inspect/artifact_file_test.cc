// SPDX-License-Identifier: Apache-2.0
#include "inspect/artifact_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "inspect/pages.h"

namespace sibyl::inspect {
namespace {

class ArtifactFiles : public testing::Test {
 protected:
  static constexpr std::size_t kBytes = std::size_t{1} << 20;
  void SetUp() override { ASSERT_TRUE(WriteFileAtomically(path_, std::string(kBytes, 'x')).ok()); }
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "artifact";
};

TEST_F(ArtifactFiles, AreReadWhole) {
  const auto file = ArtifactFile::Open(path_);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->bytes(), std::string(kBytes, 'x'));
  EXPECT_EQ(file->WhatChanged(), std::nullopt);
}

TEST_F(ArtifactFiles, MayBeEmptyAndMayNotBePipes) {
  ASSERT_TRUE(WriteFileAtomically(folder_.path() / "empty", "").ok());
  const auto empty = ArtifactFile::Open(folder_.path() / "empty");
  ASSERT_TRUE(empty.ok());
  EXPECT_TRUE(empty->bytes().empty());
  EXPECT_EQ(empty->WhatChanged(), std::nullopt);
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(ArtifactFile::Open(folder_.path() / "pipe").ok()) << "and nobody waits for a writer";
  EXPECT_FALSE(ArtifactFile::Open(folder_.path() / "none").ok());
}

TEST_F(ArtifactFiles, AFileThatIsCutWhileItIsReadGivesZerosAndSaysSo) {
  const auto file = ArtifactFile::Open(path_);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(::truncate(path_.c_str(), 10), 0);
  ReleasePages(file->bytes());
  EXPECT_EQ(file->bytes().front(), 'x');
  EXPECT_EQ(file->bytes()[kBytes / 2], '\0');
  EXPECT_EQ(file->bytes().back(), '\0');
  ASSERT_TRUE(file->WhatChanged().has_value());
  EXPECT_NE(file->WhatChanged()->find("to 10 bytes"), std::string::npos) << *file->WhatChanged();
}

TEST_F(ArtifactFiles, EvenIfItGrowsAgain) {
  const auto file = ArtifactFile::Open(path_);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(::truncate(path_.c_str(), 0), 0);
  EXPECT_EQ(file->bytes()[kBytes / 2], '\0');
  ASSERT_TRUE(WriteFileAtomically(folder_.path() / "other", "y").ok());
  ASSERT_EQ(::truncate(path_.c_str(), static_cast<off_t>(kBytes)), 0);
  EXPECT_TRUE(file->WhatChanged().has_value());
}

TEST_F(ArtifactFiles, ManyThreadsMayFallIntoTheSameHole) {
  for (int round = 0; round < 20; ++round) {
    SetUp();
    const auto file = ArtifactFile::Open(path_);
    ASSERT_TRUE(file.ok());
    ASSERT_EQ(::truncate(path_.c_str(), 4096), 0);
    std::vector<std::jthread> readers;
    for (std::size_t i = 0; i < 4; ++i) {
      readers.emplace_back([&file, i] {
        std::size_t sum = 0;
        for (std::size_t at = i * 4096; at < kBytes; at += 4096) {
          sum += static_cast<unsigned char>(file->bytes()[at]);
        }
        EXPECT_LE(sum, std::size_t{'x'});
      });
    }
    readers.clear();
    EXPECT_TRUE(file->WhatChanged().has_value());
  }
}

TEST_F(ArtifactFiles, WritingAndMovingAreTold) {
  auto file = ArtifactFile::Open(path_);
  ASSERT_TRUE(file.ok());
  // Replacing the name does not affect the open file.
  ASSERT_TRUE(WriteFileAtomically(path_, "new").ok());
  EXPECT_EQ(file->WhatChanged(), std::nullopt);
  ArtifactFile moved = std::move(file).value();
  EXPECT_EQ(moved.bytes().size(), kBytes);
  auto other = ArtifactFile::Open(path_);
  ASSERT_TRUE(other.ok());
  moved = std::move(other).value();
  EXPECT_EQ(moved.bytes(), "new");
}

// Faults of other libraries are not handled.
using ArtifactFilesDeathTest = ArtifactFiles;
TEST_F(ArtifactFilesDeathTest, FaultsElsewhereEndTheProcessAsEver) {
  const auto file = ArtifactFile::Open(path_);
  ASSERT_TRUE(file.ok());
  EXPECT_DEATH(
      {
        std::FILE* theirs = std::tmpfile();
        void* mapped = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, ::fileno(theirs), 0);
        volatile const char* at = static_cast<const char*>(mapped);
        (void)*at;
      },
      "");
  EXPECT_DEATH((void)::raise(SIGBUS), "");
}

}  // namespace
}  // namespace sibyl::inspect
