// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace sibyl {
namespace {

TEST(Utf8, FindsTheFirstByteThatIsNotUtf8) {
  EXPECT_EQ(FindInvalidUtf8(""), std::nullopt);
  EXPECT_EQ(FindInvalidUtf8("plain text, longer than a word"), std::nullopt);
  EXPECT_EQ(FindInvalidUtf8("Grüße 漢字 🚀"), std::nullopt);
  EXPECT_EQ(FindInvalidUtf8("0123456789\xff"), 10U);
  EXPECT_EQ(FindInvalidUtf8("a\xc3"), 1U);
  EXPECT_EQ(FindInvalidUtf8("ü\x80"), 2U);
}

TEST(Utf8, RefusesOverlongFormsSurrogatesAndWhatIsTooLarge) {
  for (const char* bad : {"\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xed\xa0\x80",
                          "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"}) {
    EXPECT_EQ(FindInvalidUtf8(bad), 0U);
    EXPECT_EQ(DecodeUtf8(bad).bytes, 1U);
  }
  EXPECT_EQ(FindInvalidUtf8("\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf"), std::nullopt);
}

TEST(Utf8, DecodesEachLength) {
  EXPECT_EQ(DecodeUtf8("a").code_point, U'a');
  EXPECT_EQ(DecodeUtf8("ü").code_point, U'ü');
  EXPECT_EQ(DecodeUtf8("漢").code_point, U'漢');
  EXPECT_EQ(DecodeUtf8("🚀").code_point, U'🚀');
}

TEST(Utf8, ReplacesWhateverComesIntoValidText) {
  EXPECT_EQ(ReplaceInvalidUtf8("a\xff\xfe b"), "a\uFFFD\uFFFD b");
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    const std::string valid = ReplaceInvalidUtf8(bytes);
    RC_ASSERT(FindInvalidUtf8(valid) == std::nullopt);
    RC_ASSERT(FindInvalidUtf8(bytes).has_value() || valid == bytes);
  }));
}

TEST(DisplayWidth, CountsColumnsAndNotBytes) {
  EXPECT_EQ(DisplayWidth("abc"), 3U);
  EXPECT_EQ(DisplayWidth("ü"), 1U);
  EXPECT_EQ(DisplayWidth("e\u0301"), 1U);
  EXPECT_EQ(DisplayWidth("漢字"), 4U);
  EXPECT_EQ(DisplayWidth("✅"), 2U);
  EXPECT_EQ(DisplayWidth("✓"), 1U);
  EXPECT_EQ(DisplayWidth("🚀"), 2U);
}

TEST(ElideMiddle, KeepsBothEndsWithinTheColumns) {
  EXPECT_EQ(ElideMiddle("short", 5), "short");
  EXPECT_EQ(ElideMiddle("abcdefghij", 5), "ab…ij");
  EXPECT_EQ(ElideMiddle("abcdefghij", 1), "…");
  EXPECT_EQ(ElideMiddle("abcdefghij", 0), "");
  EXPECT_EQ(ElideMiddle("漢字漢字漢字", 6), "漢…字");
}

TEST(ElideMiddle, IsNeverWiderThanAsked) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    const auto columns = *rc::gen::inRange<std::size_t>(0, 40);
    RC_ASSERT(DisplayWidth(ElideMiddle(text, columns)) <= columns);
  }));
}

TEST(AppendUtf8, IsUndoneByDecodeUtf8) {
  for (const char32_t c : {U'\0', U'a', U'\x7f', U'é', U'\u07ff', U'\u0800', U'\uffff',
                           U'\U00010000', U'\U0010ffff'}) {
    std::string text;
    AppendUtf8(c, text);
    const Utf8Character character = DecodeUtf8(text);
    EXPECT_TRUE(character.is_valid);
    EXPECT_EQ(character.code_point, c);
    EXPECT_EQ(character.bytes, text.size());
  }
}

TEST(AppendUtf8, ReplacesWhatIsNoCharacter) {
  for (const unsigned c : {0xD800U, 0xDFFFU, 0x110000U, 0xFFFFFFFFU}) {
    std::string text;
    AppendUtf8(static_cast<char32_t>(c), text);
    EXPECT_EQ(text, "\uFFFD");
  }
}

}  // namespace
}  // namespace sibyl
