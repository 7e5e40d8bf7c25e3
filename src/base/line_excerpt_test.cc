// SPDX-License-Identifier: Apache-2.0
#include "base/line_excerpt.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace sibyl {
namespace {

TEST(LineExcerpt, IsTheWholeLineUpToFourHundredBytes) {
  for (const std::size_t size : {0U, 1U, 399U, 400U}) {
    const std::string line(size, 'x');
    for (std::size_t column = 0; column <= size + 1; ++column) {
      EXPECT_EQ(LineExcerpt(line, column), line);
      EXPECT_EQ(ExcerptBegin(column), 0U);
    }
  }
}

TEST(LineExcerpt, OfALongLineHasItsColumnWhereItShouldBe) {
  std::string line;
  for (int i = 0; line.size() < 3000; ++i) line += "word" + std::to_string(i) + " ";
  for (std::size_t column = 1; column <= line.size(); ++column) {
    const std::string text = LineExcerpt(line, column);
    const std::size_t at = column - 1 - ExcerptBegin(column);
    ASSERT_LE(text.size(), kWholeLineBytes + kExcerptReach);
    ASSERT_EQ(line.substr(ExcerptBegin(column), text.size()), text);
    ASSERT_LT(at, text.size());
    ASSERT_EQ(text[at], line[column - 1]);
    ASSERT_GE(at, std::min<std::size_t>(column - 1, kExcerptReach));
    ASSERT_GE(text.size() - at, std::min<std::size_t>(line.size() - column + 1, kExcerptReach));
  }
}

TEST(LineExcerpt, CutsNoCharacter) {
  std::string line;
  while (line.size() < 3000) line += "a\u00e4\u4e2d\U0001F600";
  std::size_t at = 0;
  while (at < line.size()) {
    const std::string text = LineExcerpt(line, at + 1);
    ASSERT_FALSE(FindInvalidUtf8(text)) << at;
    ASSERT_EQ(DecodeUtf8(std::string_view(text).substr(at - ExcerptBegin(at + 1))).code_point,
              DecodeUtf8(std::string_view(line).substr(at)).code_point);
    at += DecodeUtf8(std::string_view(line).substr(at)).bytes;
  }
}

TEST(LineExcerpt, TakesAnyBytes) {
  const std::string line(2000, '\x80');
  for (std::size_t column = 0; column <= line.size() + 1; ++column) {
    EXPECT_LE(LineExcerpt(line, column).size(), kWholeLineBytes + kExcerptReach);
  }
}

}  // namespace
}  // namespace sibyl
