// SPDX-License-Identifier: Apache-2.0
#include "base/sha1.h"

#include <gtest/gtest.h>

namespace sibyl {
namespace {

TEST(Sha1Stream, NamesTheEmptyBlobAsGitDoes) {
  Sha1Stream stream;
  stream.Add(std::string_view("blob 0\0", 7));
  const auto digest = stream.Finish();
  EXPECT_EQ(digest[0], 0xe6);
  EXPECT_EQ(digest[19], 0x91);
}

TEST(Sha1Stream, StartsAnewAfterFinish) {
  Sha1Stream stream;
  stream.Add("a");
  stream.Add("bc");
  const auto pieces = stream.Finish();
  stream.Add("abc");
  EXPECT_EQ(stream.Finish(), pieces);
}

}  // namespace
}  // namespace sibyl
