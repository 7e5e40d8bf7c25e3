// SPDX-License-Identifier: Apache-2.0
// What becomes of the elements of a page, one kind at a time.
#include "page/blocks.h"

#include <gtest/gtest.h>

#include <string>

#include "page/content.h"
#include "page/page.h"

namespace sibyl::page {
namespace {

std::string Shown(std::string_view body) {
  const Result<ExtractedPage> document =
      Extract("<main>" + std::string(body) + "</main>", "text/html; charset=utf-8", "");
  return document.ok() ? document->text : "failed: " + document.error().message;
}

TEST(PageBlocks, ParagraphsAreSeparatedAndWhiteSpaceIsFolded) {
  EXPECT_EQ(Shown("<p>one\n   two\t three</p><p>four</p>"), "one two three\n\nfour\n");
  EXPECT_EQ(Shown("<p>a<p>b<div>c</div>d"), "a\n\nb\n\nc\n\nd\n") << "end tags may be missing";
  EXPECT_EQ(Shown("<p>  </p><p>&nbsp;</p>"), "");
}

TEST(PageBlocks, ElementsInALineDoNotBreakIt) {
  EXPECT_EQ(Shown("<p>a <b>bold</b>, <i>it</i><span>alic</span> word</p>"),
            "a bold, italic word\n");
  EXPECT_EQ(Shown("<p>a<wbr>b<unknown>c</unknown></p>"), "abc\n");
}

TEST(PageBlocks, ABreakEndsALine) {
  EXPECT_EQ(Shown("<p>one<br>two<br/>three</p>"), "one\ntwo\nthree\n");
}

TEST(PageBlocks, HeadingsKeepTheirLevel) {
  EXPECT_EQ(Shown("<h1>A</h1><h3>B</h3><h6>C</h6><p>d</p>"), "# A\n\n### B\n\n###### C\n\nd\n");
}

TEST(PageBlocks, AHeadingIsOneLine) {
  EXPECT_EQ(Shown("<h2>One<br>two\n <code>three</code></h2>"), "## One two `three`\n");
  EXPECT_EQ(Shown("<h2></h2><p>text</p>"), "text\n");
}

TEST(PageBlocks, ListsAreMarkedNumberedAndNested) {
  EXPECT_EQ(Shown("<ul><li>a</li><li>b</li></ul>"), "- a\n- b\n");
  EXPECT_EQ(Shown("<ol><li>a<li>b<li>c</ol>"), "1. a\n2. b\n3. c\n");
  EXPECT_EQ(Shown("<ul><li>a<ul><li>b</ul><li>c</ul>"), "- a\n  - b\n- c\n");
  EXPECT_EQ(Shown("<ol><li>a<ul><li>b</ul></ol>"), "1. a\n  - b\n");
}

TEST(PageBlocks, TwoListsAreNotOne) {
  EXPECT_EQ(Shown("<ol><li>a</ol><p>between</p><ol><li>b</ol>"), "1. a\n\nbetween\n\n1. b\n");
}

TEST(PageBlocks, QuotationsAreMarked) {
  EXPECT_EQ(Shown("<blockquote><p>a</p><blockquote>b</blockquote></blockquote><p>c</p>"),
            "> a\n\n> > b\n\nc\n");
}

TEST(PageBlocks, CodeKeepsItsLinesAndItsLanguage) {
  EXPECT_EQ(Shown("<pre>a  b\n\n  c\n</pre>"), "```\na  b\n\n  c\n```\n");
  EXPECT_EQ(Shown("<pre><code class=\"language-python\">x = 1\n</code></pre>"),
            "```python\nx = 1\n```\n");
  EXPECT_EQ(Shown("<pre>a &lt;b&gt; &amp;c</pre>"), "```\na <b> &c\n```\n");
}

TEST(PageBlocks, CodeWithBackticksGetsALongerFence) {
  EXPECT_EQ(Shown("<pre>````\nx\n````</pre>"), "`````\n````\nx\n````\n`````\n");
}

TEST(PageBlocks, NamesInCodeFontAreInBackticks) {
  EXPECT_EQ(Shown("<p>Call <code>f()</code>, <tt>g</tt>, <kbd>Ctrl</kbd> or <samp>h</samp>.</p>"),
            "Call `f()`, `g`, `Ctrl` or `h`.\n");
  EXPECT_EQ(Shown("<p>An empty <code></code> one.</p>"), "An empty one.\n");
}

TEST(PageBlocks, TablesOfValuesBecomeTables) {
  EXPECT_EQ(Shown("<table><tr><th>name<th>bytes<tr><td>a<td>1<tr><td>b|c<td>2</table>"),
            "| name | bytes |\n| --- | --- |\n| a | 1 |\n| b\\|c | 2 |\n");
}

TEST(PageBlocks, AnEmptyCellKeepsItsColumn) {
  EXPECT_EQ(Shown("<table><tr><th>a<th>b<th>c<tr><td>1<td><td>3</table>"),
            "| a | b | c |\n| --- | --- | --- |\n| 1 | | 3 |\n");
}

TEST(PageBlocks, ATableOfOneColumnIsABox) {
  EXPECT_EQ(Shown("<table><tr><td>one<tr><td>two</table>"), "one\n\ntwo\n");
}

TEST(PageBlocks, ATableThatHoldsCodeIsABox) {
  EXPECT_EQ(Shown("<table><tr><td>text<td><pre>code</pre></table>"), "text\n\n```\ncode\n```\n");
}

TEST(PageBlocks, DefinitionsFollowTheirTerm) {
  const std::string text = Shown("<dl><dt>term<dd>meaning<dt>other<dd>more</dl>");
  EXPECT_LT(text.find("term"), text.find("meaning"));
  EXPECT_LT(text.find("meaning"), text.find("other"));
  EXPECT_EQ(text.find("termmeaning"), std::string::npos);
}

TEST(PageBlocks, WhatIsNotToBeReadIsLeftOut) {
  EXPECT_EQ(Shown("<p>a</p><script>x</script><style>y</style><template><p>z</p></template>"
                  "<noscript>enable scripts</noscript><p hidden>h</p><p aria-hidden=true>i</p>"
                  "<select><option>o</option></select><textarea>t</textarea><button>b</button>"),
            "a\n");
}

TEST(PageBlocks, PowersAndIndicesAreTold) {
  EXPECT_EQ(Shown("<p>2<sup>32</sup> bytes</p>"), "2^32 bytes\n");
}

TEST(PageBlocks, TheSizesOfTheWholeAreRight) {
  const Blocks page =
      ReadBlocks("<title>A &amp; B</title><html lang=en><p>one two</p>", Trust::kWords);
  EXPECT_EQ(page.title, "A & B");
  EXPECT_EQ(page.language, "en");
  ASSERT_EQ(page.blocks.size(), 1U);
  EXPECT_EQ(page.TextOf(page.blocks[0]), "one two");
  EXPECT_EQ(page.blocks[0].kind, BlockKind::kParagraph);
  EXPECT_EQ(page.scopes[0].text_bytes, 7U);
}

TEST(PageBlocks, LinksAreMeasured) {
  const Blocks page = ReadBlocks("<p>see <a href=x>the manual</a></p>", Trust::kWords);
  ASSERT_EQ(page.blocks.size(), 1U);
  EXPECT_EQ(page.blocks[0].link_bytes, std::string_view("the manual").size());
}

TEST(PageBlocks, SignalsForTheJudgeAreCounted) {
  const Blocks page = ReadBlocks(
      "<meta http-equiv=refresh content='0; url=x'><script>12345</script><script src=a></script>"
      "<noscript>Please enable JavaScript.</noscript><input type=password><div id=root></div>",
      Trust::kWords);
  EXPECT_TRUE(page.signals.has_refresh);
  EXPECT_TRUE(page.signals.has_password_field);
  EXPECT_TRUE(page.signals.has_app_root);
  EXPECT_FALSE(page.signals.has_challenge);
  EXPECT_EQ(page.signals.scripts, 2U);
  EXPECT_EQ(page.signals.script_bytes, 5U);
  EXPECT_NE(page.signals.noscript.find("enable JavaScript"), std::string::npos);
}

TEST(PageBlocks, ThePageSaysItsAddress) {
  const Blocks page = ReadBlocks(
      "<link rel=canonical href='https://example.org/a?b=1&amp;c=2'><p>x", Trust::kWords);
  EXPECT_EQ(page.canonical, "https://example.org/a?b=1&c=2");
}

TEST(PageContent, TheLargestMainBoxIsThePage) {
  const std::string words(300, 'w');
  const Blocks page = ReadBlocks(
      "<div><p>outside</p></div><main><h1>T</h1><p>" + words + "</p></main><div><p>below</p></div>",
      Trust::kWords);
  const Content content = ChooseContent(page);
  ASSERT_EQ(content.blocks.size(), 2U);
  EXPECT_EQ(page.TextOf(*content.blocks[0]), "T");
  EXPECT_EQ(content.dropped_bytes, std::string_view("outsidebelow").size());
}

TEST(PageContent, AMainBoxThatIsNearlyEmptyIsNotBelieved) {
  const std::string words(300, 'w');
  const Blocks page =
      ReadBlocks("<main><p>x</p></main><div><p>" + words + "</p></div>", Trust::kWords);
  EXPECT_EQ(ChooseContent(page).blocks.size(), 2U);
}

TEST(PageContent, RunsOfLinksAtTheEndsAreFurniture) {
  const std::string words(300, 'w');
  const Blocks page = ReadBlocks(
      "<main><p><a href=a>Home</a></p><p>" + words +
          "</p><p>See <a href=b>b</a> for the reasons.</p><p><a href=c>Next</a></p></main>",
      Trust::kWords);
  const Content content = ChooseContent(page);
  ASSERT_EQ(content.blocks.size(), 2U);
  EXPECT_EQ(page.TextOf(*content.blocks[1]), "See b for the reasons.");
}

TEST(PageContent, AnEmptyPageHasNone) {
  const Blocks page = ReadBlocks("", Trust::kWords);
  EXPECT_TRUE(ChooseContent(page).blocks.empty());
}

TEST(PageHeadings, KnowTheirAnchor) {
  const Result<ExtractedPage> document = Extract(
      "<main><h1 id=top>A</h1><a name=named></a><h2>B</h2><section id=boxed><h2>C</h2>"
      "<p>x</p></section><h2>D</h2></main>",
      "text/html", "");
  ASSERT_TRUE(document.ok());
  ASSERT_EQ(document->headings.size(), 4U);
  EXPECT_EQ(document->headings[0].anchor, "top");
  EXPECT_EQ(document->headings[1].anchor, "named");
  EXPECT_EQ(document->headings[2].anchor, "boxed");
  EXPECT_EQ(document->headings[3].anchor, "");
}

TEST(PageTitle, HeadsAPageThatHasNoHeadingOfTheFirstLevel) {
  const auto text = [](std::string_view html) {
    const Result<ExtractedPage> document = Extract(html, "text/html", "");
    return document.ok() ? document->text : "";
  };
  EXPECT_EQ(text("<title>Manual</title><main><p>Words.</p></main>"), "# Manual\n\nWords.\n");
  EXPECT_EQ(text("<title>Manual</title><main><h1>Gadget</h1><p>Words.</p></main>"),
            "# Gadget\n\nWords.\n");
  EXPECT_EQ(text("<title>Manual</title>"), "");
}

TEST(PageProse, NoLineOfATextReadsAsMarkup) {
  for (const char* line : {"# x", "> x", "```x", "~~~x"}) {
    EXPECT_EQ(Shown("<p>" + std::string(line) + "</p><p>after</p>"),
              "\\" + std::string(line) + "\n\nafter\n");
  }
  EXPECT_EQ(Shown("<p>Title<br>---<br>===</p>"), "Title\n\\---\n\\===\n");
}

TEST(PageWords, AreRunsOfLettersAndDigits) {
  EXPECT_EQ(CountWords(""), 0U);
  EXPECT_EQ(CountWords("one, two-three 4"), 4U);
  EXPECT_EQ(CountWords("... --- !!!"), 0U);
}

TEST(PageElements, TheirEndTagsMayBeMissing) {
  EXPECT_EQ(Shown("<ul><li>a<p>b<li>c</ul>d"), "- a\n\n  b\n\n- c\n\nd\n");
  EXPECT_EQ(Shown("<table><thead><tr><th>a<th>b<tbody><tr><td>1<td>2</table>"),
            "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
  EXPECT_EQ(Shown("<p>a<h2>B</h2>c"), "a\n\n## B\n\nc\n");
}

TEST(PageElements, AnEndTagWithoutAStartClosesNothing) {
  EXPECT_EQ(Shown("<p>a</b></div></ul></table>b</p>"), "ab\n");
  EXPECT_EQ(Shown("a</p>b"), "a\n\nb\n") << "a browser makes a paragraph of it";
}

TEST(PageElements, AnEndTagInATableDoesNotCloseWhatIsAroundIt) {
  EXPECT_EQ(Shown("<div><table><tr><td>a</div><td>b</table>c</div>"),
            "| a | b |\n| --- | --- |\n\nc\n");
}

TEST(PageElements, AnOrderedListCountsItsItemsOnly) {
  EXPECT_EQ(Shown("<ol><li><li>a<li>&nbsp;<li>b</ol>"), "1. a\n2. b\n");
}

TEST(PageElements, AFormulaThatWasDrawnIsItsText) {
  EXPECT_EQ(Shown("<p>where <img class=math alt='a &lt; b'> holds<img alt=logo></p>"),
            "where a < b holds\n");
}

TEST(PageElements, HardSpacesAreSpacesAndSoftHyphensNothing) {
  EXPECT_EQ(Shown("<p>&nbsp;a&nbsp;&nbsp;b&shy;c&#8203;d</p>"), "a bcd\n");
}

TEST(PageElements, APermalinkBesideAHeadingIsLeftOut) {
  for (const char* sign : {"¶", "#", "§", "🔗"}) {
    EXPECT_EQ(Shown("<h2>Sizes<a href='#sizes'>" + std::string(sign) + "</a></h2><p>x</p>"),
              "## Sizes\n\nx\n");
  }
}

TEST(PageElements, AFootnoteMarkIsNoPower) {
  EXPECT_EQ(Shown("<p>word<sup>[1]</sup> and x<sup><a href=#n>2</a></sup></p>"),
            "word[1] and x2\n");
}

TEST(PageElements, CodeInTwoLanguagesIsTwoBlocks) {
  EXPECT_EQ(
      Shown("<pre><code class=language-c>a;</code><code class=language-python>b</code></pre>"),
      "```c\na;\n```\n\n```python\nb\n```\n");
}

TEST(PageElements, InlineCodeWithABacktickIsLeftAsItIs) {
  EXPECT_EQ(Shown("<p>Type <code>a`b</code>.</p>"), "Type a`b.\n");
}

TEST(PageTrust, WithoutWordsClassesHideNothing) {
  const std::string_view html = "<div class=sidebar><p>text</p></div><nav>menu</nav>";
  EXPECT_TRUE(ReadBlocks(html, Trust::kWords).blocks.empty());
  const Blocks page = ReadBlocks(html, Trust::kElementsOnly);
  ASSERT_EQ(page.blocks.size(), 1U);
  EXPECT_EQ(page.TextOf(page.blocks[0]), "text");
}

TEST(PageTrust, WhatIsLeftOutIsCountedByItsRole) {
  const Blocks page = ReadBlocks(
      "<nav> 12345 </nav><div class=cookies>123</div><p>x<span class=headerlink>1</span></p>",
      Trust::kWords);
  EXPECT_EQ(page.left_out[static_cast<std::size_t>(Role::kNavigation)], 5U);
  EXPECT_EQ(page.left_out[static_cast<std::size_t>(Role::kNotice)], 3U);
  EXPECT_EQ(page.left_out[static_cast<std::size_t>(Role::kDecoration)], 1U);
}

TEST(PageScopes, AreNestedAndAddedUp) {
  const Blocks page =
      ReadBlocks("<p>1</p><main><p>22</p><article><p>333</p></article></main>", Trust::kWords);
  ASSERT_EQ(page.scopes.size(), 3U);
  EXPECT_EQ(page.scopes[0].text_bytes, 6U);
  EXPECT_EQ(page.scopes[1].role, Role::kMain);
  EXPECT_EQ(page.scopes[1].text_bytes, 5U);
  EXPECT_EQ(page.scopes[2].parent, 1U);
  EXPECT_EQ(page.scopes[2].text_bytes, 3U);
}

TEST(PageContent, AnArticleThatIsMostOfThePageIsThePage) {
  const std::string words(300, 'w');
  const Blocks page = ReadBlocks(
      "<p>before</p><article><p>" + words + "</p></article><article><p>next</p></article>",
      Trust::kWords);
  const Content content = ChooseContent(page);
  ASSERT_EQ(content.blocks.size(), 1U);
  EXPECT_EQ(page.TextOf(*content.blocks[0]), words);
}

TEST(PageContent, ManyArticlesAreAllThePage) {
  const std::string words(300, 'w');
  const std::string article = "<article><p>" + words + "</p></article>";
  const Blocks page = ReadBlocks(article + article + article, Trust::kWords);
  EXPECT_EQ(ChooseContent(page).blocks.size(), 3U);
}

TEST(PageContent, ShortTextBeforeTheTitleIsFurniture) {
  const std::string words(300, 'w');
  const Blocks page = ReadBlocks("<p>Sign up</p><h1>Title</h1><p>" + words + "</p>", Trust::kWords);
  EXPECT_EQ(ChooseContent(page).blocks.size(), 2U);
  const Blocks long_start =
      ReadBlocks("<p>" + words + "</p><h1>Title</h1><p>" + words + "</p>", Trust::kWords);
  EXPECT_EQ(ChooseContent(long_start).blocks.size(), 3U);
}

TEST(PageContent, APageOfLinksKeepsThem) {
  const Blocks page =
      ReadBlocks("<main><p><a href=a>One</a></p><p><a href=b>Two</a></p></main>", Trust::kWords);
  EXPECT_EQ(ChooseContent(page).blocks.size(), 2U);
}

}  // namespace
}  // namespace sibyl::page
