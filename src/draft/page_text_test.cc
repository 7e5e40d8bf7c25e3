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

TEST(PageText, MakesHeadingsPlain) {
  EXPECT_EQ(PlainHeading("[`Find.cmake`](./Find.cmake)"), "Find.cmake");
}

TEST(PageText, KeepsCodeFontOnlyInPairs) {
  EXPECT_EQ(Escaped("`a_b` and c_d"), "`a_b` and c\\_d");
  EXPECT_EQ(Escaped("a ` b_c"), "a \\` b\\_c");
  EXPECT_EQ(Escaped("``a``"), "\\`\\`a\\`\\`");
  EXPECT_EQ(Escaped(""), "");
}

TEST(PageText, AQuotedSentenceCannotBeginAList) {
  EXPECT_EQ(EscapedQuote("- not an item"), "\\- not an item");
  EXPECT_EQ(EscapedQuote("+ not an item"), "\\+ not an item");
  EXPECT_EQ(EscapedQuote("1. not an item"), "1\\. not an item");
  EXPECT_EQ(EscapedQuote("12) not an item"), "12\\) not an item");
  EXPECT_EQ(EscapedQuote("3 is fine"), "3 is fine");
  EXPECT_EQ(EscapedQuote("=== not a line"), "\\=== not a line");
}

TEST(PageText, LinksAndRolesAreTheirWords) {
  EXPECT_EQ(EscapedQuote("See [the manual](https://x.org/a_b) first."), "See the manual first.");
  EXPECT_EQ(EscapedQuote(":ref:`graphs` are ``cudaGraph``"), "`graphs` are `cudaGraph`");
  EXPECT_EQ(EscapedQuote("an [open bracket"), "an \\[open bracket");
  EXPECT_EQ(PlainHeading("The **`cache`**"), "The cache");
}

TEST(PageText, CodeFontHoldsAnything) {
  EXPECT_EQ(InCode("a"), "`a`");
  EXPECT_EQ(InCode("a`b"), "`` a`b ``");
  EXPECT_EQ(InCode("``"), "``` `` ```");
  EXPECT_EQ(InCode("a|b"), "`a\\|b`");
}

}  // namespace
}  // namespace sibyl::draft
