// SPDX-License-Identifier: Apache-2.0
#include "oracle/inspected_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/temporary_folder.h"

namespace sibyl::oracle {
namespace {

TEST(InspectedFiles, AFileThatWasChangedJustNowHasNoIdentity) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "a";
  EXPECT_FALSE(IdentityOf(file));
  std::ofstream(file) << "a";
  EXPECT_FALSE(IdentityOf(file));
  EXPECT_FALSE(IdentityOf(folder.path()));
  EXPECT_TRUE(IdentityOf("/proc/self/exe"));
}

TEST(InspectedFiles, FindsOnlyTheSameFile) {
  InspectedFiles files;
  const FileIdentity identity{
      .device = 1, .inode = 2, .bytes = 3, .modified_ns = 4, .changed_ns = 5};
  const auto artifact = std::make_shared<const inspect::Artifact>();
  EXPECT_EQ(files.Find("a", identity), nullptr);
  files.Keep("a", identity, artifact);
  EXPECT_EQ(files.Find("a", identity), artifact);
  EXPECT_EQ(files.Find("b", identity), nullptr);
  FileIdentity later = identity;
  later.changed_ns = 6;
  EXPECT_EQ(files.Find("a", later), nullptr);
}

TEST(InspectedFiles, KeepsAFewHundred) {
  InspectedFiles files;
  const auto artifact = std::make_shared<const inspect::Artifact>();
  for (int i = 0; i < 1'000; ++i) files.Keep(std::to_string(i), {}, artifact);
  EXPECT_LE(artifact.use_count(), 201);
  EXPECT_EQ(files.Find("999", {}), artifact);
}

}  // namespace
}  // namespace sibyl::oracle
