// SPDX-License-Identifier: Apache-2.0
// HTML of the generators that documentation comes from, in small.
#include "page/page.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "base/utf8.h"

namespace sibyl::page {
namespace {

ExtractedPage Read(std::string_view html) {
  Result<ExtractedPage> document =
      Extract(html, "text/html; charset=utf-8", "https://example.org/a");
  if (!document.ok()) ADD_FAILURE() << document.error().message;
  return document.ok() ? *std::move(document) : ExtractedPage{};
}

std::string TextOf(std::string_view html) { return Read(html).text; }

TEST(PageExtract, ReadsASphinxPageWithoutItsFurniture) {
  const ExtractedPage document =
      Read(R"(<!DOCTYPE html><html lang="en"><head><title>fence &#8212; Gadget 2</title>
    <style>p{}</style><script>var p = "<p>no</p>";</script></head><body>
    <div class="related" role="navigation"><ul><li><a href="i.html">index</a></li></ul></div>
    <div class="document"><div class="body" role="main"><section id="memory-fences">
    <h1>Memory fences<a class="headerlink" href="#memory-fences" title="Link">¶</a></h1>
    <p>A fence orders <code class="docutils literal"><span class="pre">store()</span></code> before
    what follows.</p>
    <div class="highlight-c++ notranslate"><div class="highlight"><pre><span></span><span class="k">void</span> <span class="n">f</span><span class="p">();</span>
<span class="c1">// 1 &lt; 2</span>
</pre></div></div></section></div></div>
    <div class="sphinxsidebar"><h3>Table of Contents</h3><p>Quick search</p></div>
    <div class="footer">Copyright</div></body></html>)");
  EXPECT_EQ(document.text,
            "# Memory fences\n\nA fence orders `store()` before what follows.\n\n"
            "```cpp\nvoid f();\n// 1 < 2\n```\n");
  EXPECT_EQ(document.title, "fence — Gadget 2");
  EXPECT_EQ(document.language, "en");
  ASSERT_EQ(document.headings.size(), 1u);
  EXPECT_EQ(document.headings[0].anchor, "memory-fences");
  EXPECT_EQ(document.headings[0].line, 1u);
  EXPECT_EQ(document.code_blocks, 1u);
  EXPECT_GT(document.left_out_bytes, 20u);
}

TEST(PageExtract, MakesAHeadingOfASignature) {
  EXPECT_EQ(
      TextOf(
          R"(<main><h1>gadget</h1><dl class="py function"><dt class="sig sig-object py" id="gadget.open">
      <span class="sig-prename">gadget.</span><span class="sig-name">open</span><span>(</span><em>path</em><span>)</span>
      <a class="headerlink" href="#gadget.open">¶</a></dt><dd><p>Opens it.</p></dd></dl></main>)"),
      "# gadget\n\n## gadget.open(path)\n\nOpens it.\n");
}

TEST(PageExtract, ReadsDoxygen) {
  EXPECT_EQ(TextOf(R"(<body><div id="top"><div id="titlearea">Project</div></div>
    <div class="header"><div class="summary"><a href="#m">More</a></div></div>
    <div class="contents"><table class="memberdecls"><tr class="heading"><td colspan="2"><h2 class="groupheader">Functions</h2></td></tr>
    <tr><td class="memItemLeft">int&#160;</td><td class="memItemRight"><a href="#x">open</a> (int flags)</td></tr>
    <tr><td>&#160;</td><td class="mdescRight">Opens it. <a href="#d">More...</a><br /></td></tr></table>
    <h2>Function Documentation</h2>
    <table class="memname"><tr><td class="memname">int open </td><td>(</td><td class="paramtype">int&#160;</td><td class="paramname"><em>a</em>, </td></tr>
    <tr><td></td><td></td><td>int&#160;</td><td>b&#160;</td></tr><tr><td></td><td>)</td></tr></table>
    <div class="fragment"><div class="line"><span class="lineno">    1</span>#include &quot;a.h&quot;</div>
    <div class="line"><span class="lineno">    2</span>int x;</div></div></div></body>)"),
            "## Functions\n\n`int open (int flags)`\n\nOpens it.\n\n## Function Documentation\n\n"
            "`int open (int a, int b)`\n\n```\n#include \"a.h\"\nint x;\n```\n");
}

TEST(PageExtract, KeepsListsTablesAndPowers) {
  EXPECT_EQ(
      TextOf(
          R"(<article><h2 id=limits>Limits</h2><ul><li>one<ul><li>inner</li></ul><li><p>two</p></ul>
    <ol><li>first<li>second</ol>
    <table><thead><tr><th>GPU<th>Bytes</thead><tr><td>H100<td>2<sup>10</sup> | more</table></article>)"),
      "## Limits\n\n- one\n  - inner\n- two\n1. first\n2. second\n\n"
      "| GPU | Bytes |\n| --- | --- |\n| H100 | 2^10 \\| more |\n");
}

TEST(PageExtract, LeavesGuttersOfHighlightedCodeOut) {
  EXPECT_EQ(
      TextOf(
          R"(<main><p>Code:</p><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1
2</pre></div></td><td class="code"><pre>a = 1
b = 2</pre></td></tr></table></main>)"),
      "Code:\n\n```\na = 1\nb = 2\n```\n");
  EXPECT_EQ(
      TextOf("<main><pre class='prism-code language-bash'><code><span class='token-line'>"
             "make<br></span><span class='token-line'>make test<br></span></code></pre></main>"),
      "```bash\nmake\nmake test\n```\n");
}

TEST(PageExtract, PutsSentencesOnLinesOfTheirOwn) {
  EXPECT_EQ(TextOf("<main><p>The first sentence is long enough to fill most of a line here. "
                   "The second follows. E.g. this one.</p></main>"),
            "The first sentence is long enough to fill most of a line here.\n"
            "The second follows. E.g. this one.\n");
  EXPECT_EQ(TextOf("<main><p>Some files do not affect how anything is linked in the end (e.g. "
                   "<code>.txt</code>). They stay.</p></main>"),
            "Some files do not affect how anything is linked in the end (e.g. `.txt`).\n"
            "They stay.\n");
}

TEST(PageExtract, TakesTheArticleOfABlogAndNotItsNeighbours) {
  const std::string words =
      "A kernel that waits for memory is not helped by more arithmetic units at all. ";
  EXPECT_EQ(
      TextOf("<body><header><a href=/>Home</a></header><div class='cookie-banner'>We use cookies."
             "</div><article><header><h1>Latency</h1></header><p>" +
             words + words +
             "</p><footer>By A.</footer></article><aside>Popular posts</aside>"
             "<div class=sidebar><a href=1>One</a></div><footer>Imprint</footer></body>"),
      "# Latency\n\n" + words.substr(0, words.size() - 1) + "\n" +
          words.substr(0, words.size() - 1) + "\n");
}

TEST(PageExtract, KeepsAPageOfNothingButLinks) {
  EXPECT_EQ(
      TextOf("<main><h1>Index</h1><ul><li><a href=a>Alpha</a><li><a href=b>Beta</a></ul></main>"),
      "# Index\n\n- Alpha\n- Beta\n");
}

TEST(PageExtract, DoesNotBelieveAClassAroundEverything) {
  std::string prose;
  for (int i = 0; i < 20; ++i) prose += "<p>Paragraph with several plain words in it.</p>";
  EXPECT_GT(Read("<body><div class='sidebar'><h1>T</h1>" + prose + "</div></body>").words, 100u);
}

TEST(PageExtract, CutsWhatWouldReadAsMarkup) {
  EXPECT_EQ(
      TextOf(
          "<main><p># not a heading</p><pre>```\nfence</pre><p>a &lt;b&gt; &amp;amp;</p></main>"),
      "\\# not a heading\n\n````\n```\nfence\n````\n\na <b> &amp;\n");
}

TEST(PageExtract, SurvivesHostileNesting) {
  for (const std::string_view tag :
       {"<div>", "<b>", "<ul><li>", "<table><tr><td>", "<p><a>", "<pre>", "<blockquote>",
        "<article>", "<a b=\"", "<!--", "<script>", "&#"}) {
    std::string html;
    while (html.size() < 1'000'000) html += tag;
    html += "word";
    const Result<ExtractedPage> document = Extract(html, "text/html", "");
    ASSERT_TRUE(document.ok()) << tag;
    EXPECT_LT(document->text.size(), html.size() + 100) << tag;
  }
}

TEST(PageExtract, ReadsOtherFormsAsTheyAre) {
  const auto form = [](std::string_view bytes, std::string_view type, std::string_view url) {
    const Result<Form> found = FormOf(bytes, type, url);
    return found.ok() ? FormName(*found) : "none";
  };
  EXPECT_EQ(form("# T", "text/plain", "https://x.org/README.md?raw=1"), "markdown");
  EXPECT_EQ(form("T\n=", "text/plain; charset=utf-8", "https://x.org/a.rst"), "rst");
  EXPECT_EQ(form("{}", "application/json", "https://x.org/a"), "json");
  EXPECT_EQ(form("%PDF-1.7", "application/octet-stream", "https://x.org/a"), "pdf");
  EXPECT_EQ(form("<!doctype html>", "", "https://x.org/a"), "html");
  EXPECT_EQ(form("<html>", "text/plain", "https://x.org/a"), "text");
  EXPECT_EQ(form("abc", "", "https://x.org/a"), "text");
  EXPECT_EQ(form("PNG", "image/png", "https://x.org/a"), "none");
  EXPECT_EQ(form(std::string_view("a\0b", 3), "", "https://x.org/a"), "none");
  const Result<ExtractedPage> text = Extract("a\r\nb\r\n\r\n", "text/plain", "");
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text->text, "a\nb\n");
}

RC_GTEST_PROP(PageExtract, GivesValidTextWithItsHeadingsWhereItSays, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "<h1>", "</h1>", "<p>", "<pre>", "</pre>", "<li>", "<ul>", "</ul>", "<td>", "<table>",
      "</table>", "<code>", "</code>", "word ", "&amp;", "&#0;", "\xff", "\n", "<a id=x>", "</a>",
      "<br>", "<sup>2", "<dt class=sig>", "<div class=fragment>", "</div>", "<nav>", "</nav>", "<",
      "¶", "&nbsp;"));
  std::string html;
  for (const std::string& piece : pieces) html += piece;
  const Result<ExtractedPage> document = Extract(html, "text/html", "");
  RC_ASSERT(document.ok());
  RC_ASSERT(!FindInvalidUtf8(document->text));
  RC_ASSERT(document->text.find('\0') == std::string::npos);
  std::vector<std::string> lines;
  std::string line;
  for (const char letter : document->text) {
    if (letter == '\n') {
      lines.push_back(std::exchange(line, {}));
    } else {
      line += letter;
    }
  }
  for (const PageHeading& heading : document->headings) {
    RC_ASSERT(heading.line >= 1 && heading.line <= lines.size());
    RC_ASSERT(lines[heading.line - 1].starts_with('#'));
  }
}

TEST(PageForms, HaveTheirNamesAndSuffixes) {
  EXPECT_EQ(FormName(Form::kHtml), "html");
  EXPECT_EQ(TextSuffix(Form::kHtml), ".md");
  EXPECT_EQ(TextSuffix(Form::kRst), ".rst");
  EXPECT_EQ(TextSuffix(Form::kPlain), ".txt");
  EXPECT_EQ(TextSuffix(Form::kJson), ".json");
}

TEST(PageForms, WhatIsNoTextIsRefusedWithAHint) {
  for (const char* type : {"image/png", "application/zip", "video/mp4", "font/woff2"}) {
    const Result<ExtractedPage> document = Extract("bytes", type, "https://example.org/a");
    ASSERT_FALSE(document.ok()) << type;
    EXPECT_EQ(document.error().kind, ErrorKind::kUsage);
    EXPECT_NE(document.error().message.find(std::string(type) + " is not text"), std::string::npos)
        << document.error().message;
    EXPECT_FALSE(document.error().hint.empty());
  }
}

TEST(PageForms, APageThatIsTooLongIsRefused) {
  const std::string html = "<main><p>" + std::string(1'000, 'x') + "</p></main>";
  EXPECT_FALSE(Extract(html, "text/html", "", {.max_bytes = 100}).ok());
  EXPECT_TRUE(Extract(html, "text/html", "", {.max_bytes = 2'000}).ok());
}

TEST(PageForms, MarkdownKeepsItsBytesAndKnowsItsHeadings) {
  const Result<ExtractedPage> document =
      Extract("# Cache\n\nWords.\n\n## Sizes\n\n```\n# not one\n```\n", "text/markdown", "");
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(document->form, Form::kMarkdown);
  EXPECT_EQ(document->text, "# Cache\n\nWords.\n\n## Sizes\n\n```\n# not one\n```\n");
}

TEST(PageForms, AnEmptyAnswerIsAnEmptyPage) {
  const Result<ExtractedPage> document = Extract("", "text/html", "");
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(document->text, "");
  EXPECT_EQ(document->words, 0U);
}

}  // namespace
}  // namespace sibyl::page
