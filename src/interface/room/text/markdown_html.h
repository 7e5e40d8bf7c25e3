// SPDX-License-Identifier: Apache-2.0
// Markdown as HTML for a page: from the tree that cmark-gfm made, so that only
// elements that are written here can appear. Raw HTML is shown as text, images
// by their description, links only if they are safe.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "interface/room/links.h"
#include "interface/room/text/html.h"

namespace sibyl::interface {

/// A statement of the text that has a mark.
struct MarkedStatement {
  std::size_t id = 0;
  std::size_t begin = 0;  ///< Bytes of the text.
  std::size_t end = 0;
  std::string verdict;                ///< "supported", …; a class of the mark.
  std::vector<std::string> labels{};  ///< Of its footnotes.
  std::string note = {};              ///< Why it does not hold; shown with the mark.
  /// Of a stale one, where its lines are now: "unchanged", "moved within the file", "gone".
  std::string whereabouts = {};
};

struct MarkdownView {
  LinkStyle links = LinkStyle::Server();
  std::string page;                              ///< Path in the oracle, for relative links.
  std::vector<MarkedStatement> statements = {};  ///< In order, not overlapping.
  /// Whether a page can be linked to; empty: every page can.
  std::function<bool(std::string_view)> has_page = {};
  std::map<std::string, std::size_t> numbers = {};  ///< Of footnotes, by label.
  std::set<std::string> notes = {};  ///< Labels of footnotes that are remarks, not citations.
  /// The statements are not known yet: footnotes show that they are being checked.
  bool is_unchecked = false;
  /// Words of a search, in lower case; marked where a word begins with one.
  std::vector<std::string> wanted = {};
  /// The match of a regular expression, which is marked instead.
  std::string match = {};
};

/// A piece of Markdown that is shown among other things: a snippet, an answer. Its headings have
/// no anchors, its footnotes are left out, and only links to other sites are links.
struct MarkdownFragment {
  std::string_view text;
  std::vector<std::string> wanted = {};  ///< As in MarkdownView.
  std::string match = {};                ///< As in MarkdownView.
};
Html RenderFragment(const MarkdownFragment& fragment);

/// A sentence or a heading of Markdown, without a paragraph around it: code, emphasis and links to
/// other sites. Of what is not one paragraph, only code in backquotes is.
Html RenderSentence(std::string_view text);

/// The same on a page, whose links to other pages are links too.
Html RenderSentence(std::string_view text, const MarkdownView& view);

/// Text of documentation with code in backquotes, as Markdown (`x`) or as reST (``x``,
/// :func:`x`) has it. Everything else is plain.
Html RenderCodeNames(std::string_view text);

/// A heading, or a line of a plan or of documentation: a sentence of Markdown if it has emphasis
/// or links, otherwise code in backquotes. "__init__" stays a name.
Html RenderTitle(std::string_view text);

struct TableOfContents {
  struct Entry {
    int level = 0;
    std::string text;
    std::string anchor;
  };
  std::vector<Entry> entries;
};

struct RenderedMarkdown {
  Html html;
  TableOfContents contents;
};

/// Fails only if the text exceeds the limits of the parser.
Result<RenderedMarkdown> RenderMarkdown(std::string_view text, const MarkdownView& view);

/// "holds", "not decided", "stale", …: the word for a verdict.
std::string_view VerdictWord(std::string_view verdict);
/// The class of a verdict in the stylesheet: "ok", "open", "away", "old", "bad".
std::string_view VerdictClass(std::string_view verdict);
/// Of stale lines: "=" where they are unchanged, "→" where they moved, "✗" where they are gone.
std::string_view WhereaboutsSign(std::string_view whereabouts);
/// The sign of a verdict, which says the same as its colour.
std::string_view VerdictSign(std::string_view verdict);

}  // namespace sibyl::interface
