// SPDX-License-Identifier: Apache-2.0
#include "oracle/installed_folders.h"

#include <gtest/gtest.h>

#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

class InstalledFoldersTest : public OracleTest {
 protected:
  static std::string Listed(const fs::path& program) {
    std::string names;
    for (const InstalledOracle& oracle : FindInstalledOracles(program)) names += oracle.name + " ";
    return names;
  }
};

TEST_F(InstalledFoldersTest, AnOracleIsAFolderWithASettingsFileInTheInstallation) {
  Write("usr/share/sibyl/oracles/tide/sibyl.toml", "");
  Write("usr/share/sibyl/oracles/cuda/sibyl.toml", "");
  Write("usr/share/sibyl/oracles/cuda/memory/sibyl.toml", "");
  Write("usr/share/sibyl/oracles/notes/README.md", "");
  EXPECT_EQ(Listed(Write("usr/bin/sibyl", "")), "cuda tide ");
  const fs::path loader = Write("usr/lib/sibyl/ld-linux-x86-64.so.2", "");
  EXPECT_EQ(Listed(loader), "cuda tide ");
  const Result<fs::path> cuda = FindInstalledOracle(loader, "@cuda");
  ASSERT_TRUE(cuda.ok());
  EXPECT_EQ(*cuda, top() / "usr/share/sibyl/oracles/cuda");
}

TEST_F(InstalledFoldersTest, ABuildFolderUsesTheOraclesOfItsRepository) {
  Write("oracles/cuda/sibyl.toml", "");
  Write("build/release/CMakeCache.txt", "");
  EXPECT_EQ(Listed(Write("build/release/sibyl", "")), "cuda ");
}

TEST_F(InstalledFoldersTest, AFolderThatEveryoneMayWriteIsNotPartOfTheInstallation) {
  Write("usr/share/sibyl/oracles/cuda/sibyl.toml", "");
  fs::permissions(top() / "usr/share/sibyl/oracles", fs::perms::all);
  EXPECT_EQ(Listed(Write("usr/bin/sibyl", "")), "");
}

TEST_F(InstalledFoldersTest, AMissingOneIsRefusedWithTheNearest) {
  Write("usr/share/sibyl/oracles/cuda/sibyl.toml", "");
  const fs::path program = Write("usr/bin/sibyl", "");
  const Result<fs::path> near = FindInstalledOracle(program, "@cdua");
  ASSERT_FALSE(near.ok());
  EXPECT_EQ(near.error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(near.error().hint, "did you mean '@cuda'?");
  const Result<fs::path> far = FindInstalledOracle(program, "@kubernetes");
  ASSERT_FALSE(far.ok());
  EXPECT_EQ(far.error().hint, "installed: @cuda; for a folder of that name, write ./@kubernetes");
  // Where it is not known what is installed, the working folder is not searched.
  const Result<fs::path> none = FindInstalledOracle("", "@cuda");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().hint, "mount /proc: without it, the installation is not found");
}

}  // namespace
}  // namespace sibyl::oracle
