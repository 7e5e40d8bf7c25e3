// SPDX-License-Identifier: Apache-2.0
#include "base/percent.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace sibyl {
namespace {

TEST(EncodeUrlValue, LeavesOnlyWhatIsAlwaysSafe) {
  EXPECT_EQ(EncodeUrlValue("warp divergence & c++"), "warp%20divergence%20%26%20c%2B%2B");
  EXPECT_EQ(EncodeUrlValue("a-b_c.d~e/é"), "a-b_c.d~e%2F%C3%A9");
}

TEST(EncodeUriPath, LeavesSlashes) { EXPECT_EQ(EncodeUriPath("a b/c+d@e"), "a%20b/c%2Bd%40e"); }

TEST(EncodeUrlPath, LeavesWhatServersLeave) {
  EXPECT_EQ(EncodeUrlPath("a b/c+d@e=f,g#h"), "a%20b/c+d@e=f,g%23h");
}

TEST(EncodeQualifier, CannotEndAComment) {
  EXPECT_EQ(EncodeQualifier("a;b%c-->"), "a%3Bb%25c--%3E");
}

TEST(DecodedByte, NeedsTwoDigits) {
  EXPECT_EQ(DecodedByte("a%2f", 1), '/');
  EXPECT_EQ(DecodedByte("a%2f", 0), std::nullopt);
  EXPECT_EQ(DecodedByte("%2", 0), std::nullopt);
  EXPECT_EQ(DecodedByte("%2g", 0), std::nullopt);
  EXPECT_EQ(DecodedByte("", 0), std::nullopt);
}

TEST(DecodePercent, RefusesWhatIsNotEncodedAndTheLenientOneKeepsIt) {
  EXPECT_EQ(DecodePercent("a%20b"), "a b");
  EXPECT_EQ(DecodePercent("a%2"), std::nullopt);
  EXPECT_EQ(DecodePercentLeniently("a%2+%41"), "a%2+A");
  EXPECT_EQ(DecodePercentLeniently("a+%41", PlusSign::kSpace), "a A");
}

TEST(DecodePercent, UndoesEveryEncoding) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    RC_ASSERT(DecodePercent(EncodeUrlValue(bytes)) == bytes);
    RC_ASSERT(DecodePercent(EncodeUriPath(bytes)) == bytes);
    RC_ASSERT(DecodePercent(EncodeUrlPath(bytes)) == bytes);
    RC_ASSERT(DecodePercent(EncodeQualifier(bytes)) == bytes);
  }));
}

}  // namespace
}  // namespace sibyl
