// SPDX-License-Identifier: Apache-2.0
#include "base/files/user_state.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/files/temporary_folder.h"
#include "base/secret.h"

namespace sibyl {
namespace {

TEST(KeyedHash, IsHmacSha256) {
  // RFC 4231, test case 2.
  EXPECT_EQ(KeyedHash("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(UserState, VerifiesWhatItSignedAndNothingElse) {
  const TemporaryFolder folder;
  const UserState state = *UserState::Open(folder.path() / "state");
  const std::string signature = state.Sign("stage", "text");
  EXPECT_TRUE(state.Verifies("stage", "text", signature));
  EXPECT_FALSE(state.Verifies("stage", "other", signature));
  EXPECT_FALSE(state.Verifies("journal", "text", signature));
  EXPECT_FALSE(state.Verifies("stage", "text", ""));
}

TEST(UserState, KeepsItsKeyAndHasAnotherOneElsewhere) {
  const TemporaryFolder folder;
  const std::string signature = UserState::Open(folder.path() / "a")->Sign("x", "text");
  EXPECT_TRUE(UserState::Open(folder.path() / "a")->Verifies("x", "text", signature));
  EXPECT_FALSE(UserState::Open(folder.path() / "b")->Verifies("x", "text", signature));
}

TEST(UserState, RefusesAKeyThatOthersCanRead) {
  const TemporaryFolder folder;
  ASSERT_TRUE(UserState::Open(folder.path()).ok());
  EXPECT_EQ(Root::Open(folder.path())->About("key")->mode, 0600U);
  ASSERT_EQ(::chmod((folder.path() / "key").c_str(), 0644), 0);
  EXPECT_FALSE(UserState::Open(folder.path()).ok());
}

TEST(UserState, RefusesAKeyThatIsALink) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "chosen", std::string(64, 'a')).ok());
  std::filesystem::create_directory(folder.path() / "state");
  std::filesystem::create_symlink("../chosen", folder.path() / "state/key");
  EXPECT_FALSE(UserState::Open(folder.path() / "state").ok());
}

}  // namespace
}  // namespace sibyl
