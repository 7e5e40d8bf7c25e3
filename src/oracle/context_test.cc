// SPDX-License-Identifier: Apache-2.0
#include "oracle/context.h"

#include <gtest/gtest.h>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

class ContextTest : public ::testing::Test {
 protected:
  void Write(const fs::path& path) {
    ASSERT_TRUE(CreateFolders((folder_.path() / path).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(folder_.path() / path, "x").ok());
  }
  TemporaryFolder folder_;
  FixedClock clock_{Time{}};
};

TEST_F(ContextTest, FindsTheOracleInTheNearestParentWithASibylToml) {
  Write("outer/sibyl.toml");
  Write("outer/inner/sibyl.toml");
  Write("outer/inner/a/b/file.md");
  Write("outer/c/file.md");
  EXPECT_EQ(FindOracle(folder_.path() / "outer/inner/a/b"), folder_.path() / "outer/inner");
  EXPECT_EQ(FindOracle(folder_.path() / "outer/c"), folder_.path() / "outer");
  EXPECT_EQ(FindOracle(folder_.path() / "outer/inner"), folder_.path() / "outer/inner");
  EXPECT_EQ(FindOracle("/"), std::nullopt);
}

TEST_F(ContextTest, RefusesAnOracleThatIsNotThereOrNoFolder) {
  Write("file");
  EXPECT_EQ(ChooseOracle(folder_.path(), "no").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(ChooseOracle(folder_.path(), "file").error().kind, ErrorKind::kUsage);
  EXPECT_EQ(*ChooseOracle(folder_.path(), "."), (folder_.path() / ".").lexically_normal());
}

TEST_F(ContextTest, AnAtSignNamesAnInstalledOracleAndNeverAFolderHere) {
  Write("@mine/sibyl.toml");
  EXPECT_EQ(ChooseOracle(folder_.path(), "@mine").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(*ChooseOracle(folder_.path(), "./@mine"), folder_.path() / "@mine");
}

TEST_F(ContextTest, ShowsPathsFromTheWorkingFolder) {
  const Context context{.working_folder = "/home/ann", .oracle = {}, .clock = clock_};
  EXPECT_EQ(ShownPath(context, "/home/ann/plans/x.md"), "plans/x.md");
  EXPECT_EQ(ShownPath(context, "/etc/x.md"), "/etc/x.md");
}

}  // namespace
}  // namespace sibyl::oracle
