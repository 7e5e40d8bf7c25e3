// SPDX-License-Identifier: Apache-2.0
#include "gate/draft_markup.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "gate/test_book.h"

namespace sibyl::gate {
namespace {

using Strings = std::vector<std::string>;

Strings Markup(const std::string& text) {
  const statement::Statements statements = *statement::ReadStatements(text);
  const Receipts receipts = ReadReceipts(statements);
  return Failures(JudgeDraftMarkup(
      {.name = "a.md", .text_view = text, .statements = statements, .receipts = receipts}));
}

TEST(DraftMarkup, OfAnOrdinaryPageHolds) {
  EXPECT_EQ(Markup(""), Strings{});
  EXPECT_EQ(Markup("# Größe der Queue\r\n\r\nIt takes 3 µs, Δt and λx.\n"), Strings{});
  EXPECT_EQ(Markup("# 队列 🚀 ⚠️ 👩‍💻 – „Zitat“\n\nВсё хорошо. "
                   "می‌خواهم\n"),
            Strings{});
  EXPECT_EQ(Markup("A [link](b.md \"title\") and `<b>` in code.\n\n```html\n<b>\n```\n"),
            Strings{});
}

TEST(DraftMarkup, HtmlAndCommentsAreRefused) {
  for (const char* text :
       {"<details><summary>x</summary></details>\n", "A <sup>2</sup>\n", "<!-- a -->\n",
        "A <!-- b --> c.\n", "<img src=x alt=\"y\">\n", "A <br> b\n", "- <b>x\n", "> <i>x</i>\n",
        "| a |\n| - |\n| <b>x</b> |\n", "# A <span title=\"x\">b</span>\n"}) {
    const Strings found = Markup(text);
    ASSERT_FALSE(found.empty()) << text;
    EXPECT_NE(found[0].find("text/html"), std::string::npos) << found[0];
  }
}

TEST(DraftMarkup, InvisibleCharactersAreRefused) {
  for (const char* bytes : {"\u200b", "\u00ad", "\u2060", "\ufeff", "\u200d", "\u200e", "\u3164",
                            "\ufe0f", "&#8203;", "&#x200b;", "&shy;", "&ZeroWidthSpace;"}) {
    EXPECT_EQ(Markup(std::string("Port 63") + bytes + "80 is used.\n"),
              Strings{"1 text/hidden absent"})
        << bytes;
  }
}

TEST(DraftMarkup, QuotationsAndCodeAreComparedWithTheirSourceInstead) {
  EXPECT_EQ(Markup("> a\u200bb\n\n```\na\u200bb\n```\n"), Strings{});
}

TEST(DraftMarkup, WordsOfTwoAlphabetsAreRefused) {
  EXPECT_EQ(Markup("The s\u043ecket is fast.\n"), Strings{"1 text/script absent"});
  EXPECT_EQ(Markup("The \u03a1ort is fast.\n"), Strings{"1 text/script absent"});
  EXPECT_EQ(Markup("The s&#1086;cket is fast.\n"), Strings{"1 text/script absent"});
}

TEST(DraftMarkup, StruckWordsAreRefused) {
  EXPECT_EQ(Markup("It is ~~not~~ fast.\n"), Strings{"1 text/struck absent"});
  EXPECT_EQ(Markup("It is n\u0336o\u0336t\u0336 fast.\n"), Strings{"1 text/struck absent"});
}

TEST(DraftMarkup, FrontMatterAndUnusedDefinitionsAreRefused) {
  EXPECT_EQ(Markup("---\ntitle: never fails\n---\n\n# T\n"), Strings{"1 text/hidden absent"});
  EXPECT_EQ(Markup("# T\n\n[x]: y.md \"never fails\"\n"), Strings{"3 text/hidden absent"});
  EXPECT_EQ(Markup("# T [x]\n\n[x]: y.md\n"), Strings{});
}

// Words beside the citation are compared with its lines: unmarked_test.cc.
TEST(DraftMarkup, ADefinitionIsOneLine) {
  const TestBook book;
  const auto judge = [&](const std::string& text) {
    const TestFile file(book, text);
    return Failures(JudgeDraftMarkup(file.cited()));
  };
  const std::string definition = book.Define("1", "README.md:3");
  EXPECT_EQ(judge("A.[^1]\n\n" + definition), Strings{});
  EXPECT_EQ(judge("A.[^1]\n\n" + definition + "\n    It never fails.\n"),
            Strings{"5 text/hidden absent"});
  std::string comment = definition;
  comment.insert(comment.find(" <!--"), " <!-- it never fails -->");
  EXPECT_EQ(judge("A.[^1]\n\n" + comment), Strings{"3 text/html absent"});
}

TEST(DraftMarkup, AnyBytesAreRead) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) { (void)Markup(bytes); }));
}

}  // namespace
}  // namespace sibyl::gate
