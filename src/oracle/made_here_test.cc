// SPDX-License-Identifier: Apache-2.0
#include "oracle/made_here.h"

#include <gtest/gtest.h>

#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

class MadeHereTest : public OracleTest {};

TEST_F(MadeHereTest, KnowsExactlyTheTextThatWasRemembered) {
  const MadeHere made(Here());
  ASSERT_TRUE(made.Remember("facts", "libk.so has 2 cubins").ok());
  EXPECT_TRUE(made.Knows("facts", "libk.so has 2 cubins"));
  EXPECT_FALSE(made.Knows("facts", "libk.so has 3 cubins"));
  EXPECT_FALSE(made.Knows("facts", "libk.so has 2 cubins\n"));
  EXPECT_FALSE(made.Knows("facts", ""));
}

TEST_F(MadeHereTest, KeepsPurposesApart) {
  const MadeHere made(Here());
  ASSERT_TRUE(made.Remember("facts", "text").ok());
  EXPECT_FALSE(made.Knows("labs", "text"));
}

TEST_F(MadeHereTest, RemembersAfterTheProcessHasEnded) {
  ASSERT_TRUE(MadeHere(Here()).Remember("labs", "text").ok());
  EXPECT_TRUE(MadeHere(Here()).Knows("labs", "text"));
}

TEST_F(MadeHereTest, RememberingTwiceIsRememberingOnce) {
  const MadeHere made(Here());
  ASSERT_TRUE(made.Remember("facts", "text").ok());
  ASSERT_TRUE(made.Remember("facts", "text").ok());
  EXPECT_TRUE(made.Knows("facts", "text"));
}

TEST_F(MadeHereTest, AskingCreatesNoFolder) {
  EXPECT_FALSE(MadeHere(Here()).Knows("facts", "text"));
  EXPECT_FALSE(fs::exists(top() / "state"));
}

TEST_F(MadeHereTest, WritesNothingIntoTheOracle) {
  ASSERT_TRUE(MadeHere(Here()).Remember("facts", "text").ok());
  EXPECT_EQ(std::distance(fs::directory_iterator(oracle()), fs::directory_iterator()), 1)
      << "sibyl.toml alone";
}

TEST_F(MadeHereTest, AnotherUserRemembersNothing) {
  ASSERT_TRUE(MadeHere(Here()).Remember("facts", "text").ok());
  Context other = Here();
  other.state = top() / "state-of-another";
  EXPECT_FALSE(MadeHere(other).Knows("facts", "text"));
}

TEST_F(MadeHereTest, ALinkOrAFolderInPlaceOfAMemoryDoesNotCount) {
  const MadeHere made(Here());
  ASSERT_TRUE(made.Remember("facts", "text").ok());
  fs::path memory;
  for (const auto& entry : fs::recursive_directory_iterator(top() / "state/made")) {
    if (entry.is_regular_file()) memory = entry.path();
  }
  ASSERT_FALSE(memory.empty());
  EXPECT_EQ(fs::file_size(memory), 0U) << "its name says everything";
  fs::remove(memory);
  fs::create_symlink("/dev/null", memory);
  EXPECT_FALSE(made.Knows("facts", "text"));
  fs::remove(memory);
  fs::create_directory(memory);
  EXPECT_FALSE(made.Knows("facts", "text"));
}

}  // namespace
}  // namespace sibyl::oracle
