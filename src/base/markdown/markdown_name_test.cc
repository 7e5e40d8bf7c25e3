// SPDX-License-Identifier: Apache-2.0
#include "base/markdown/markdown_name.h"

#include <gtest/gtest.h>

namespace sibyl {
namespace {

TEST(HasMarkdownName, GoesByTheEnding) {
  for (const std::string_view path : {"a.md", "a/README.MD", "b.markdown", "c.mdx"}) {
    EXPECT_TRUE(HasMarkdownName(path)) << path;
  }
  for (const std::string_view path : {"", "md", "a.rst", "a.md.txt", "a.md/b"}) {
    EXPECT_FALSE(HasMarkdownName(path)) << path;
  }
}

}  // namespace
}  // namespace sibyl
