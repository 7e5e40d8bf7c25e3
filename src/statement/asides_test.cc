// SPDX-License-Identifier: Apache-2.0
// Statements::asides: what a page shows or hides beside its sentences.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "statement/code_texts.h"
#include "statement/gathered.h"
#include "statement/statement.h"

namespace sibyl::statement {
namespace {

using Strings = std::vector<std::string>;

Strings Asides(std::string_view source, StatementKind kind) {
  Strings texts;
  const Statements read = *ReadStatements(source);
  for (const Statement& aside : read.asides) {
    if (aside.kind == kind) texts.push_back(aside.text);
  }
  return texts;
}

TEST(Asides, AreAltTextsAndTitles) {
  const std::string source =
      "See ![a *nice* picture](p.png \"its title\") and [x][r].\n\n[r]: y.md 'never fails'\n";
  EXPECT_EQ(Asides(source, StatementKind::kAlt), Strings{"a nice picture"});
  EXPECT_EQ(Asides(source, StatementKind::kTitle), (Strings{"its title", "never fails"}));
  EXPECT_EQ(Asides("![by name][r]\n\n[r]: p.png\n", StatementKind::kAlt), Strings{"by name"});
}

TEST(Asides, AreTheWordsOfHtmlAndItsComments) {
  EXPECT_EQ(Asides("<details><summary>Works</summary>\n</details>\n", StatementKind::kHtml),
            Strings{"Works"});
  EXPECT_EQ(Asides("An <img src=x alt=\"fast one\"> here.\n", StatementKind::kHtml),
            Strings{"fast one"});
  EXPECT_EQ(Asides("a <!-- b --> c\n\n<!-- d -->\n", StatementKind::kHtmlComment),
            (Strings{"<!-- b -->", "<!-- d -->"}));
  EXPECT_EQ(Asides("<!-- d -->\n", StatementKind::kHtml), Strings{});
  EXPECT_EQ(HtmlWords("<![CDATA[x]]>"), "x]]");
  EXPECT_EQ(HtmlWords("<a title='t' href=x>y</a>"), "t y");
}

TEST(Asides, AreTheWordsOfAFootnoteAndNotItsCitation) {
  const std::string cited =
      "A.[^1]\n\n[^1]: gadget a.c#L2 and more <!-- "
      "swh:1:cnt:f3441f2963ab56d651795b91dde103d2163428c8;origin=/gadget;lines=2 -->\n";
  EXPECT_EQ(Asides(cited, StatementKind::kNote), Strings{"gadget a.c#L2 and more "});
  EXPECT_EQ(Asides(cited, StatementKind::kHtmlComment), Strings{});
  EXPECT_EQ(Asides("A.[^1]\n\n[^1]: one\n\n    two\n", StatementKind::kNote),
            (Strings{"one", "two"}));
}

TEST(Asides, TheTitleOfAFenceIsOne) {
  EXPECT_EQ(Asides("```yaml {title=\"GPUs 0 to 3\"}\na: 1\n```\n", StatementKind::kTitle),
            Strings{"GPUs 0 to 3"});
  EXPECT_EQ(Asides("```yaml\na: 1\n```\n", StatementKind::kTitle), Strings{});
}

TEST(Asides, AreStruckWordsUnusedDefinitionsAndFrontMatter) {
  EXPECT_EQ(Asides("It is ~~not~~ fast.\n", StatementKind::kStruck), Strings{"not"});
  EXPECT_EQ(Asides("[x]: y.md \"never\"\n", StatementKind::kDefinition),
            Strings{"[x]: y.md \"never\""});
  EXPECT_EQ(Asides("[x] is used.\n\n[x]: y.md\n", StatementKind::kDefinition), Strings{});
  EXPECT_EQ(Asides("---\ntitle: x\n---\n\n# T\n", StatementKind::kFrontMatter).size(), 1U);
  EXPECT_EQ(Asides("# T\n\n---\n\nx\n\n---\n", StatementKind::kFrontMatter), Strings{});
}

TEST(Asides, AreTheCommentsOfCode) {
  EXPECT_EQ(
      Asides("```py example\nx = 1  # is fast\n# all of it\n```\n", StatementKind::kCodeComment),
      (Strings{"is fast", "all of it"}));
  EXPECT_EQ(Asides("```py\nx = 1  # is fast\n```\n", StatementKind::kCodeComment),
            Strings{"is fast"});
}

TEST(CodeTexts, AStarInAPathOpensNoComment) {
  EXPECT_EQ(ReadCodeTexts("dockerfile example", "RUN rm -rf /var/lists/*\nRUN make\n").size(), 0U);
  EXPECT_EQ(ReadCodeTexts("cpp example", "int a; /* one\n two */\n").size(), 2U);
}

TEST(CodeTexts, OfCodeAreItsComments) {
  const auto texts = [](std::string_view info, std::string_view code) {
    Strings found;
    for (const CodeText& text : ReadCodeTexts(info, code)) found.push_back(text.text);
    return found;
  };
  EXPECT_EQ(texts("cpp example", "int a;  // one\n/* two\n three */\nf(\"// no\");\n"),
            (Strings{"one", "two", "three"}));
  EXPECT_EQ(texts("sh example", "curl https://x/y  # go\n"), Strings{"go"});
  EXPECT_EQ(texts("text example", "It never fails.\n"), Strings{"It never fails."});
  EXPECT_EQ(texts("text example", "-gencode arch=compute_80,code=sm_80\n$ make -j8\n"), Strings{})
      << "command lines";
  EXPECT_EQ(texts("text", "It never fails.\n"), Strings{}) << "a quotation";
}

}  // namespace
}  // namespace sibyl::statement
