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

TEST(PageCharset, ReadsOtherCharacterSets) {
  EXPECT_EQ(DecodeCharset("\x82\xa0", "text/html; charset=Shift_JIS").text, "あ");
  EXPECT_EQ(DecodeCharset("\xc0", "text/html; charset=koi8-r").text, "ю");
  EXPECT_EQ(DecodeCharset("\x93q\x94 \x96", "text/html; charset=iso-8859-1").text, "“q” –");
}

TEST(PageCharset, ANameThatNobodyKnowsCountsAsNone) {
  for (const char* name : {"klingon", "utf-8//TRANSLIT", "../../etc/passwd", ""}) {
    const Decoded decoded = DecodeCharset("caf\xc3\xa9", "text/html; charset=" + std::string(name));
    EXPECT_EQ(decoded.text, "café") << name;
    EXPECT_EQ(decoded.charset, "utf-8") << name;
  }
}

TEST(PageCharset, FindsTheDeclarationOfAPage) {
  EXPECT_EQ(DecodeCharset("<meta charset='koi8-r'>\xc0", "").charset, "koi8-r");
  EXPECT_EQ(
      DecodeCharset("<META http-equiv=Content-Type content=\"text/html; charset=koi8-r\">\xc0",
                    "text/html")
          .charset,
      "koi8-r");
  EXPECT_EQ(DecodeCharset("<?xml version=\"1.0\" encoding=\"koi8-r\"?>\xc0", "").charset, "koi8-r");
  EXPECT_EQ(DecodeCharset("<p>charset=koi8-r</p>caf\xc3\xa9", "").charset, "utf-8")
      << "words of the text";
}

TEST(PageCharset, ACharacterThatIsCutOffIsReplaced) {
  EXPECT_EQ(DecodeCharset("a\x82", "text/html; charset=shift_jis").text, "a\uFFFD");
  EXPECT_EQ(DecodeCharset("a\xe2\x80", "text/html; charset=utf-8").text.substr(0, 1), "a");
}

TEST(PageCharset, APrefixHasNoHalfCharacter) {
  EXPECT_EQ(WholePrefix("aé", 2), "a");
  EXPECT_EQ(WholePrefix("aé", 3), "aé");
  EXPECT_EQ(WholePrefix("€", 2), "");
  EXPECT_EQ(WholePrefix("abc", 0), "");
}

TEST(PageCharset, AMediaTypeHasNoParameters) {
  EXPECT_EQ(MediaTypeOf(" Text/HTML ; charset=utf-8"), "text/html");
  EXPECT_EQ(MediaTypeOf(""), "");
}

}  // namespace
}  // namespace sibyl::page
