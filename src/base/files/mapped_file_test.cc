// SPDX-License-Identifier: Apache-2.0
#include "base/files/mapped_file.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"

namespace sibyl {
namespace {

TEST(MappedFile, ShowsTheBytesUntilItsOwnerIsGone) {
  const TemporaryFolder folder;
  const std::string bytes(100'000, 'x');
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "x", bytes).ok());
  Result<MappedFile> file = MappedFile::Open(folder.path() / "x");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->bytes(), bytes);
  const MappedFile moved = std::move(*file);
  EXPECT_EQ(moved.bytes(), bytes);
  EXPECT_TRUE(file->bytes().empty());
}

TEST(MappedFile, KeepsTheOldBytesWhenTheFileIsReplaced) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "x", "old").ok());
  const Result<MappedFile> file = MappedFile::Open(folder.path() / "x");
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "x", "new").ok());
  EXPECT_EQ(file->bytes(), "old");
}

TEST(MappedFile, TakesAnEmptyFileAndRefusesWhatIsNone) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "empty", "").ok());
  EXPECT_EQ(MappedFile::Open(folder.path() / "empty")->bytes(), "");
  EXPECT_EQ(MappedFile::Open(folder.path()).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(MappedFile::Open(folder.path() / "none").error().kind, ErrorKind::kNotFound);
}

}  // namespace
}  // namespace sibyl
