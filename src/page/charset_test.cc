// SPDX-License-Identifier: Apache-2.0
#include "page/charset.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::page {
namespace {

TEST(PageCharset, BelievesTheMarkBeforeTheHeaderBeforeThePage) {
  EXPECT_EQ(DecodeCharset("\xEF\xBB\xBFä", "text/html; charset=iso-8859-1").text, "ä");
  const Decoded latin = DecodeCharset("caf\xE9", "text/html; charset=ISO-8859-1");
  EXPECT_EQ(latin.text, "café");
  EXPECT_EQ(latin.charset, "windows-1252");
  const Decoded page = DecodeCharset("<meta charset=\"iso-8859-2\">\xB1", "text/html");
  EXPECT_EQ(page.charset, "iso-8859-2");
  EXPECT_TRUE(page.text.ends_with("ą"));
  const Decoded old = DecodeCharset(
      "<meta http-equiv=content-type content='text/html; charset=windows-1252'>\x93x\x94", "");
  EXPECT_TRUE(old.text.ends_with("“x”"));
}

TEST(PageCharset, ReadsUtf16) {
  EXPECT_EQ(DecodeCharset(std::string_view("\xFF\xFEh\0i\0", 6), "").text, "hi");
  EXPECT_EQ(DecodeCharset(std::string_view("\xFE\xFF\0h\0i", 6), "").text, "hi");
  EXPECT_EQ(DecodeCharset(std::string_view("h\0i\0", 4), "text/html; charset=utf-16le").text, "hi");
}

TEST(PageCharset, SeesUtf8ThatIsCalledLatin1) {
  EXPECT_EQ(DecodeCharset("café", "text/html; charset=iso-8859-1").text, "café");
  EXPECT_EQ(DecodeCharset("café", "text/html").charset, "utf-8");
  EXPECT_EQ(DecodeCharset("caf\xE9", "text/html").text, "café");
}

TEST(PageCharset, NeverFails) {
  EXPECT_EQ(DecodeCharset("a\xFF", "text/html; charset=utf-8").text, "a\xEF\xBF\xBD");
  EXPECT_EQ(DecodeCharset("abc", "text/html; charset=no-such-thing").text, "abc");
  EXPECT_EQ(DecodeCharset("abc", "text/html; charset=utf-8//TRANSLIT").text, "abc");
  EXPECT_EQ(DecodeCharset(std::string_view("a\0b", 3), "").text,
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(MediaTypeOf(" Text/HTML ; charset=x"), "text/html");
}

}  // namespace
}  // namespace sibyl::page
