// SPDX-License-Identifier: Apache-2.0
// GitHub Flavored Markdown (tables, strikethrough, autolinks, task lists,
// footnotes), as our own tree with the source position of every node.
//
// The parser is cmark-gfm. Its positions are reliable for blocks, but only
// approximate for inlines, so we walk the source along its tree and accept a
// position as exact only if the bytes there match the tree.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl {

enum class MarkdownKind {
  // Blocks.
  kDocument,
  kHeading,
  kParagraph,
  kBlockQuote,
  kList,
  kItem,
  kCodeBlock,
  kHtmlBlock,
  kThematicBreak,
  kTable,
  kTableRow,
  kTableCell,
  kFootnoteDefinition,
  // Inlines.
  kText,
  kSoftBreak,
  kLineBreak,
  kCode,
  kHtmlInline,
  kEmphasis,
  kStrong,
  kStrikethrough,
  kLink,
  kImage,
  kFootnoteReference,
};

constexpr bool IsInline(MarkdownKind kind) { return kind >= MarkdownKind::kText; }

/// A range of the source: bytes [begin, end), and the lines and byte columns of
/// its first and last byte, from one.
struct MarkdownSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t first_line = 0;
  std::size_t first_column = 0;
  std::size_t last_line = 0;
  std::size_t last_column = 0;
  /// Always true for blocks. An inexact inline has the span of its block: this
  /// happens for constructs that we do not retrace (such as an inline HTML
  /// comment over several quoted lines).
  bool is_exact = false;
};

enum class TaskMark { kNone, kOpen, kDone };

struct MarkdownNode {
  MarkdownKind kind = MarkdownKind::kDocument;
  /// The content of text, code and HTML, with escapes and entities resolved;
  /// the label of a footnote reference or definition, without [^ and ].
  std::string text;
  std::string info;                 ///< Of a fenced code block: all that follows the fence.
  std::string url;                  ///< Of links and images, unescaped.
  std::string title;                ///< Of links and images.
  int level = 0;                    ///< Of headings: 1 to 6. Of ordered lists: the first number.
  bool is_fenced = false;           ///< Of code blocks: not by indentation.
  bool is_ordered = false;          ///< Of lists.
  bool is_header = false;           ///< Of table rows.
  TaskMark task = TaskMark::kNone;  ///< Of items.
  MarkdownSpan span;
  std::vector<MarkdownNode> children;
};

struct MarkdownLimits {
  std::size_t max_bytes = std::size_t{16} << 20;
  std::size_t max_depth = 100;  ///< Also bounds the recursion of code that walks the tree.
  std::size_t max_nodes = 2'000'000;
};

/// Every text is valid Markdown; fails (kCorrupt) only if it exceeds the
/// limits. Bytes that are not UTF-8 are kept.
///
/// As in GFM, an unused footnote definition is not in the tree, the others are
/// at the end of the document, and a reference without a definition is text.
Result<MarkdownNode> ParseMarkdown(std::string_view source, const MarkdownLimits& limits = {});

/// The text of a node and all below it, as a reader sees it: code without its
/// ticks, breaks as a space, no HTML.
std::string PlainText(const MarkdownNode& node);

std::string_view MarkdownKindName(MarkdownKind kind);

}  // namespace sibyl
