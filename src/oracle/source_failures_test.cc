// SPDX-License-Identifier: Apache-2.0
#include "oracle/source_failures.h"

#include <gtest/gtest.h>

namespace sibyl::oracle {
namespace {

SourceFailure Of(std::string name, std::string message) {
  return {.name = std::move(name), .error = {.message = std::move(message)}};
}

TEST(SourceFailures, ManyOfOneReasonAreOne) {
  const auto groups = SameReasons({Of("a", "x"), Of("b", "y"), Of("c", "x"), Of("d", "x"),
                                   Of("e", "x"), Of("f", "x"), Of("g", "y")});
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(SomeNames(groups[0]), "a, c, d, 2 more");
  EXPECT_EQ(SomeNames(groups[1]), "b");
  EXPECT_EQ(SomeNames(groups[2]), "g");
}

TEST(SourceFailures, FourNamesAreShown) {
  const auto groups = SameReasons({Of("a", "x"), Of("b", "x"), Of("c", "x"), Of("d", "x")});
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(SomeNames(groups[0]), "a, b, c, d");
  EXPECT_TRUE(SameReasons({}).empty());
}

}  // namespace
}  // namespace sibyl::oracle
