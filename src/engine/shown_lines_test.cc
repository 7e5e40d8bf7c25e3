// SPDX-License-Identifier: Apache-2.0
#include "engine/shown_lines.h"

#include <gtest/gtest.h>

namespace sibyl::engine {
namespace {

TEST(ShownLines, AreAsTheyAreUpToALimit) {
  EXPECT_EQ(ShownLine(""), "");
  const std::string longest(kLongestShownLine, 'a');
  EXPECT_EQ(ShownLine(longest), longest);
  EXPECT_EQ(ShownLines("a\n\nb"), "a\n\nb");
  EXPECT_EQ(ShownLines("a\n"), "a\n");
}

TEST(ShownLines, OfEncodedDataAreCutAndSayHowLongTheyAre) {
  const std::string data(200'000, 'A');
  const std::string shown = ShownLines("before\n" + data + "\nafter\n");
  EXPECT_LT(shown.size(), 400U);
  EXPECT_TRUE(shown.starts_with("before\nAAAA"));
  EXPECT_TRUE(shown.ends_with("A… (200000 bytes)\nafter\n"));
}

TEST(ShownLines, ShowWhereTheMatchIs) {
  const std::string line = std::string(5'000, 'x') + "needle" + std::string(5'000, 'y');
  const std::string shown = ShownLine(line, 5'000);
  EXPECT_NE(shown.find("needle"), std::string::npos);
  EXPECT_TRUE(shown.starts_with("…x"));
  EXPECT_TRUE(shown.ends_with("y… (10006 bytes)"));
  EXPECT_TRUE(ShownLine(line, line.size()).ends_with("y (10006 bytes)"));
}

TEST(ShownLines, DivideNoCharacter) {
  std::string line;
  for (int i = 0; i < 3'000; ++i) line += "ä";
  for (const std::size_t at : {0U, 300U, 301U, 3'001U}) {
    EXPECT_EQ(ShownLine(line, at).find("\xEF\xBF\xBD"), std::string::npos) << at;
  }
}

}  // namespace
TEST(ShownLines, AMarkIsWhereItsBytesAreShown) {
  const auto marked = [](std::string_view line, std::size_t begin, std::size_t end) {
    const MarkedLine shown = ShownLineWithMark(line, begin, end);
    return shown.text.substr(shown.begin, shown.end - shown.begin);
  };
  EXPECT_EQ(marked("größe = 4", 0, 7), "größe");
  EXPECT_EQ(marked("\xff\xfe größe", 3, 10), "größe") << "replaced bytes are longer";
  EXPECT_EQ(marked("a\rb c", 4, 5), "c");
  EXPECT_EQ(ShownLineWithMark("a\rb", 0, 0).text, "a␍b");
  const std::string line = std::string(2'000, 'x') + " größe " + std::string(2'000, 'y');
  EXPECT_EQ(marked(line, 2'001, 2'008), "größe");
  EXPECT_TRUE(ShownLineWithMark(line, 2'001, 2'008).text.ends_with(" (4009 bytes)"));
  EXPECT_EQ(marked(line, 2'001, line.size()).find("größe"), 0U)
      << "cut at the end of what is shown";
  EXPECT_EQ(marked("ab", 5, 9), "") << "beyond the line";
}

}  // namespace sibyl::engine
