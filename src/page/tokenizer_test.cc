// SPDX-License-Identifier: Apache-2.0
#include "page/tokenizer.h"

#include <gtest/gtest.h>

#include <string>

#include "page/entities.h"

namespace sibyl::page {
namespace {

/// "<p>|text|</p>|" with raw text in braces.
std::string Tokens(std::string_view html) {
  Tokenizer tokenizer(html);
  std::string all;
  for (Token token; tokenizer.Next(token);) {
    switch (token.kind) {
      case Token::Kind::kText:
        all += token.text;
        break;
      case Token::Kind::kRawText:
        all += "{" + std::string(token.text) + "}";
        break;
      case Token::Kind::kStart:
        all += "<" + std::string(TagName(token.tag)) + ">";
        break;
      case Token::Kind::kEnd:
        all += "</" + std::string(TagName(token.tag)) + ">";
        break;
    }
    all += '|';
  }
  return all;
}

/// The attributes of the first start tag.
Attributes First(std::string_view html) {
  Tokenizer tokenizer(html);
  for (Token token; tokenizer.Next(token);) {
    if (token.kind == Token::Kind::kStart) return tokenizer.attributes();
  }
  return {};
}

TEST(Tokenizer, GivesTagsAndText) {
  EXPECT_EQ(Tokens("a<p>b</P>c"), "a|<p>|b|</p>|c|");
  EXPECT_EQ(Tokens(""), "");
  EXPECT_EQ(Tokens("<br/>x<hr / >"), "<br>|x|<hr>|");
}

TEST(Tokenizer, ABracketThatBeginsNothingIsText) {
  EXPECT_EQ(Tokens("if a < b and c <3"), "if a < b and c <3|");
  EXPECT_EQ(Tokens("<"), "<|");
  EXPECT_EQ(Tokens("a <"), "a <|");
}

TEST(Tokenizer, StepsOverCommentsAndDeclarations) {
  EXPECT_EQ(Tokens("<!doctype html>a<!-- <p> -->b<?php x ?>c<![CDATA[d]]>e"), "a|b|c|e|");
  EXPECT_EQ(Tokens("a<!-->b<!--->c"), "a|b|c|") << "these are whole comments";
  EXPECT_EQ(Tokens("a<!-- x --!>b"), "a|b|");
  EXPECT_EQ(Tokens("a</>b</ p>c"), "a|b|c|");
}

TEST(Tokenizer, ACommentOrTagThatNeverEndsEndsThePage) {
  EXPECT_EQ(Tokens("a<!-- b <p>"), "a|");
  EXPECT_EQ(Tokens("a<p title='b <p>"), "a|");
  EXPECT_EQ(Tokens("a<p"), "a|");
  EXPECT_EQ(Tokens("a</"), "a|");
}

TEST(Tokenizer, RawTextEndsWithItsOwnTagOnly) {
  EXPECT_EQ(Tokens("<script>a</p></scripty></SCRIPT >b"),
            "<script>|{a</p></scripty>}|</script>|b|");
  EXPECT_EQ(Tokens("<style></style>x"), "<style>|</style>|x|");
  EXPECT_EQ(Tokens("<title>a <b> c</title>"), "<title>|{a <b> c}|</title>|");
  EXPECT_EQ(Tokens("<script>never ends</scrip"), "<script>|{never ends</scrip}|");
}

TEST(Tokenizer, UnknownTagsAreSaidToBe) {
  EXPECT_EQ(Tokens("<x-y>a</a-very-long-name-of-an-element>"),
            "<" + std::string(TagName(Tag::kUnknown)) + ">|a|</" +
                std::string(TagName(Tag::kUnknown)) + ">|");
}

TEST(Tokenizer, ReadsAttributesInAllQuotings) {
  const Attributes plain = First("<a href=x.html CLASS='one two' id = \"i\">");
  EXPECT_EQ(plain.href, "x.html");
  EXPECT_EQ(plain.classes, "one two");
  EXPECT_EQ(plain.id, "i");
  EXPECT_EQ(First("<a href=a/b/c>").href, "a/b/c");
  EXPECT_EQ(First("<a id='>'>").id, ">");
}

TEST(Tokenizer, TheFirstOfTwoAttributesCounts) {
  EXPECT_EQ(First("<a id=one id=two>").id, "one");
  EXPECT_EQ(First("<a id='' id=two>").id, "") << "an empty one is there too";
}

TEST(Tokenizer, AttributesOfOneTagAreNotThoseOfTheNext) {
  Tokenizer tokenizer("<p id=one><p><p class=c>");
  Token token;
  ASSERT_TRUE(tokenizer.Next(token));
  EXPECT_EQ(tokenizer.attributes().id, "one");
  ASSERT_TRUE(tokenizer.Next(token));
  EXPECT_EQ(tokenizer.attributes().id, "");
  ASSERT_TRUE(tokenizer.Next(token));
  EXPECT_EQ(tokenizer.attributes().id, "");
  EXPECT_EQ(tokenizer.attributes().classes, "c");
}

TEST(Tokenizer, KnowsWhatIsHidden) {
  EXPECT_TRUE(First("<p hidden>").hidden);
  EXPECT_TRUE(First("<p aria-hidden=true>").hidden);
  EXPECT_FALSE(First("<p aria-hidden=false>").hidden);
  EXPECT_FALSE(First("<p hidden=until-found>").hidden) << "a search of the page finds it";
}

TEST(Tokenizer, OddAttributesDoNoHarm) {
  EXPECT_EQ(First("<a =x id=i>").id, "i");
  EXPECT_EQ(First("<a / id=i / >").id, "i");
  EXPECT_EQ(First("<a id>").id, "");
  EXPECT_EQ(First("<a \"id=i>").id, "");
}

std::string WithoutEntities(std::string_view text) { return DecodeEntities(text); }

TEST(Entities, AreDecodedOnce) {
  EXPECT_EQ(WithoutEntities("a &lt; b &amp;&amp; c &gt; d"), "a < b && c > d");
  EXPECT_EQ(WithoutEntities("&amp;lt;"), "&lt;");
  EXPECT_EQ(WithoutEntities("no entity"), "no entity");
  EXPECT_EQ(WithoutEntities(""), "");
}

TEST(Entities, MayBeNumbers) {
  EXPECT_EQ(WithoutEntities("&#65;&#x42;&#X43;"), "ABC");
  EXPECT_EQ(WithoutEntities("&#8212;&#x1F600;"), "—😀");
  EXPECT_EQ(WithoutEntities("&#65 &#x42g"), "A Bg") << "without their semicolon";
}

TEST(Entities, OldNumbersMeanWindows1252) {
  EXPECT_EQ(WithoutEntities("&#146;&#151;&#128;"), "’—€");
}

TEST(Entities, WhatIsNoCharacterIsReplaced) {
  EXPECT_EQ(WithoutEntities("&#0;"), "\uFFFD");
  EXPECT_EQ(WithoutEntities("&#xD800;"), "\uFFFD");
  EXPECT_EQ(WithoutEntities("&#x110000;"), "\uFFFD");
  EXPECT_EQ(WithoutEntities("&#99999999999999999999;"), "\uFFFD");
}

TEST(Entities, OldNamesNeedNoSemicolonAndOthersDo) {
  EXPECT_EQ(WithoutEntities("&copy 2026 &copyright"), "© 2026 ©right");
  EXPECT_EQ(WithoutEntities("&ndash; &ndash x"), "– &ndash x");
}

TEST(Entities, AnAmpersandThatBeginsNothingStays) {
  for (const char* text :
       {"&", "&;", "a & b", "&#;", "&#x;", "&#xg;", "&nosuchname;", "R&D", "&&"}) {
    EXPECT_EQ(WithoutEntities(text), text);
  }
}

TEST(Entities, NeverMakeALongTextOfAShortOne) {
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "&lt;&#9999;&amp";
  EXPECT_LE(WithoutEntities(many).size(), many.size());
}

TEST(Tags, AreFoundByTheirNames) {
  EXPECT_EQ(FindTag("p"), Tag::kP);
  EXPECT_EQ(FindTag("h6"), Tag::kH6);
  EXPECT_EQ(FindTag("blockquote"), Tag::kBlockquote);
  EXPECT_EQ(FindTag("P"), Tag::kUnknown) << "names come in lower case";
  EXPECT_EQ(FindTag(""), Tag::kUnknown);
  EXPECT_EQ(FindTag("paragraph"), Tag::kUnknown);
  for (std::size_t i = 1; i < kTagCount; ++i) {
    const auto tag = static_cast<Tag>(i);
    EXPECT_EQ(FindTag(TagName(tag)), tag) << TagName(tag);
  }
}

TEST(Tags, HaveTheTraitsOfTheirElement) {
  EXPECT_TRUE(Is(Tag::kP, kBlockTag));
  EXPECT_FALSE(Is(Tag::kSpan, kBlockTag));
  EXPECT_TRUE(Is(Tag::kBr, kVoidTag));
  EXPECT_TRUE(Is(Tag::kScript, kRawTag));
  EXPECT_TRUE(Is(Tag::kScript, kSilentTag));
  EXPECT_TRUE(Is(Tag::kCode, kMonospaceTag));
  EXPECT_EQ(HeadingLevel(Tag::kH1), 1);
  EXPECT_EQ(HeadingLevel(Tag::kH6), 6);
  EXPECT_EQ(HeadingLevel(Tag::kHead), 0);
  EXPECT_EQ(HeadingLevel(Tag::kUnknown), 0);
}

}  // namespace
}  // namespace sibyl::page
