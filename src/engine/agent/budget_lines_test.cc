// SPDX-License-Identifier: Apache-2.0
#include "engine/agent/budget_lines.h"

#include <gtest/gtest.h>

namespace sibyl::engine {
namespace {

constexpr std::string_view kPage = R"(# Page

> stamp

## 1. One

A statement.[^p1-1]

```sh
## Sources
```

## 2. Two

Another.[^p1-2]

## Sources

[^p1-1]: notes a.md
[^p1-2]: notes b.md
)";

TEST(BudgetLines, OfAPageEndBeforeItsSources) {
  EXPECT_EQ(PageLines(kPage), 16U);
  EXPECT_EQ(PageLines("# Page\n\nText.\n"), 3U);
  EXPECT_EQ(PageLines(""), 0U);
}

TEST(BudgetLines, OfASectionAreThoseFromItsHeadingToTheNext) {
  EXPECT_EQ(SectionLines(kPage, 1), 8U);
  EXPECT_EQ(SectionLines(kPage, 2), 4U);
  EXPECT_EQ(SectionLines(kPage, 3), 0U);
  EXPECT_EQ(SectionLines("## 1. One\n\nText.\n", 1), 3U);
}

}  // namespace
}  // namespace sibyl::engine
