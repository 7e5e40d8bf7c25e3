// SPDX-License-Identifier: Apache-2.0
#include "engine/text/columns.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::engine {
namespace {

TEST(ShownBytes, HasAUnitThatFits) {
  EXPECT_EQ(ShownBytes(0), "0 B");
  EXPECT_EQ(ShownBytes(1'400), "1.4 kB");
  EXPECT_EQ(ShownBytes(3'000'000), "3.0 MB");
  EXPECT_EQ(ShownBytes(2'100'000'000), "2.1 GB");
}

TEST(Columns, ShortenKeepsWhatFitsAndMarksWhatDoesNot) {
  EXPECT_EQ(Shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(Shorten("abcdef", 5), "abcd…");
  EXPECT_EQ(Shorten("漢字漢字", 5), "漢字…");
  EXPECT_EQ(Shorten("abc", 0), "");
}

TEST(Columns, PadCountsWideCharactersAsTwo) {
  EXPECT_EQ(PadRight("漢", 4), "漢  ");
  EXPECT_EQ(PadLeft("7", 3), "  7");
  EXPECT_EQ(PadRight("long", 2), "long");
}

TEST(Columns, LongWordsAreShortenedInTheirMiddle) {
  const std::string text = "nearest: cuda nvtx3/nvtxDetail/nvtxExtInit.h:134-151, which";
  EXPECT_EQ(ShortenWords(text, 80), text);
  const std::string narrow = ShortenWords(text, 34);
  const std::string wrapped = Wrap(narrow, {.columns = 40, .indent = 6});
  for (const std::string_view line : SplitLines(wrapped)) {
    EXPECT_LE(DisplayWidth(line), 40U) << line;
  }
  EXPECT_TRUE(narrow.ends_with("134-151, which")) << narrow;
  EXPECT_EQ(ShortenWords("", 10), "");
}

TEST(Columns, WrapBreaksAtSpacesAndIndentsWhatFollows) {
  EXPECT_EQ(Wrap("one two three", {.columns = 9, .indent = 2}), "one two\n  three");
  EXPECT_EQ(Wrap("one", {.columns = 2}), "one");
  EXPECT_EQ(Wrap("  a \n b ", {.columns = 80}), "a b");
  EXPECT_EQ(Wrap("", {.columns = 10}), "");
}

TEST(Columns, ShortenedTextNeverTakesMoreRoomThanThereIs) {
  rc::check("width of Shorten is at most columns",
            [](const std::string& bytes, std::uint8_t columns) {
              const std::string text = ReplaceInvalidUtf8(bytes);
              RC_ASSERT(DisplayWidth(Shorten(text, columns)) <= columns);
            });
}

}  // namespace
}  // namespace sibyl::engine
