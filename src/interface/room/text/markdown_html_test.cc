// SPDX-License-Identifier: Apache-2.0
#include "interface/room/text/markdown_html.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "interface/room/text/highlight.h"

namespace sibyl::interface {
namespace {

std::string Rendered(std::string_view text, const MarkdownView& view = {.page = "cuda/01-x.md"}) {
  const Result<RenderedMarkdown> rendered = RenderMarkdown(text, view);
  return rendered.ok() ? rendered->html.str() : rendered.error().message;
}

TEST(MarkdownHtml, RawHtmlIsShownAsText) {
  const std::string html = Rendered(
      "A <script>alert(1)</script> b <img src=x onerror=alert(1)>\n\n<iframe "
      "src=\"//e\"></iframe>\n");
  for (const char* tag : {"<script", "<img", "<iframe"}) EXPECT_FALSE(Contains(html, tag)) << html;
  EXPECT_TRUE(Contains(html, "&lt;script&gt;")) << html;
}

// A checker is where "Trojan Source" is looked for.
TEST(Html, ControlsOfTheDirectionOfTextAreVisible) {
  const std::string text =
      "a\u202E"
      "b\u2066"
      "c\u2069 \u2013 \u2265";
  EXPECT_EQ(Html().Text(text).Take(),
            "a\uFFFD"
            "b\uFFFD"
            "c\uFFFD \u2013 \u2265");
}

TEST(MarkdownHtml, CommentsAreDropped) {
  EXPECT_EQ(Rendered("a <!-- swh:1:cnt -->\n"), "<p>a </p>\n");
}

TEST(MarkdownHtml, OnlySafeAddressesAreLinked) {
  for (const char* address : {"javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x",
                              "vbscript:x", "//evil.example", "/\\evil.example",
                              "file:///etc/passwd", "../../../etc/passwd.md", "\\\\evil.md"}) {
    const std::string html = Rendered("[x](<" + std::string(address) + ">)\n");
    EXPECT_FALSE(Contains(html, "href")) << address << ": " << html;
  }
  EXPECT_TRUE(Contains(Rendered("[x](https://example.org/a?b=1&c)\n"),
                       "href=\"https://example.org/a?b=1&amp;c\""));
  EXPECT_TRUE(Contains(Rendered("[x](02-y.md#part)\n"), "href=\"/page/cuda/02-y.md#part\""));
  EXPECT_TRUE(Contains(Rendered("[x](../SKILL.md)\n"), "href=\"/page/SKILL.md\""));
  EXPECT_TRUE(Contains(Rendered("[x](#part)\n"), "href=\"#part\""));
}

// Issue 22: the end of a path was cut off, since its column was wider than the page.
TEST(MarkdownHtml, PathsInCellsMayBreak) {
  const std::string html = Rendered("| a |\n| - |\n| `Help/x_y.rst` and `x_y` |\n\n`a/b`\n");
  EXPECT_TRUE(Contains(html, "<code><span>Help/<wbr>x_<wbr>y.rst</span></code>")) << html;
  EXPECT_TRUE(Contains(html, "<code>x_y</code>")) << html;
  EXPECT_TRUE(Contains(html, "<code>a/b</code>")) << html;
}

// Issue 22: links to plans, and to pages that do not exist, led to errors.
TEST(MarkdownHtml, OnlyPagesThatAreThereAreLinked) {
  const MarkdownView view{.page = "cuda/01-x.md",
                          .has_page = [](std::string_view page) { return page == "cuda/02-y.md"; }};
  EXPECT_TRUE(Contains(Rendered("[x](02-y.md#p)\n", view), "href=\"/page/cuda/02-y.md#p\""));
  EXPECT_EQ(Rendered("See [the plan](../_ingest-auto/p.md) and [z](03-z.md).\n", view),
            "<p>See the plan and z.</p>\n");
}

TEST(MarkdownHtml, ASiteLinksRelatively) {
  const MarkdownView view{.links = LinkStyle::Site("page/cuda/01-x.html"), .page = "cuda/01-x.md"};
  EXPECT_TRUE(
      Contains(Rendered("[x](../net/02-y.md#p)\n", view), "href=\"../../page/net/02-y.html#p\""));
}

TEST(MarkdownHtml, ImagesAreTheirDescription) {
  const std::string html = Rendered("![a picture](https://evil.example/p.png)\n");
  EXPECT_FALSE(Contains(html, "evil")) << html;
  EXPECT_TRUE(Contains(html, "a picture")) << html;
}

TEST(MarkdownHtml, AttributesCannotBeLeft) {
  const std::string html = Rendered(
      "## a\" onclick=\"alert(1)\n\n[x](https://e.org/\"onmouseover=\"alert(1))\n\n```\" "
      "onload=x\n'\n```\n");
  EXPECT_FALSE(Contains(html, " onclick=\"")) << html;
  EXPECT_FALSE(Contains(html, "\"onmouseover=")) << html;
  EXPECT_FALSE(Contains(html, " onload=x\"")) << html;
}

TEST(MarkdownHtml, AStatementHasItsWordsAndItsMark) {
  const std::string text = "First \\_one\\_.[^a] Second `two`.[^b]\n\n[^a]: x\n[^b]: y\n";
  const std::size_t second = text.find("Second");
  const MarkdownView view{
      .page = "p.md",
      .statements = {{.id = 1, .begin = 0, .end = second, .verdict = "supported", .labels = {"a"}},
                     {.id = 2,
                      .begin = second,
                      .end = text.find("\n\n"),
                      .verdict = "undecidable",
                      .labels = {"b"},
                      .note = "not decided: x"}},
      .numbers = {{"a", 1}, {"b", 2}}};
  const std::string html = Rendered(text, view);
  EXPECT_TRUE(Contains(html, "<span class=\"st\" data-s=\"1\">First _one_.</span>")) << html;
  EXPECT_TRUE(Contains(html, "<code><span class=\"st\" data-s=\"2\">two</span></code>")) << html;
  EXPECT_TRUE(Contains(html, "class=\"m ok\" id=\"m1\"")) << html;
  EXPECT_TRUE(Contains(html, "class=\"m open\" id=\"m2\"")) << html;
  EXPECT_TRUE(Contains(html, "href=\"/receipt/p.md/2\"")) << html;
  EXPECT_TRUE(Contains(html, "receipt 2: not decided")) << html;
}

TEST(MarkdownHtml, CodeThatStartsAStatementBelongsToIt) {
  const std::string text = "First.[^a] `two` follows.[^b]\n\n[^a]: x\n[^b]: y\n";
  const std::size_t second = text.find("two");
  const MarkdownView view{
      .page = "p.md",
      .statements = {
          {.id = 1, .begin = 0, .end = text.size(), .verdict = "supported", .labels = {"a"}},
          {.id = 2, .begin = second, .end = text.size(), .verdict = "supported", .labels = {"b"}}}};
  EXPECT_TRUE(
      Contains(Rendered(text, view), "<code><span class=\"st\" data-s=\"2\">two</span></code>"));
}

// Issue 22: six blocks of code were counted, and five had a mark.
TEST(MarkdownHtml, CodeThatASentenceIntroducesHasItsOwnMark) {
  const std::string text = "The code:[^a]\n\n```\nx\n```\n\nThe end.\n\n[^a]: x\n";
  const std::size_t code = text.find("x\n```");
  const MarkdownView view{
      .page = "p.md",
      .statements =
          {{.id = 1, .begin = 0, .end = 9, .verdict = "supported", .labels = {"a"}},
           {.id = 2, .begin = code, .end = code + 2, .verdict = "unchecked_code", .labels = {"a"}}},
      .numbers = {{"a", 7}}};
  const std::string html = Rendered(text, view);
  EXPECT_TRUE(Contains(html, "id=\"m1\"")) << html;
  EXPECT_TRUE(Contains(html, "Sources of the code above:</span> <a class=\"m zero\" id=\"m2\""))
      << html;
  EXPECT_TRUE(Contains(html, ">7◊</a></p>\n<p>")) << html;
}

TEST(MarkdownHtml, AStatementWithoutACitationHasAMarkAtItsEnd) {
  const MarkdownView view{.page = "p.md",
                          .statements = {{.id = 1, .begin = 0, .end = 11, .verdict = "absent"}}};
  EXPECT_TRUE(
      Contains(Rendered("It is fast.\n", view), "fast.</span><a class=\"m bad\" id=\"m1\""));
}

TEST(MarkdownHtml, WhatIsNotFoundIsVisible) {
  const std::string html =
      Rendered("| a | b |\n| - | - |\n| x | not found |\n\n## Not found\n\n- y\n");
  EXPECT_TRUE(Contains(html, "<td class=\"nf\">not found</td>")) << html;
  EXPECT_TRUE(Contains(html, "id=\"not-found\" class=\"nf\"")) << html;
}

TEST(MarkdownHtml, FrontMatterIsNotShown) {
  EXPECT_EQ(Rendered("---\nname: x\n---\n\nText.\n"), "<p>Text.</p>\n");
}

TEST(Html, EscapesAndReplaces) {
  Html html;
  html.Text("<a&\"'>\x01\xff\n");
  EXPECT_EQ(html.str(), "&lt;a&amp;&quot;&#39;&gt;\xEF\xBF\xBD\xEF\xBF\xBD\n");
}

std::string Coloured(Syntax syntax, const std::vector<std::string_view>& lines) {
  Highlighter highlighter(syntax);
  Html html;
  for (const std::string_view line : lines) highlighter.Line(line, {}, html);
  return html.str();
}

TEST(Highlight, KnowsCommentsStringsNumbersAndKeywords) {
  EXPECT_EQ(Coloured(Syntax::kC, {"return 4; // x"}),
            "<span class=\"tk\">return</span> <span class=\"tn\">4</span>; "
            "<span class=\"tc\">// x</span>");
  EXPECT_EQ(Coloured(Syntax::kC, {"/* a", "b */ c"}),
            "<span class=\"tc\">/* a</span><span class=\"tc\">b */</span> c");
  EXPECT_EQ(Coloured(Syntax::kHash, {"x = \"#\" # y"}),
            "x = <span class=\"ts\">&quot;#&quot;</span> <span class=\"tc\"># y</span>");
  EXPECT_EQ(Coloured(Syntax::kHash, {"\"\"\"a", "b\"\"\" c"}),
            "<span class=\"ts\">&quot;&quot;&quot;a</span><span "
            "class=\"ts\">b&quot;&quot;&quot;</span> c");
  EXPECT_EQ(Coloured(Syntax::kPlain, {"return <x>"}), "return &lt;x&gt;");
  // Issue 22: "local" in a path was a keyword.
  EXPECT_EQ(Coloured(Syntax::kHash, {"cp /usr/local/in $in --if not-in x.set"}),
            "cp /usr/local/in $in --if not-in x.set");
  EXPECT_EQ(Coloured(Syntax::kHash, {"local in"}),
            "<span class=\"tk\">local</span> <span class=\"tk\">in</span>");
}

TEST(Highlight, MarksBytesOfALine) {
  Highlighter highlighter(SyntaxOf("a/b.cc"));
  Html html;
  const MarkedBytes mark{.begin = 4, .end = 7};
  highlighter.Line("int abc;", {&mark, 1}, html);
  EXPECT_EQ(html.str(), "<span class=\"tk\">int</span> <mark>abc</mark>;");
}

TEST(MarkdownHtml, ARemarkIsAFootnote) {
  const MarkdownView view{.page = "a.md", .notes = {"why", "also"}};
  const std::string html = Rendered(
      "A[^why] b[^also] c[^why].\n\n[^why]: It is *old*; see `x`.\n[^also]: <script>1</script>\n",
      view);
  EXPECT_TRUE(Contains(html, "<a href=\"#note-a\" id=\"noted-a\" aria-label=\"note a\">a</a>"))
      << html;
  EXPECT_TRUE(Contains(html, "<li id=\"note-a\">It is <em>old</em>; see <code>x</code>.")) << html;
  EXPECT_TRUE(Contains(html, "<li id=\"note-b\">")) << html;
  EXPECT_TRUE(Contains(html, "<a href=\"#noted-a\" aria-label=\"back to note a\">↩</a>")) << html;
  EXPECT_FALSE(Contains(html, "<script>")) << html;
  EXPECT_EQ(html.find("id=\"noted-a\""), html.rfind("id=\"noted-a\"")) << "an id is there once";
  EXPECT_FALSE(Contains(Rendered("A.\n", view), "Notes"));
}

TEST(MarkdownHtml, AFragmentHasNoAnchorsFootnotesAndPages) {
  const std::string html =
      RenderFragment({.text = "## Head\n\n**b** `c`[^1] [p](x.md) [e](https://e.org/)\n\n| a | b "
                              "|\n| - | - |\n| 1 | <b>2 |\n\n[^1]: x\n"})
          .str();
  EXPECT_TRUE(Contains(html, "<strong>Head</strong>")) << html;
  EXPECT_TRUE(Contains(html, "<strong>b</strong> <code>c</code> p <a href=\"https://e.org/\""))
      << html;
  EXPECT_TRUE(Contains(html, "<td>1</td>")) << html;
  EXPECT_FALSE(Contains(html, "id=")) << html;
  EXPECT_FALSE(Contains(html, "<b>2")) << html;
  EXPECT_TRUE(Contains(RenderFragment({.text = "Streams, *stream*.", .wanted = {"stream"}}).str(),
                       "<mark>Streams</mark>, <em><mark>stream</mark></em>."));
}

TEST(MarkdownHtml, MarksOfCodeComeBeforeTheNextSentence) {
  const std::string text = "```c\nint a;\n```\n\n[^1]\nThe next.[^2]\n\n[^1]: x\n[^2]: y\n";
  const std::size_t begin = text.find("The next");
  const MarkdownView view{
      .page = "a.md",
      .statements =
          {{.id = 1, .begin = 0, .end = 15, .verdict = "supported", .labels = {"1"}},
           {.id = 2, .begin = begin, .end = begin + 13, .verdict = "supported", .labels = {"2"}}},
      .numbers = {{"1", 1}, {"2", 2}}};
  const std::string html = Rendered(text, view);
  const std::size_t own = html.find(
      "<p class=\"of\"><span class=\"dim\">Sources of the code above:</span> <a class=\"m ok\" "
      "id=\"m1\"");
  ASSERT_NE(own, std::string::npos) << html;
  EXPECT_NE(html.find("</p>\n<p>", own), std::string::npos) << html;
}

// Issue 22: a row of numbers below code did not say what it is.
TEST(MarkdownHtml, MarksBelowCodeSayThatTheyAreItsSources) {
  const std::string text = "```c\nint a;\n```\n\n[^1][^2]\n\nThe next.\n\n[^1]: x\n[^2]: y\n";
  MarkdownView view{
      .page = "a.md",
      .statements = {{.id = 1, .begin = 0, .end = 15, .verdict = "stale", .labels = {"1", "2"}}},
      .numbers = {{"1", 7}, {"2", 3}}};
  const std::string html = Rendered(text, view);
  EXPECT_TRUE(Contains(html, "<p class=\"of\"><span class=\"dim\">Sources of the code above:"))
      << html;
  EXPECT_TRUE(Contains(html, ">7↻</a>") && Contains(html, ">3↻</a></p>\n<p>The next.")) << html;
  view.statements.clear();
  view.is_unchecked = true;
  EXPECT_TRUE(Contains(Rendered(text, view), "Sources of the code above:</span> <span")) << html;
}

TEST(MarkdownHtml, ASentenceHasNoParagraphAroundIt) {
  EXPECT_EQ(RenderSentence("**a** `b<c>` *d*").str(),
            "<strong>a</strong> <code>b&lt;c&gt;</code> <em>d</em>");
  EXPECT_EQ(RenderSentence("- a list").str(), "- a list");
  EXPECT_EQ(RenderSentence("# `a`").str(), "# <code>a</code>");
  EXPECT_EQ(RenderSentence("").str(), "");
  EXPECT_EQ(RenderSentence("<script>x</script>").str(), "&lt;script&gt;x&lt;/script&gt;");
}

TEST(MarkdownHtml, CodeInBackquotesIsCode) {
  const auto shown = [](std::string_view text) { return RenderCodeNames(text).str(); };
  EXPECT_EQ(shown("a ``b`` :cpp:struct:`cuda::x` and :meth:`~torch.y`_ `z`"),
            "a <code>b</code> <code>cuda::x</code> and <code>torch.y</code> <code>z</code>");
  EXPECT_EQ(shown("it`s <b> `open"), "it<code>s &lt;b&gt; </code>open");
  EXPECT_EQ(shown("`"), "`");
  EXPECT_EQ(shown("note: `x`"), "note: <code>x</code>");
}

TEST(MarkdownHtml, AnUncheckedPageHasItsTextAndNoMarks) {
  const std::string html = Rendered("A.[^1]\n\n[^1]: x\n", {.page = "a.md", .is_unchecked = true});
  EXPECT_TRUE(Contains(html, "A.<span class=\"m zero\" title=\"being checked\">…</span>")) << html;
}

std::string Lines(std::string_view name, std::vector<std::string_view> lines) {
  Highlighter highlighter(SyntaxOf(name));
  highlighter.BeginWithin(lines);
  Html html;
  for (const std::string_view line : lines) {
    highlighter.Line(line, {}, html);
    html.Markup("\n");
  }
  return html.Take();
}

TEST(Highlight, AQuoteIsNotAlwaysAString) {
  EXPECT_EQ(Lines("a.rs", {"fn f<'a, 'b>(x: &'a str)"}),
            "<span class=\"tk\">fn</span> f&lt;&#39;a, &#39;b&gt;(x: &amp;&#39;a str)\n");
  EXPECT_EQ(
      Lines("a.cc", {"c = 'x' + '\\n';"}),
      "c = <span class=\"ts\">&#39;x&#39;</span> + <span class=\"ts\">&#39;\\n&#39;</span>;\n");
  EXPECT_EQ(Lines("a.js", {"f('a b', `c`)"}),
            "f(<span class=\"ts\">&#39;a b&#39;</span>, <span class=\"ts\">`c`</span>)\n");
}

TEST(Highlight, ANumberSignIsNotAlwaysAComment) {
  EXPECT_EQ(Lines("a.sh", {"n=$# m=${#x} u=a#b # c"}),
            "n=$# m=${#x} u=a#b <span class=\"tc\"># c</span>\n");
}

TEST(Highlight, LinesFromTheMiddleOfACommentAreAComment) {
  EXPECT_EQ(Lines("a.h", {" * It's a note", " */", "int a;"}),
            "<span class=\"tc\"> * It&#39;s a note</span>\n<span class=\"tc\"> */</span>\n<span "
            "class=\"tk\">int</span> a;\n");
  EXPECT_EQ(Lines("a.h", {" * only", " * this"}),
            "<span class=\"tc\"> * only</span>\n<span class=\"tc\"> * this</span>\n");
  EXPECT_EQ(Lines("a.py", {"The default is 4.", "\"\"\"", "x = 1"}),
            "<span class=\"ts\">The default is 4.</span>\n<span "
            "class=\"ts\">&quot;&quot;&quot;</span>\nx = <span class=\"tn\">1</span>\n");
  EXPECT_EQ(Lines("a.py", {"def f():", "  \"\"\"Text", "  more\"\"\""}).find("<span class=\"tk\">"),
            0U);
}

TEST(Highlight, GroundsAndCitedWordsAreMarkedTogether) {
  Highlighter highlighter(Syntax::kPlain);
  Html html;
  const MarkedBytes marks[] = {{.begin = 0, .end = 9}, {.begin = 0, .end = 7, .is_ground = true}};
  highlighter.Line("größe 48 KB", marks, html);
  EXPECT_EQ(html.str(), "<mark><b class=\"gr\">größe</b></mark><mark> 4</mark>8 KB");
}

}  // namespace
}  // namespace sibyl::interface
