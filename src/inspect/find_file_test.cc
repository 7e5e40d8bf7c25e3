// SPDX-License-Identifier: Apache-2.0
#include "inspect/find_file.h"

#include <gtest/gtest.h>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/hash.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

TEST(FindFile, FindsByContentWhateverTheNameIs) {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, std::string_view bytes) {
    ASSERT_TRUE(CreateFolders((folder.path() / name).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(folder.path() / name, bytes).ok());
  };
  write("a/deep/one.so", "one");
  write("b/same", "one");
  write("b/two", std::string(std::size_t{20} << 20, '2'));
  write("b/.git/three", "three");
  write("b/empty", "");
  fs::create_symlink("two", folder.path() / "b/link");
  for (const unsigned threads : {1U, 3U}) {
    const HashedFiles found =
        HashFiles({folder.path() / "b", folder.path() / "a", folder.path() / "none"}, threads);
    EXPECT_TRUE(found.is_complete);
    EXPECT_EQ(found.by_sha256.size(), 2U);
    EXPECT_EQ(found.by_sha256.at(Sha256("one")).filename(), "one.so");
    EXPECT_EQ(found.by_sha256.at(Sha256(std::string(std::size_t{20} << 20, '2'))).filename(),
              "two");
  }
  EXPECT_EQ(HashFiles({folder.path() / "b/same"}, 1).by_sha256.size(), 1U);
  const HashedFiles cut = HashFiles({folder.path()}, 1, {.max_files = 1});
  EXPECT_FALSE(cut.is_complete);
  EXPECT_EQ(cut.by_sha256.size(), 1U);
  EXPECT_FALSE(HashFiles({folder.path()}, 1, {.max_bytes = 1000}).is_complete);
}

}  // namespace
}  // namespace sibyl::inspect
