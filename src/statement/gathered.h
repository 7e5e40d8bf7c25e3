// SPDX-License-Identifier: Apache-2.0
// The words of one Markdown block as a reader sees them, before they are split
// into sentences (sentences.h): characters in their plain form, formulas without
// their commands, and where marks, breaks and links are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/markdown/markdown.h"
#include "statement/statement.h"

namespace sibyl::statement {

struct Gathered {
  Statement whole;
  struct Mark {
    std::size_t at = 0;  ///< In whole.text.
    std::string label;
  };
  std::vector<Mark> marks;
  std::vector<std::size_t> link_ends;  ///< In whole.text, for whole.links.
  /// Where a statement ends whatever its punctuation: at a hard break after a
  /// mark, and before a text of a definition list (": text") if something before
  /// it has a mark.
  std::vector<std::size_t> cuts;
  /// Texts beside it: alt texts, titles of links, HTML, struck-out words.
  std::vector<Statement> asides;
};

/// The inlines of a block. `is_folded`: characters in their plain form; not for
/// quotations, which are compared with their source as they are.
Gathered GatherInlines(std::string_view source, const MarkdownNode& block, StatementKind kind,
                       bool is_folded);

/// The words of raw HTML: text between tags, and the attributes that are shown
/// (alt, title, aria-label, placeholder, value, summary). Without comments.
std::string HtmlWords(std::string_view html);

}  // namespace sibyl::statement
