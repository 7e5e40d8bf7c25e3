// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/home.h"

#include <gtest/gtest.h>

namespace sibyl::draft {
namespace {

TEST(Home, ADeclarationIsNotACall) {
  EXPECT_TRUE(Declares("int Load(int id);", "Load"));
  EXPECT_TRUE(Declares("#define LIMIT 4", "LIMIT"));
  EXPECT_TRUE(Declares("kLost = 7,", "kLost"));
  EXPECT_TRUE(Declares("option(USE_TRACE \"Trace\" OFF)", "USE_TRACE"));
  EXPECT_TRUE(Declares("parser.add_argument(\"--depth\", default=3)", "depth"));
  EXPECT_FALSE(Declares("const int id = Load(4);", "Load"));
  EXPECT_FALSE(Declares("Load(4);", "Load"));
  EXPECT_FALSE(Declares("// calls Load", "Load"));
  EXPECT_FALSE(Declares("int Open(\n    int mode,\n    int depth);", "depth"));
}

TEST(Home, IsThePageOfAName) {
  const index::Hit page{.path_view = "Help/variable/CACHE_KB.rst",
                        .heading_view = "CACHE_KB",
                        .kind = index::PassageKind::kProse};
  EXPECT_GT(HomeOf(page, {.text = "The size.", .is_first = true}, "CACHE_KB").page, 1.2);
  EXPECT_EQ(HomeOf(page, {.text = "The size."}, "OTHER").page, 1);
}

TEST(Home, IsAnEntryThatOpensWithTheName) {
  const index::Hit hit{.path_view = "docs/all.md", .kind = index::PassageKind::kProse};
  EXPECT_GT(HomeOf(hit, {.text = "- `mode`: how it is read"}, "mode").unit, 1);
  EXPECT_EQ(HomeOf(hit, {.text = "path, mode, depth"}, "mode").unit, 1);
}

}  // namespace
}  // namespace sibyl::draft
