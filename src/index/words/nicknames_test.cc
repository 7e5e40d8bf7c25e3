// SPDX-License-Identifier: Apache-2.0
#include "index/words/nicknames.h"

#include <gtest/gtest.h>

namespace sibyl::index {
namespace {

using Views = std::vector<std::string_view>;

TEST(Nicknames, AFormIsFoundWithTheOthersOfItsGroup) {
  const std::vector<Nickname> found = FindNicknames({"is", "ncu", "free"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].said_view, "ncu");
  EXPECT_EQ(found[0].forms_view, Views{"nsight compute"});
  EXPECT_TRUE(FindNicknames({"compute", "nsight"}).empty());
  EXPECT_TRUE(FindNicknames({}).empty());
}

TEST(Nicknames, TheLongestFormIsMeant) {
  const std::vector<Nickname> found =
      FindNicknames({"pinned", "memory"}, "pinned = locked = pinned memory\nmemory = ram\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].said_view, "pinned memory");
  EXPECT_EQ(found[0].forms_view, (Views{"pinned", "locked"}));
}

}  // namespace
}  // namespace sibyl::index
