// SPDX-License-Identifier: Apache-2.0
#include "base/http_token.h"

#include <gtest/gtest.h>

namespace sibyl {
namespace {

TEST(IsHttpToken, HasNeitherBlanksNorDelimiters) {
  for (const std::string_view text : {"GET", "content-type", "x_1", "!#$%&'*+-.^_`|~"}) {
    EXPECT_TRUE(IsHttpToken(text)) << text;
  }
  for (const std::string_view text : {"", "a b", "a:b", "a/b", "é", "a\t", "\"a\""}) {
    EXPECT_FALSE(IsHttpToken(text)) << text;
  }
}

}  // namespace
}  // namespace sibyl
