// SPDX-License-Identifier: Apache-2.0
// What a response is, and texts that are not HTML.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "base/utf8.h"
#include "page/charset.h"
#include "page/page.h"

namespace sibyl::page {
namespace {

std::string FormFound(std::string_view bytes, std::string_view type, std::string_view url = {}) {
  const Result<Form> form = FormOf(bytes, type, url);
  return form.ok() ? std::string(FormName(*form)) : form.error().message;
}

ExtractedPage Text(std::string_view bytes, std::string_view type = "text/plain") {
  Result<ExtractedPage> document = Extract(bytes, type, "https://example.org/a");
  EXPECT_TRUE(document.ok()) << document.error().message;
  return document.ok() ? std::move(document).value() : ExtractedPage();
}

TEST(FormOfAResponse, IsItsType) {
  EXPECT_EQ(FormFound("x", "text/html; charset=utf-8"), "html");
  EXPECT_EQ(FormFound("x", "APPLICATION/XHTML+XML"), "html");
  EXPECT_EQ(FormFound("x", "text/markdown"), "markdown");
  EXPECT_EQ(FormFound("x", "text/x-rst"), "rst");
  EXPECT_EQ(FormFound("x", "application/ld+json"), "json");
  EXPECT_EQ(FormFound("x", "application/pdf"), "pdf");
  EXPECT_EQ(FormFound("x", "text/x-python"), "text");
}

TEST(FormOfAResponse, ATypeThatIsClearWinsOverTheAddress) {
  EXPECT_EQ(FormFound("x", "text/html", "https://example.org/README.md"), "html");
  EXPECT_EQ(FormFound("x", "application/json", "https://example.org/a.html"), "json");
}

TEST(FormOfAResponse, TheAddressHelpsWherePlainTextIsSent) {
  EXPECT_EQ(FormFound("x", "text/plain", "https://example.org/README.MD"), "markdown");
  EXPECT_EQ(FormFound("x", "text/plain", "https://example.org/a.rst?raw=1#top"), "rst");
  EXPECT_EQ(FormFound("x", "text/plain", "https://example.org/a.html"), "text");
  EXPECT_EQ(FormFound("<!DOCTYPE HTML><p>", "text/plain", "https://example.org/a.html"), "html");
  EXPECT_EQ(FormFound("x", "text/plain", "https://example.org/?file=a.md"), "text");
}

TEST(FormOfAResponse, TheBytesHelpWhereNoTypeIsSent) {
  EXPECT_EQ(FormFound("\n  <HTML><body>", ""), "html");
  EXPECT_EQ(FormFound("<?xml version='1.0'?><html>", ""), "html");
  EXPECT_EQ(FormFound("<?xml version='1.0'?><feed>", ""), "text");
  EXPECT_EQ(FormFound("%PDF-1.7", "text/html"), "pdf") << "whatever the server says";
  EXPECT_EQ(FormFound("plain words", "application/octet-stream"), "text");
}

TEST(FormOfAResponse, BytesThatAreNotTextAreRefused) {
  EXPECT_EQ(FormFound(std::string_view("\x7f\x45LF\0", 5), "", "https://example.org/a"),
            "reading https://example.org/a: it is binary");
  EXPECT_EQ(FormFound("x", "image/png", "https://example.org/a"),
            "reading https://example.org/a: image/png is not text");
  EXPECT_EQ(FormFound(std::string_view("\xFF\xFE"
                                       "a\0",
                                       4),
                      ""),
            "text")
      << "UTF-16 has NUL bytes";
}

TEST(PlainText, KeepsItsLinesAndEndsWithOne) {
  EXPECT_EQ(Text("a\r\nb\rc\n\n\n").text, "a\nb\nc\n");
  EXPECT_EQ(Text("a").text, "a\n");
  EXPECT_EQ(Text("\n\n").text, "");
  EXPECT_EQ(Text("  a\n\n  b").text, "  a\n\n  b\n");
}

TEST(PlainText, HasItsFirstLineWithWordsAsTitle) {
  EXPECT_EQ(Text("=====\n  The   title \n=====\n").title, "The title");
  EXPECT_EQ(Text("").title, "");
  EXPECT_EQ(Text("----\n").title, "");
  EXPECT_EQ(Text(std::string(500, 'a')).title.size(), 120U);
}

TEST(PlainText, HasNoHalfCharacterInItsTitle) {
  EXPECT_FALSE(FindInvalidUtf8(Text(std::string(119, 'a') + "é").title));
  for (std::size_t blank = 4090; blank < 4097; ++blank) {
    EXPECT_FALSE(FindInvalidUtf8(Text(std::string(blank, '\n') + "ééé\n").title)) << blank;
  }
}

TEST(PlainText, OfMarkdownHasItsHeadingAsTitle) {
  EXPECT_EQ(Text("Intro\n\n## Second\n\n# First\n", "text/markdown").title, "First");
  EXPECT_EQ(Text("Intro\n", "text/markdown").title, "");
}

TEST(PlainText, IsDecodedAndCounted) {
  const ExtractedPage document = Text("caf\xE9 au lait", "text/plain; charset=iso-8859-1");
  EXPECT_EQ(document.text, "café au lait\n");
  EXPECT_EQ(document.charset, "windows-1252");
  EXPECT_EQ(document.words, 3U);
}

TEST(PlainText, OverTheLimitIsRefusedWithBothNumbers) {
  const Result<ExtractedPage> document =
      Extract("12345", "text/plain", "https://example.org/a", {.max_bytes = 4});
  ASSERT_FALSE(document.ok());
  EXPECT_EQ(document.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(document.error().message,
            "reading https://example.org/a: 5 bytes, more than the limit of 4");
  EXPECT_TRUE(Extract("1234", "text/plain", "", {.max_bytes = 4}).ok());
}

TEST(HtmlPage, WithoutATitleHasItsFirstHeading) {
  const ExtractedPage document = Text("<main><h2>Cache sizes</h2><p>x</p></main>", "text/html");
  EXPECT_EQ(document.title, "Cache sizes");
}

TEST(HtmlPage, CountsWhatItLeavesOut) {
  const ExtractedPage document =
      Text("<nav>12345</nav><main><p>" + std::string(300, 'w') + "</p></main><footer>678</footer>",
           "text/html");
  EXPECT_EQ(document.left_out_bytes, 8U);
}

// Any bytes under any type and character set.
RC_GTEST_PROP(AnyResponse, BecomesValidTextOrAnError, (const std::vector<std::uint8_t>& numbers)) {
  const std::string bytes(numbers.begin(), numbers.end());
  const auto type = *rc::gen::element<std::string>(
      "", "text/html", "text/plain", "text/markdown", "application/json", "image/png",
      "text/html; charset=utf-16", "text/plain; charset=shift_jis", "text/html; charset=gbk");
  const Result<ExtractedPage> document = Extract(bytes, type, "https://example.org/a");
  if (!document.ok()) return;
  RC_ASSERT(!FindInvalidUtf8(document->text));
  RC_ASSERT(!FindInvalidUtf8(document->title));
  RC_ASSERT(document->text.find('\0') == std::string::npos);
  RC_ASSERT((document->text.empty() ||
             document->text.back() == '\n'));  // in brackets: RC_ASSERT evaluates both sides of ||
}

RC_GTEST_PROP(AnyPrefix, IsWholeAndNoLongerThanAsked, (const std::vector<std::uint32_t>& points)) {
  std::string text;
  for (const std::uint32_t point : points)
    text += point % 3 == 0 ? "a" : point % 3 == 1 ? "é" : "😀";
  const auto most = *rc::gen::inRange<std::size_t>(0, text.size() + 3);
  const std::string_view prefix = WholePrefix(text, most);
  RC_ASSERT(prefix.size() <= most);
  RC_ASSERT(text.starts_with(prefix));
  RC_ASSERT(!FindInvalidUtf8(prefix));
  RC_ASSERT(prefix.size() + 4 > std::min(most, text.size()));
}

}  // namespace
}  // namespace sibyl::page
