// SPDX-License-Identifier: Apache-2.0
#include "base/markdown/markdown.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl {
namespace {

std::string Repeat(std::string_view text, std::size_t times) {
  std::string repeated;
  for (std::size_t i = 0; i < times; ++i) repeated += text;
  return repeated;
}

void Visit(const MarkdownNode& node, const std::function<void(const MarkdownNode&)>& see) {
  see(node);
  for (const MarkdownNode& child : node.children) Visit(child, see);
}

// "kind:source text" for every node of a kind, so that a span shows.
std::vector<std::string> Cut(std::string_view source, MarkdownKind kind) {
  std::vector<std::string> cuts;
  const Result<MarkdownNode> document = ParseMarkdown(source);
  if (!document.ok()) return {document.error().message};
  Visit(*document, [&](const MarkdownNode& node) {
    if (node.kind != kind) return;
    const std::string cut(source.substr(node.span.begin, node.span.end - node.span.begin));
    cuts.push_back(node.span.is_exact ? cut : "inexact: " + cut);
  });
  return cuts;
}

using Cuts = std::vector<std::string>;

TEST(Markdown, GivesBlocksWithTheirLines) {
  const Result<MarkdownNode> document =
      ParseMarkdown("# Title\n\ntext\nmore\n\n```cpp x\ncode\n```\n");
  ASSERT_TRUE(document.ok());
  ASSERT_EQ(document->children.size(), 3U);
  const MarkdownNode& heading = document->children[0];
  EXPECT_EQ(heading.kind, MarkdownKind::kHeading);
  EXPECT_EQ(heading.level, 1);
  EXPECT_EQ(PlainText(heading), "Title");
  const MarkdownNode& paragraph = document->children[1];
  EXPECT_EQ(paragraph.span.first_line, 3U);
  EXPECT_EQ(paragraph.span.last_line, 4U);
  EXPECT_EQ(PlainText(paragraph), "text more");
  const MarkdownNode& code = document->children[2];
  EXPECT_EQ(code.info, "cpp x");
  EXPECT_TRUE(code.is_fenced);
  EXPECT_EQ(code.text, "code\n");
  EXPECT_EQ(code.span.first_line, 6U);
  EXPECT_EQ(code.span.last_line, 8U);
}

TEST(Markdown, KnowsTasksListsAndTables) {
  const Result<MarkdownNode> document =
      ParseMarkdown("3. [x] done\n4. [ ] open\n5. plain\n\n| a | b |\n|---|---|\n| 1 | 2 |\n");
  ASSERT_TRUE(document.ok());
  const MarkdownNode& list = document->children.at(0);
  EXPECT_TRUE(list.is_ordered);
  EXPECT_EQ(list.level, 3);
  ASSERT_EQ(list.children.size(), 3U);
  EXPECT_EQ(list.children[0].task, TaskMark::kDone);
  EXPECT_EQ(list.children[1].task, TaskMark::kOpen);
  EXPECT_EQ(list.children[2].task, TaskMark::kNone);
  EXPECT_EQ(list.span.last_line, 3U);
  const MarkdownNode& table = document->children.at(1);
  ASSERT_EQ(table.children.size(), 2U);
  EXPECT_TRUE(table.children[0].is_header);
  EXPECT_EQ(PlainText(table.children[1]), "1 2");
}

TEST(Markdown, KeepsTheLabelsOfFootnotes) {
  const Result<MarkdownNode> document =
      ParseMarkdown("said[^p3-7] and[^nobody]\n\n[^p3-7]: here\n[^unused]: there\n");
  ASSERT_TRUE(document.ok());
  const MarkdownNode& paragraph = document->children.at(0);
  EXPECT_EQ(paragraph.children.at(1).kind, MarkdownKind::kFootnoteReference);
  EXPECT_EQ(paragraph.children.at(1).text, "p3-7");
  EXPECT_EQ(PlainText(paragraph), "said and[^nobody]");
  ASSERT_EQ(document->children.size(), 2U);
  EXPECT_EQ(document->children[1].kind, MarkdownKind::kFootnoteDefinition);
  EXPECT_EQ(document->children[1].text, "p3-7");
  EXPECT_EQ(PlainText(document->children[1]), "here");
}

TEST(Markdown, FindsCodeWithItsTicks) {
  EXPECT_EQ(Cut("# a `b` c\n\n*x* ``c ` d`` and `e\nf` end\\\n  `g`\n", MarkdownKind::kCode),
            (Cuts{"`b`", "``c ` d``", "`e\nf`", "`g`"}));
  EXPECT_EQ(Cut("> one `a`\n> two `b`\nlazy `c`\n>> deep `d`\n", MarkdownKind::kCode),
            (Cuts{"`a`", "`b`", "`c`", "`d`"}));
  EXPECT_EQ(Cut("- [x] item `a`\n      cont `b`\n", MarkdownKind::kCode), (Cuts{"`a`", "`b`"}));
  EXPECT_EQ(Cut("| `a \\| b` | x |\n|---|---|\n| y `z` |\n", MarkdownKind::kCode),
            (Cuts{"`a \\| b`", "`z`"}));
}

TEST(Markdown, FindsTextThatIsEscapedOrNamed) {
  EXPECT_EQ(Cut("a\\*b &amp; c &#65; &copy;\\&lt; &nosuch; d", MarkdownKind::kText),
            (Cuts{"a\\*b &amp; c &#65; &copy;\\&lt; &nosuch; d"}));
  EXPECT_EQ(Cut("line  \nhard\r\nsoft", MarkdownKind::kText), (Cuts{"line", "hard", "soft"}));
}

TEST(Markdown, FindsLinksOfEveryKind) {
  EXPECT_EQ(Cut("[a](b) [*c*](<d e> \"t)\") [r] [x][r] [y][] <http://z.w> https://q.de/f rest\n\n"
                "[r]: /u\n[y]: /v\n",
                MarkdownKind::kLink),
            (Cuts{"[a](b)", "[*c*](<d e> \"t)\")", "[r]", "[x][r]", "[y][]", "<http://z.w>",
                  "https://q.de/f"}));
  EXPECT_EQ(Cut("![i*m*g](s(x)y 'q')", MarkdownKind::kImage), (Cuts{"![i*m*g](s(x)y 'q')"}));
  const Result<MarkdownNode> document = ParseMarkdown("[a](b \"c\")");
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(document->children.at(0).children.at(0).url, "b");
  EXPECT_EQ(document->children.at(0).children.at(0).title, "c");
}

TEST(Markdown, FindsEmphasisAndWhatIsInIt) {
  EXPECT_EQ(Cut("a *em **strong*** ~~st~~ __u *v*__", MarkdownKind::kStrong),
            (Cuts{"**strong**", "__u *v*__"}));
  EXPECT_EQ(Cut("a *em **strong*** b", MarkdownKind::kEmphasis), (Cuts{"*em **strong***"}));
  EXPECT_EQ(Cut("a ~~st~~ b", MarkdownKind::kStrikethrough), (Cuts{"~~st~~"}));
}

TEST(Markdown, FindsTheTextBehindLinkDefinitions) {
  EXPECT_EQ(Cut("[a]: /one\n[b]: /two\ntext `c`\n", MarkdownKind::kCode), (Cuts{"`c`"}));
}

TEST(Markdown, TakesByteOrderMarksCarriageReturnsAndZeros) {
  EXPECT_EQ(Cut("\xEF\xBB\xBF# a `b`\r\n\r\nc `d`\r`e`", MarkdownKind::kCode),
            (Cuts{"`b`", "`d`", "`e`"}));
  EXPECT_EQ(Cut(std::string_view("a\0b `c`", 7), MarkdownKind::kCode), (Cuts{"`c`"}));
  EXPECT_EQ(ParseMarkdown("")->children.size(), 0U);
}

TEST(Markdown, GivesSpansInsideTheSourceForAnything) {
  EXPECT_TRUE(rc::check([] {
    const auto letters = rc::gen::elementOf(std::string("ab `*_~[]()<>!|-:#>\n\r\t\\&;1.x^\"'="));
    const auto source = *rc::gen::container<std::string>(letters);
    const Result<MarkdownNode> document = ParseMarkdown(source);
    RC_ASSERT(document.ok());
    Visit(*document, [&](const MarkdownNode& node) {
      RC_ASSERT(node.span.begin <= node.span.end);
      RC_ASSERT(node.span.end <= source.size());
      RC_ASSERT(node.span.first_line >= 1U);
      RC_ASSERT(node.span.first_line <= node.span.last_line);
    });
  }));
}

TEST(Markdown, RefusesWhatIsBeyondItsLimits) {
  EXPECT_FALSE(ParseMarkdown("four", {.max_bytes = 3}).ok());
  EXPECT_FALSE(ParseMarkdown(Repeat(">", 100'000)).ok());
  EXPECT_FALSE(ParseMarkdown(Repeat("- ", 100'000) + "x").ok());
  EXPECT_FALSE(ParseMarkdown(Repeat("*a **b ", 1000) + Repeat("c** d*", 1000)).ok());
  EXPECT_FALSE(ParseMarkdown("a\n\nb\n\nc\n", {.max_nodes = 4}).ok());
  const std::string wide = Repeat("|x", 5000) + "|\n" + Repeat("|-", 5000) + "|\n";
  EXPECT_FALSE(ParseMarkdown(wide + Repeat("|\n", 5000)).ok());
  EXPECT_TRUE(ParseMarkdown(Repeat("-", 5000)).ok());
}

TEST(Markdown, IsQuickOnTextsMadeToBeSlow) {
  const std::vector<std::string> bombs = {
      "[",        "![",      "*a ",  "_a_",     "`",     "<",    "](",         "[a](<",    "&",
      "&amp;",    "~~a",     "\\",   "[^a]",    "|a|\n", "www.", "a@b.",       "[a]: b\n", "<!--",
      "http://_", "**a *b ", "[r](", "[r](a (", "[r](<", "[r][", "\n\n[^a]: b"};
  for (const std::string& bomb : bombs) {
    const auto start = std::chrono::steady_clock::now();
    const Result<MarkdownNode> document =
        ParseMarkdown("[r]: /u\n\n" + Repeat(bomb, 60'000 / bomb.size()));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    // A second of one core on a good day; the limit is for the sanitizers.
    EXPECT_LT(took.count(), 10) << bomb << (document.ok() ? "" : document.error().message);
  }
}

// The parser takes minutes for 96 KB of the first and half a minute for 120 KB of
// the second.
TEST(Markdown, TablesThatTheParserReadsOverAndOverAreRefused) {
  std::string rulers;
  for (int i = 0; i < 12'000; ++i) rulers += "a|b\n|-|\n";
  const Result<MarkdownNode> read = ParseMarkdown(rulers);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("tables"), std::string::npos) << read.error().message;
  std::string wide;
  for (const std::string_view cell : {"|a", "|-", "|b"}) {
    for (int i = 0; i < 20'000; ++i) wide += cell;
    wide += "|\n";
  }
  EXPECT_FALSE(ParseMarkdown(wide).ok());
  std::string plain = "|a|b|\n|-|-|\n";
  for (int i = 0; i < 5000; ++i) plain += "|1-2|3|\n";
  EXPECT_TRUE(ParseMarkdown(plain).ok());
}

}  // namespace
}  // namespace sibyl
