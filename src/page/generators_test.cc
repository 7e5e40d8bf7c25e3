// SPDX-License-Identifier: Apache-2.0
// Pages as common generators make them, in small: the text is there, what
// surrounds it is not.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "page/page.h"

namespace sibyl::page {
namespace {

const std::string kProse =
    "A kernel that waits for memory is not helped by more arithmetic units. It needs more loads in "
    "flight, or data that is nearer. ";

struct Made {
  std::string name;
  std::string html;
  std::vector<std::string> kept;
  std::vector<std::string> left_out;
};

std::vector<Made> Pages() {
  return {
      {"MkDocs",
       "<header class=md-header>Search the docs</header><nav class='md-tabs'>Tabs</nav>"
       "<div class=md-sidebar><nav class=md-nav>Menu</nav></div><main class=md-main>"
       "<article class='md-content__inner md-typeset'><a class=md-content__button>Edit</a>"
       "<h1 id=latency>Latency<a class=headerlink href=#latency>&para;</a></h1><p>" +
           kProse +
           "</p><div class='language-cpp highlight'><pre><code>int a;\n</code></pre></div>"
           "</article></main><footer class=md-footer>Next</footer>",
       {"# Latency\n", "A kernel that waits", "```cpp\nint a;\n```"},
       {"Search the docs", "Tabs", "Menu", "Edit", "Next", "¶"}},
      {"MediaWiki",
       "<div id=mw-head>Log in</div><div id=content class=mw-body><h1 id=firstHeading>Latency</h1>"
       "<div id=bodyContent><div id=mw-content-text><div class=mw-parser-output><p>" +
           kProse + kProse +
           "</p><h2><span class=mw-headline id=Cause>Cause</span><span class=mw-editsection>"
           "[<a href=e>edit</a>]</span></h2><p>" +
           kProse +
           "</p></div></div><div id=catlinks class=catlinks>Categories: Memory</div></div></div>"
           "<div id=mw-navigation class=mw-navigation>Main page Random article</div>",
       {"Cause", "A kernel that waits"},
       {"Log in", "edit", "Categories", "Random article"}},
      {"a question site",
       "<div class=js-consent-banner>Your privacy</div><div id=left-sidebar class=left-sidebar>Tags"
       "</div><div id=mainbar><div class=question id=question><h1>Why is it slow?</h1>"
       "<div class=js-voting-container>42</div><div class=s-prose><p>" +
           kProse +
           "</p><pre class='lang-cpp'><code>slow();</code></pre></div><div class=js-post-menu>Share"
           "</div></div><div id=answers><div class=s-prose><p>It waits. " +
           kProse + "</p></div></div></div><div class=s-sidebarwidget>Hot questions</div>",
       {"Why is it slow?", "slow();", "It waits."},
       {"Your privacy", "Tags", "Hot questions"}},
      {"a man page",
       "<html><body><h1>GADGET(1)</h1><h2>NAME</h2><p>gadget - resets the driver</p>"
       "<h2>OPTIONS</h2><dl><dt><b>-v</b></dt><dd>say more</dd></dl><pre>gadget -v file\n</pre>"
       "</body></html>",
       {"# GADGET(1)\n", "## NAME\n", "gadget - resets the driver", "-v", "say more",
        "```\ngadget -v file\n```"},
       {}},
      {"an index of declarations",
       "<div class=contents><h1>Gadget</h1><table class=memberdecls><tr class=heading><td "
       "colspan=2>"
       "<h2>Functions</h2></td></tr><tr><td class=memItemLeft>void&#160;</td><td "
       "class=memItemRight><a href=#a>Reset</a> (int id)</td></tr><tr><td></td><td>Resets it.</td>"
       "</tr></table></div>",
       {"## Functions\n", "Reset", "(int id)", "Resets it."},
       {}},
      {"a file with line numbers",
       "<main><h1>a.cc</h1><table class='highlight tab-size'><tr><td class='blob-num' "
       "data-line-number=1>1</td><td class='blob-code'>int first;</td></tr></table>"
       "<div class=highlight><table><tr><td class=gutter><pre class=lineno>1\n2\n</pre></td><td>"
       "<pre>one\ntwo\n</pre></td></tr></table></div></main>",
       {"int first;", "```\none\ntwo\n```"},
       {"1\n2\n"}},
  };
}

TEST(PageGenerators, KeepTheTextAndLeaveTheRestOut) {
  for (const Made& made : Pages()) {
    const Result<ExtractedPage> document =
        Extract(made.html, "text/html; charset=utf-8", "https://example.org/a");
    ASSERT_TRUE(document.ok()) << made.name;
    for (const std::string& kept : made.kept) {
      EXPECT_NE(document->text.find(kept), std::string::npos)
          << made.name << " lost \"" << kept << "\":\n"
          << document->text;
    }
    for (const std::string& left_out : made.left_out) {
      EXPECT_EQ(document->text.find(left_out), std::string::npos)
          << made.name << " kept \"" << left_out << "\":\n"
          << document->text;
    }
  }
}

TEST(PageGenerators, TheSameBytesGiveTheSameText) {
  for (const Made& made : Pages()) {
    const Result<ExtractedPage> once = Extract(made.html, "text/html", "");
    const Result<ExtractedPage> again = Extract(made.html, "text/html", "");
    ASSERT_TRUE(once.ok() && again.ok());
    EXPECT_EQ(once->text, again->text) << made.name;
  }
}

TEST(PageGenerators, HeadingsOfTheTextAreThoseOfThePage) {
  for (const Made& made : Pages()) {
    const Result<ExtractedPage> document = Extract(made.html, "text/html", "");
    ASSERT_TRUE(document.ok());
    std::size_t line = 1;
    std::size_t at = 0;
    for (const PageHeading& heading : document->headings) {
      while (line < heading.line) {
        at = document->text.find('\n', at) + 1;
        ++line;
      }
      EXPECT_EQ(document->text.substr(at, static_cast<std::size_t>(heading.level) + 1),
                std::string(static_cast<std::size_t>(heading.level), '#') + " ")
          << made.name << ": " << heading.title;
    }
  }
}

}  // namespace
}  // namespace sibyl::page
