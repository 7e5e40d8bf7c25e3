// SPDX-License-Identifier: Apache-2.0
#include "draft/page_text.h"

#include <gtest/gtest.h>

namespace sibyl::draft {
namespace {

TEST(PageText, EscapesWhatMarkdownWouldTakeForMarks) {
  EXPECT_EQ(Escaped("a_b *c* <d> [e]"), "a\\_b \\*c\\* \\<d\\> \\[e\\]");
  EXPECT_EQ(Escaped("keeps `a_b` as code"), "keeps `a_b` as code");
  EXPECT_EQ(Escaped("one ` alone"), "one \\` alone");
}

TEST(PageText, ShowsDocumentationWithoutItsMarkup) {
  EXPECT_EQ(EscapedQuote("Use :command:`project` with ``CUDA``."), "Use `project` with `CUDA`.");
  EXPECT_EQ(EscapedQuote("See [the guide](guide.md) **now**."), "See the guide now.");
  EXPECT_EQ(EscapedQuote("1. first"), "1\\. first");
  EXPECT_EQ(EscapedQuote("-O3 is used"), "\\-O3 is used");
}

TEST(PageText, CellsDoNotEndAtBars) {
  EXPECT_EQ(EscapedCell("a|b"), "a\\|b");
  EXPECT_EQ(InCode("a|b"), "`a\\|b`");
  EXPECT_EQ(InCode("a`b"), "`` a`b ``");
}

TEST(PageText, NamesHeadingsAsGitHubDoes) {
  EXPECT_EQ(Anchor("1.1 Detection order (CUDA, cuDNN)"), "11-detection-order-cuda-cudnn");
  EXPECT_EQ(WithoutNumber("1.1 Detection order"), "Detection order");
  EXPECT_EQ(PlainHeading("[`Find.cmake`](./Find.cmake)"), "Find.cmake");
}

}  // namespace
}  // namespace sibyl::draft
