// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/fold.h"

#include <gtest/gtest.h>

#include "base/hyperlink.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::interface {
namespace {

TEST(Fold, BreaksAtSpacesAndIndentsWhatFollows) {
  EXPECT_EQ(FoldLines("short\n", 10), "short\n");
  EXPECT_EQ(FoldLines("sibyl: one two three\n", 12), "sibyl: one\n  two three\n");
  EXPECT_EQ(FoldLines("    a quoted line\nb\n", 14), "    a quoted\n      line\nb\n");
  EXPECT_EQ(FoldLines("no line end", 8), "no line\n  end");
  EXPECT_EQ(FoldLines("", 8), "");
}

TEST(Fold, FurtherLinesStartAtTheSecondColumn) {
  EXPECT_EQ(FoldLines("name  what it does\n", 14), "name  what it\n      does\n");
  EXPECT_EQ(FoldLines("a long name  what it does\n", 14), "a long name\n  what it does\n");
}

TEST(Fold, AWordWiderThanALineIsNotBroken) {
  EXPECT_EQ(FoldLines("  see https://example.org/a/long/address now\n", 16),
            "  see\n    https://example.org/a/long/address\n    now\n");
  EXPECT_EQ(FoldLines("https://example.org/a/long/address\n", 16),
            "https://example.org/a/long/address\n");
}

TEST(Fold, StylesAndLinksHaveNoWidth) {
  const Terminal terminal{.is_terminal = true, .has_links = true};
  const std::string line = "\x1b[1;31mred\x1b[0m " + Linked("a link", "https://x.org/", terminal);
  EXPECT_EQ(FoldLines(line, 10), line);
  EXPECT_EQ(Count(SplitLines(FoldLines(line, 8)).size(), "line"), "2 lines");
}

TEST(Fold, WideCharactersCountTwice) {
  const std::string folded = FoldLines("ワープ ワープ ワープ ワープ\n", 14);
  for (const std::string_view line : SplitLines(folded)) {
    EXPECT_LE(DisplayWidth(line), 14U);
  }
}

}  // namespace
}  // namespace sibyl::interface
