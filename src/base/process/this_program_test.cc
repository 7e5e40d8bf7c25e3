// SPDX-License-Identifier: Apache-2.0
#include "base/process/this_program.h"

#include <gtest/gtest.h>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

TEST(ThisProgram, IsTheTest) { EXPECT_EQ(ThisProgram().filename(), "base_test"); }

// Issue 23: without /proc, an installed program found neither its oracles nor its labs.
TEST(ThisProgram, IsFoundByTheNameThatItWasStartedBy) {
  const TemporaryFolder folder;
  const fs::path program = fs::canonical(folder.path()) / "sibyl";
  ASSERT_TRUE(WriteFileAtomically(program, "").ok());
  fs::create_symlink(program, folder.path() / "link");
  EXPECT_EQ(ProgramStartedAs((folder.path() / "link").c_str()), program);
  EXPECT_EQ(ProgramStartedAs((folder.path() / "gone").c_str()), "");
  EXPECT_EQ(ProgramStartedAs(""), "");
  EXPECT_EQ(ProgramStartedAs(nullptr), "");
}

TEST(ThisProgram, AMarkerTellsThatItIsInTheImage) {
  const TemporaryFolder folder;
  const fs::path program = folder.path() / "sibyl";
  EXPECT_FALSE(IsInOwnImage(program));
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "installed-as", "bundle\n").ok());
  EXPECT_FALSE(IsInOwnImage(program));
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "installed-as", "image\n").ok());
  EXPECT_TRUE(IsInOwnImage(program));
}

}  // namespace
}  // namespace sibyl
