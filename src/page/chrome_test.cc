// SPDX-License-Identifier: Apache-2.0
#include "page/chrome.h"

#include <gtest/gtest.h>

namespace sibyl::page {
namespace {

Role ByWords(Tag tag, std::string_view classes, std::string_view id = {}) {
  Attributes attributes;
  attributes.classes = classes;
  attributes.id = id;
  return RoleOfWords(tag, attributes);
}

Role ByElement(Tag tag, std::string_view role = {}) {
  Attributes attributes;
  attributes.role = role;
  return RoleOfElement(tag, attributes);
}

TEST(PageChrome, ElementsSayWhatTheyAreFor) {
  EXPECT_EQ(ByElement(Tag::kMain), Role::kMain);
  EXPECT_EQ(ByElement(Tag::kArticle), Role::kArticle);
  EXPECT_EQ(ByElement(Tag::kNav), Role::kNavigation);
  EXPECT_EQ(ByElement(Tag::kFooter), Role::kNavigation);
  EXPECT_EQ(ByElement(Tag::kDiv), Role::kPlain);
}

TEST(PageChrome, TheRoleAttributeCountsOnAnyElement) {
  EXPECT_EQ(ByElement(Tag::kDiv, "main"), Role::kMain);
  EXPECT_EQ(ByElement(Tag::kDiv, "navigation"), Role::kNavigation);
  EXPECT_EQ(ByElement(Tag::kDiv, "dialog"), Role::kNotice);
  EXPECT_EQ(ByElement(Tag::kSpan, "tooltip"), Role::kDecoration);
  EXPECT_EQ(ByElement(Tag::kDiv, "presentation"), Role::kPlain);
}

TEST(PageChrome, WhatIsHiddenIsDecorationButNeverAWholePage) {
  Attributes hidden;
  hidden.hidden = true;
  EXPECT_EQ(RoleOfElement(Tag::kDiv, hidden), Role::kDecoration);
  EXPECT_EQ(RoleOfElement(Tag::kBody, hidden), Role::kPlain);
  EXPECT_EQ(RoleOfElement(Tag::kMain, hidden), Role::kMain);
}

TEST(PageChrome, WordsOfClassesTellFurniture) {
  EXPECT_EQ(ByWords(Tag::kDiv, "sidebar"), Role::kNavigation);
  EXPECT_EQ(ByWords(Tag::kDiv, "wide breadcrumbs"), Role::kNavigation);
  EXPECT_EQ(ByWords(Tag::kDiv, "markdown-body"), Role::kArticle);
  EXPECT_EQ(ByWords(Tag::kA, "headerlink"), Role::kDecoration);
  EXPECT_EQ(ByWords(Tag::kDiv, "gallery"), Role::kPlain);
  EXPECT_EQ(ByWords(Tag::kDiv, ""), Role::kPlain);
}

TEST(PageChrome, ConsentBarsAreToldByTheirNames) {
  for (const char* word :
       {"cookie-notice", "cookies", "onetrust-banner-sdk", "gdpr", "consent-box"}) {
    EXPECT_EQ(ByWords(Tag::kDiv, word), Role::kNotice) << word;
    EXPECT_EQ(ByWords(Tag::kDiv, {}, word), Role::kNotice) << word;
  }
  EXPECT_EQ(ByWords(Tag::kDiv, "cookiecutter"), Role::kPlain);
}

TEST(PageChrome, FurnitureWinsOverContentOnOneElement) {
  EXPECT_EQ(ByWords(Tag::kDiv, "markdown-body sidebar"), Role::kNavigation);
  EXPECT_EQ(ByWords(Tag::kDiv, "sidebar markdown-body"), Role::kNavigation);
}

TEST(PageChrome, AStateOnTheWholePageHidesNothing) {
  EXPECT_EQ(ByWords(Tag::kBody, "sidebar"), Role::kPlain);
  EXPECT_EQ(ByWords(Tag::kHtml, "navigation"), Role::kPlain);
}

TEST(PageChrome, ABoxInALineIsOnlyEverDecoration) {
  EXPECT_EQ(ByWords(Tag::kSpan, "sidebar"), Role::kPlain);
  EXPECT_EQ(ByWords(Tag::kSpan, "lineno"), Role::kDecoration);
  EXPECT_EQ(ByWords(Tag::kSpan, "nb"), Role::kPlain) << "highlighted code";
}

TEST(PageChrome, ASidebarOfTheTextIsText) {
  EXPECT_EQ(ByWords(Tag::kDiv, "docutils sidebar"), Role::kPlain);
}

TEST(PageChrome, GeneratorsAreKnownByTheirBoxes) {
  EXPECT_EQ(ByWords(Tag::kDiv, "body"), Role::kMain) << "Sphinx";
  EXPECT_EQ(ByWords(Tag::kDiv, "topic contents"), Role::kNavigation) << "its table of contents";
  EXPECT_EQ(ByWords(Tag::kDiv, "contents"), Role::kMain) << "Doxygen";
  EXPECT_EQ(ByWords(Tag::kDiv, "fragment"), Role::kCodeBox) << "Doxygen";
  EXPECT_EQ(ByWords(Tag::kTable, "memname"), Role::kSignature) << "Doxygen";
  EXPECT_EQ(ByWords(Tag::kDiv, "memname"), Role::kPlain);
  EXPECT_EQ(ByWords(Tag::kDt, "sig sig-object py"), Role::kSignature) << "Sphinx";
}

TEST(PageChrome, IdsCountOnBoxesAndNotOnWhatTheyName) {
  EXPECT_EQ(ByWords(Tag::kDiv, {}, "toc"), Role::kNavigation);
  EXPECT_EQ(ByWords(Tag::kSection, {}, "toc"), Role::kPlain)
      << "a section about tables of contents";
  EXPECT_EQ(ByWords(Tag::kH2, {}, "navigation"), Role::kPlain);
}

TEST(PageLanguages, AreNamedAsFencesNameThem) {
  EXPECT_EQ(LanguageOf("highlight-c++ notranslate"), "cpp");
  EXPECT_EQ(LanguageOf("language-py"), "python");
  EXPECT_EQ(LanguageOf("lang-sh"), "bash");
  EXPECT_EQ(LanguageOf("highlight highlight-source-rust"), "rust");
  EXPECT_EQ(LanguageOf("code language-cuda line"), "cuda");
}

TEST(PageLanguages, AreEmptyWhenNoneIsNamed) {
  for (const char* classes : {"", "highlight", "language-", "highlight-default", "language-text",
                              "language-none", "lang-<b>", "language-`x`"}) {
    EXPECT_EQ(LanguageOf(classes), "") << classes;
  }
  EXPECT_EQ(LanguageOf("language-" + std::string(100, 'x')), "");
}

}  // namespace
}  // namespace sibyl::page
