// SPDX-License-Identifier: Apache-2.0
// The Markdown that a page becomes.
#include "page/render.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "page/block_writer.h"

namespace sibyl::page {
namespace {

ExtractedPage Rendered(std::string_view body) {
  const std::string html = "<main>" + std::string(body) + "</main>";
  const Blocks page = ReadBlocks(html, Trust::kWords);
  ExtractedPage document;
  document.title = page.title;
  Render(page, ChooseContent(page), document);
  return document;
}

std::string Markdown(std::string_view body) { return Rendered(body).text; }

constexpr std::string_view kLong = "The first sentence is long enough to fill a line of its own.";

TEST(RenderedProse, ALongSentenceEndsItsLine) {
  const std::string first(kLong);
  EXPECT_EQ(Markdown("<p>" + first + " Second one.</p>"), first + "\nSecond one.\n");
  EXPECT_EQ(Markdown("<p>Short. Second one.</p>"), "Short. Second one.\n");
}

TEST(RenderedProse, ASentenceEndsBeforeACapitalOrAMark) {
  const std::string first(kLong);
  for (const char* next : {"`name` is next.", "(In brackets.)", "\"Quoted.\"", "Über alles."}) {
    EXPECT_EQ(Markdown("<p>" + first + " " + next + "</p>"), first + "\n" + next + "\n");
  }
  EXPECT_EQ(Markdown("<p>" + first + " lower case goes on.</p>"), first + " lower case goes on.\n");
}

TEST(RenderedProse, AQuestionAndACallAreSentences) {
  std::string first(kLong);
  for (const char end : {'?', '!'}) {
    first.back() = end;
    EXPECT_EQ(Markdown("<p>" + first + " Second one.</p>"), first + "\nSecond one.\n");
  }
}

TEST(RenderedProse, AnAbbreviationEndsNoSentence) {
  for (const char* word : {"e.g.", "i.e.", "vs.", "(cf.", "Fig.", "No."}) {
    const std::string line = "The first sentence is long enough to fill a line and goes on, " +
                             std::string(word) + " Table two.";
    EXPECT_EQ(Markdown("<p>" + line + "</p>"), line + "\n") << word;
  }
}

TEST(RenderedProse, LinesOfAnItemAreIndentedUnderIt) {
  const std::string first(kLong);
  EXPECT_EQ(Markdown("<ul><li>" + first + " Second one.</ul>"), "- " + first + "\n  Second one.\n");
  EXPECT_EQ(Markdown("<ol><li>" + first + " Second one.</ol>"),
            "1. " + first + "\n   Second one.\n");
}

TEST(RenderedProse, LinesOfAQuotationAreAllMarked) {
  const std::string first(kLong);
  EXPECT_EQ(Markdown("<blockquote>" + first + " Second one.</blockquote>"),
            "> " + first + "\n> Second one.\n");
  EXPECT_EQ(Markdown("<blockquote><ul><li>a<li>b</ul></blockquote>"), "> - a\n> - b\n");
}

TEST(RenderedProse, ItemsAreNotSeparatedAndBlocksAreByOneLine) {
  EXPECT_EQ(Markdown("<p>a</p><ul><li>b<li>c</ul><p>d</p>"), "a\n\n- b\n- c\n\nd\n");
  EXPECT_EQ(Markdown("<ul><li><p>a</p><p>b</p><li>c</ul>"), "- a\n\n  b\n\n- c\n");
}

TEST(RenderedProse, DeepListsAreIndentedToALimit) {
  std::string html;
  for (int i = 0; i < 100; ++i) html += "<ul><li>x";
  const std::string text = Markdown(html);
  for (const std::string_view line : SplitLines(text)) EXPECT_LE(line.size(), 45U);
}

TEST(RenderedCode, LosesBlankLinesAtItsEndsAndBlanksAtTheEndsOfLines) {
  EXPECT_EQ(Markdown("<pre>\n\n\na  \n\t\n  b\t\n\n</pre>"), "```\na\n\n  b\n```\n");
}

TEST(RenderedCode, IsCounted) {
  const ExtractedPage document = Rendered("<pre>a</pre><p>x</p><pre>b</pre><pre>  </pre>");
  EXPECT_EQ(document.code_blocks, 2U);
}

TEST(RenderedCode, WindowsLineEndsAreLineEnds) {
  EXPECT_EQ(Markdown("<pre>a\r\nb\rc</pre>"), "```\na\nb\nc\n```\n");
}

TEST(RenderedCode, TheNameOfALanguageCannotEndTheFence) {
  EXPECT_EQ(Markdown("<pre data-lang=python>x</pre>"), "```python\nx\n```\n");
  for (const char* name : {"c\n# Forged", "c`", "c d", "```", "<b>"}) {
    EXPECT_EQ(Markdown("<pre data-lang='" + std::string(name) + "'>x</pre>"), "```\nx\n```\n")
        << name;
    EXPECT_EQ(Markdown("<pre><code data-lang='" + std::string(name) + "'>x</code></pre>"),
              "```\nx\n```\n")
        << name;
  }
}

TEST(RenderedHeadings, AreAtTheLinesThatTheySay) {
  const ExtractedPage document = Rendered(
      "<h1>A</h1><p>x<br>y</p><pre>1\n2\n3</pre><h2>B</h2>"
      "<table><tr><td>a<td>b<tr><td>c<td>d</table><h3>C</h3>");
  const std::vector<std::string_view> lines = SplitLines(document.text);
  ASSERT_EQ(document.headings.size(), 3U);
  for (const PageHeading& heading : document.headings) {
    ASSERT_LE(heading.line, lines.size());
    EXPECT_EQ(lines[heading.line - 1],
              std::string(static_cast<std::size_t>(heading.level), '#') + " " + heading.title);
  }
}

TEST(RenderedHeadings, HaveDecodedAnchors) {
  EXPECT_EQ(Rendered("<h1 id='a&amp;b'>A</h1><p>x</p>").headings.at(0).anchor, "a&b");
}

TEST(RenderedTables, ALongCellMakesATableABox) {
  const std::string words = "word " + std::string(700, 'x');
  EXPECT_EQ(Markdown("<table><tr><td>a<td>" + words + "</table>"), "a\n\n" + words + "\n");
}

TEST(RenderedTables, ATableInATableIsTheInnerOne) {
  EXPECT_EQ(Markdown("<table><tr><td>out<td><table><tr><td>a<td>b</table></table>"),
            "out\n\n| a | b |\n| --- | --- |\n");
}

TEST(RenderedTables, ARowWithFewerCellsIsFilled) {
  EXPECT_EQ(Markdown("<table><tr><th>a<th>b<th>c<tr><td>1</table>"),
            "| a | b | c |\n| --- | --- | --- |\n| 1 | | |\n");
}

TEST(RenderedTables, ACellIsOneLine) {
  EXPECT_EQ(Markdown("<table><tr><td>a<br>b<td><p>c</p><p>d</p></table>"),
            "| a b | c d |\n| --- | --- |\n");
}

TEST(RenderedTables, HaveNoMoreThan64Columns) {
  std::string html = "<table><tr>";
  for (int i = 0; i < 1000; ++i) html += "<td>x";
  const std::string text = Markdown(html + "</table>");
  EXPECT_EQ(std::count(text.begin(), text.end(), 'x'), 64);
}

TEST(RenderedTitle, ComesFirstWhereThereIsNoHeading) {
  EXPECT_EQ(Markdown("<title>A  \n title</title><p>x</p>"), "# A title\n\nx\n");
  EXPECT_EQ(Markdown("<title>A title</title><h2>B</h2>"), "# A title\n\n## B\n");
}

TEST(RenderedPage, CountsItsWords) {
  EXPECT_EQ(Rendered("<h1>One two</h1><pre>three</pre>").words, 3U);
  EXPECT_EQ(Rendered("").words, 0U);
  EXPECT_EQ(Rendered("").text, "");
}

TEST(OneLine, HasSingleSpacesAndNoneAtTheEnds) {
  EXPECT_EQ(FoldBlanks("  a\n\t b  "), "a b");
  EXPECT_EQ(FoldBlanks(" \n "), "");
  EXPECT_EQ(FoldBlanks("a"), "a");
}

}  // namespace
}  // namespace sibyl::page
