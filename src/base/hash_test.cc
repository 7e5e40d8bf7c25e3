// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <utility>

namespace sibyl {
namespace {

constexpr std::string_view kShaOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr std::string_view kShaOfAbc =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(Sha256(""), kShaOfNothing);
  EXPECT_EQ(Sha256("abc"), kShaOfAbc);
}

TEST(Sha256Stream, DoesNotDependOnHowTheBytesAreCut) {
  EXPECT_TRUE(rc::check([](const std::string& first, const std::string& second) {
    Sha256Stream stream;
    stream.Add(first);
    stream.Add(second);
    RC_ASSERT(stream.Finish() == Sha256(first + second));
  }));
}

TEST(Sha256Stream, StartsAnewAndSurvivesAMove) {
  Sha256Stream stream;
  stream.Add("something");
  stream.Finish();
  stream.Add("ab");
  Sha256Stream moved = std::move(stream);
  moved.Add("c");
  EXPECT_EQ(moved.Finish(), kShaOfAbc);
}

TEST(GitBlobId, IsWhatGitHashObjectPrints) {
  EXPECT_EQ(GitBlobId(""), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  EXPECT_EQ(GitBlobId("hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");
}

}  // namespace
}  // namespace sibyl
