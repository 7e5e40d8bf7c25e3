// SPDX-License-Identifier: Apache-2.0
#include "index/words/words.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace sibyl::index {
namespace {

std::vector<std::uint32_t> Scan(std::string_view text) {
  WordScanner scanner;
  const auto edges = scanner.Scan(text);
  return {edges.begin(), edges.end()};
}

TEST(Words, AreRunsOfLettersDigitsUnderscoresAndOtherCharacters) {
  EXPECT_EQ(Scan("a_1 (é)-b"), (std::vector<std::uint32_t>{0, 3, 5, 7, 9, 10}));
  EXPECT_TRUE(Scan("").empty());
  EXPECT_TRUE(Scan(" .-").empty());
}

TEST(Words, ClassEveryByteAsTheDefinitionDoes) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    EXPECT_EQ(!Scan(text).empty(), IsWordByte(static_cast<char>(byte))) << byte;
  }
}

TEST(Words, AreTheSameWithAndWithoutVectors) {
  EXPECT_TRUE(rc::check([] {
    // Lengths around the width of a vector, and words that cross it.
    const auto bytes = *rc::gen::container<std::string>(rc::gen::element(' ', 'a', '_', '\xC3'));
    std::string text;
    const int times = *rc::gen::inRange(1, 9);
    for (int i = 0; i < times; ++i) text += bytes;
    RC_ASSERT(Scan(text) == FindWordEdgesPortably(text));
  }));
}

TEST(Words, ForgetTheTextBefore) {
  WordScanner scanner;
  const std::string words(200, 'x');
  EXPECT_EQ(scanner.Scan(words).size(), 2U);
  EXPECT_EQ(scanner.Scan("a b").size(), 4U);
}

}  // namespace
}  // namespace sibyl::index
