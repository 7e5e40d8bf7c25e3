// SPDX-License-Identifier: Apache-2.0
#include "support/command.h"

#include <gtest/gtest.h>

namespace sibyl::support {
namespace {

TEST(Command, TheWordsAfterTheProgramAreInTheLines) {
  constexpr std::string_view kRule = "test-warmup: all\n\tpython -m runner warmup\n";
  EXPECT_TRUE(IsCommandOf("make test-warmup", kRule));
  EXPECT_FALSE(IsCommandOf("make test-warm", kRule));
  EXPECT_FALSE(IsCommandOf("make test-warmup fast", kRule));
}

TEST(Command, OtherCodeIsNoCommand) {
  constexpr std::string_view kLines = "b download";
  EXPECT_FALSE(IsCommandOf("a = b", kLines));
  EXPECT_FALSE(IsCommandOf("Tune download", kLines));
  EXPECT_FALSE(IsCommandOf("download", kLines));
  EXPECT_FALSE(IsCommandOf("", kLines));
}

}  // namespace
}  // namespace sibyl::support
