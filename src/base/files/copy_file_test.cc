// SPDX-License-Identifier: Apache-2.0
#include "base/files/copy_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/hash.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

class CopyFile : public testing::Test {
 protected:
  fs::path At(const std::string& name) const { return folder_.path() / name; }

  std::string Write(const std::string& name, const std::string& bytes) const {
    EXPECT_TRUE(WriteFileAtomically(At(name), bytes).ok());
    return Sha256(bytes);
  }

  std::size_t Files() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_.path())) count += entry.exists();
    return count;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(CopyFile, CopiesInPiecesAndReturnsTheHash) {
  const std::string bytes(3'000'001, 'x');
  const std::string hash = Write("from", bytes);
  const Result<HashedFile> copied = CopyFileAtomically(At("from"), At("to"), {.sha256 = hash});
  ASSERT_TRUE(copied.ok()) << copied.error().message;
  EXPECT_EQ(*copied, (HashedFile{.sha256 = hash, .bytes = bytes.size()}));
  EXPECT_EQ(*HashFile(At("to")), *copied);
  EXPECT_EQ(*ReadFile(At("to")), bytes);
}

TEST_F(CopyFile, OtherBytesThanExpectedLeaveNothing) {
  Write("from", "damaged");
  const Result<HashedFile> copied =
      CopyFileAtomically(At("from"), At("to"), {.sha256 = Sha256("what was wanted")});
  ASSERT_FALSE(copied.ok());
  EXPECT_EQ(copied.error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(Files(), 1U);
}

TEST_F(CopyFile, AMissingFileIsNotFoundAndALinkIsRefused) {
  EXPECT_EQ(HashFile(At("nothing")).error().kind, ErrorKind::kNotFound);
  Write("from", "text");
  fs::create_symlink(At("from"), At("link"));
  EXPECT_FALSE(CopyFileAtomically(At("link"), At("to")).ok());
  EXPECT_FALSE(HashFile(At(".")).ok());
}

TEST_F(CopyFile, ACancelledCopyLeavesNothing) {
  Write("from", std::string(3'000'000, 'x'));
  int pieces = 0;
  const Result<HashedFile> copied =
      CopyFileAtomically(At("from"), At("to"), {.cancelled = [&pieces] { return ++pieces > 1; }});
  ASSERT_FALSE(copied.ok());
  EXPECT_EQ(copied.error().kind, ErrorKind::kCancelled);
  EXPECT_EQ(Files(), 1U);
}

}  // namespace
}  // namespace sibyl
