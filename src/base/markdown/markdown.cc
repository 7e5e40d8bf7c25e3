// SPDX-License-Identifier: Apache-2.0
#include "base/markdown/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "base/free.h"
#include "base/markdown/markdown_bounds.h"
#include "base/markdown/markdown_inlines.h"
#include "base/markdown/markdown_lines.h"

namespace sibyl {
namespace {

using Parser = std::unique_ptr<cmark_parser, Free<cmark_parser_free>>;
using Node = std::unique_ptr<cmark_node, Free<cmark_node_free>>;

constexpr int kOptions = CMARK_OPT_DEFAULT | CMARK_OPT_FOOTNOTES;

Node ParseWithCmark(std::string_view source) {
  // Registration is global; a local static makes it happen once, in any thread.
  static const bool registered = [] {
    cmark_gfm_core_extensions_ensure_registered();
    return true;
  }();
  static_cast<void>(registered);
  const Parser parser(cmark_parser_new(kOptions));
  for (const char* name : {"table", "strikethrough", "autolink", "tasklist"}) {
    cmark_parser_attach_syntax_extension(parser.get(), cmark_find_syntax_extension(name));
  }
  cmark_parser_feed(parser.get(), source.data(), source.size());
  return Node(cmark_parser_finish(parser.get()));
}

// The extensions' types have numbers only at run time, and names.
std::optional<MarkdownKind> ExtensionKind(cmark_node* node) {
  const std::string_view name = cmark_node_get_type_string(node);
  if (name == "table") return MarkdownKind::kTable;
  if (name == "table_row" || name == "table_header") return MarkdownKind::kTableRow;
  if (name == "table_cell") return MarkdownKind::kTableCell;
  if (name == "strikethrough") return MarkdownKind::kStrikethrough;
  return std::nullopt;
}

MarkdownKind KindOf(cmark_node* node) {
  const cmark_node_type type = cmark_node_get_type(node);
  constexpr std::array<std::pair<cmark_node_type, MarkdownKind>, 21> kKinds = {{
      {CMARK_NODE_DOCUMENT, MarkdownKind::kDocument},
      {CMARK_NODE_BLOCK_QUOTE, MarkdownKind::kBlockQuote},
      {CMARK_NODE_LIST, MarkdownKind::kList},
      {CMARK_NODE_ITEM, MarkdownKind::kItem},
      {CMARK_NODE_CODE_BLOCK, MarkdownKind::kCodeBlock},
      {CMARK_NODE_HTML_BLOCK, MarkdownKind::kHtmlBlock},
      {CMARK_NODE_CUSTOM_BLOCK, MarkdownKind::kHtmlBlock},
      {CMARK_NODE_PARAGRAPH, MarkdownKind::kParagraph},
      {CMARK_NODE_HEADING, MarkdownKind::kHeading},
      {CMARK_NODE_THEMATIC_BREAK, MarkdownKind::kThematicBreak},
      {CMARK_NODE_FOOTNOTE_DEFINITION, MarkdownKind::kFootnoteDefinition},
      {CMARK_NODE_TEXT, MarkdownKind::kText},
      {CMARK_NODE_SOFTBREAK, MarkdownKind::kSoftBreak},
      {CMARK_NODE_LINEBREAK, MarkdownKind::kLineBreak},
      {CMARK_NODE_CODE, MarkdownKind::kCode},
      {CMARK_NODE_HTML_INLINE, MarkdownKind::kHtmlInline},
      {CMARK_NODE_CUSTOM_INLINE, MarkdownKind::kHtmlInline},
      {CMARK_NODE_EMPH, MarkdownKind::kEmphasis},
      {CMARK_NODE_STRONG, MarkdownKind::kStrong},
      {CMARK_NODE_LINK, MarkdownKind::kLink},
      {CMARK_NODE_IMAGE, MarkdownKind::kImage},
  }};
  for (const auto& [cmark, ours] : kKinds) {
    if (cmark == type) return ours;
  }
  return ExtensionKind(node).value_or(MarkdownKind::kFootnoteReference);
}

std::string Text(const char* text) { return text == nullptr ? std::string() : std::string(text); }

MarkdownSpan BlockSpan(cmark_node* node, const MarkdownLines& lines) {
  const auto number = [](int n) { return static_cast<std::size_t>(std::max(n, 0)); };
  const std::size_t first = std::max<std::size_t>(1, number(cmark_node_get_start_line(node)));
  const std::size_t first_column = number(cmark_node_get_start_column(node));
  std::size_t last = std::max(first, number(cmark_node_get_end_line(node)));
  std::size_t last_column = number(cmark_node_get_end_column(node));
  if (last_column == 0 && last > first) {  // ended by a blank line
    --last;
    last_column = lines.End(last) - lines.Start(last);
  }
  const std::size_t begin =
      std::min(lines.Start(first) + (first_column > 0 ? first_column - 1 : 0), lines.End(first));
  // The parser's columns count a zero byte as the three of U+FFFD.
  const std::size_t end = std::min(lines.Start(last) + last_column, lines.End(last));
  return lines.SpanOf(begin, std::max(begin, end));
}

// The label of "[^label]: ..." at the start of the definition's line.
std::string DefinitionLabel(const MarkdownSpan& span, const MarkdownLines& lines) {
  const std::size_t start = lines.Start(span.first_line);
  const std::string_view before = lines.source().substr(start, span.begin - start);
  const std::size_t open = before.find("[^");
  if (open == std::string_view::npos) return {};
  return std::string(before.substr(open + 2, before.find(']', open) - open - 2));
}

MarkdownNode Convert(cmark_node* node, const MarkdownLines& lines) {
  MarkdownNode made;
  made.kind = KindOf(node);
  made.text = Text(cmark_node_get_literal(node));
  if (!IsInline(made.kind)) made.span = BlockSpan(node, lines);
  switch (made.kind) {
    case MarkdownKind::kHeading:
      made.level = cmark_node_get_heading_level(node);
      break;
    case MarkdownKind::kCodeBlock: {
      int length = 0;
      int offset = 0;
      char character = 0;
      made.info = Text(cmark_node_get_fence_info(node));
      made.is_fenced = cmark_node_get_fenced(node, &length, &offset, &character) != 0;
      break;
    }
    case MarkdownKind::kList:
      made.is_ordered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
      made.level = made.is_ordered ? cmark_node_get_list_start(node) : 0;
      break;
    case MarkdownKind::kItem:
      if (std::string_view(cmark_node_get_type_string(node)) == "tasklist") {
        made.task = cmark_gfm_extensions_get_tasklist_item_checked(node) ? TaskMark::kDone
                                                                         : TaskMark::kOpen;
      }
      break;
    case MarkdownKind::kTableRow:
      made.is_header = cmark_gfm_extensions_get_table_row_is_header(node) != 0;
      break;
    case MarkdownKind::kFootnoteDefinition:
      made.text = DefinitionLabel(made.span, lines);
      break;
    case MarkdownKind::kLink:
    case MarkdownKind::kImage:
      made.url = Text(cmark_node_get_url(node));
      made.title = Text(cmark_node_get_title(node));
      break;
    default:
      break;
  }
  return made;
}

// Copies the tree without recursion, since its depth is not yet known.
Result<MarkdownNode> ConvertTree(cmark_node* root, const MarkdownLines& lines,
                                 const MarkdownLimits& limits) {
  MarkdownNode document = Convert(root, lines);
  // Each is the last child of the one before, so that none moves while it is
  // here.
  std::vector<MarkdownNode*> open = {&document};
  std::size_t count = 1;
  cmark_node* node = root;
  while (true) {
    if (cmark_node* child = cmark_node_first_child(node)) {
      node = child;
    } else {
      while (node != root && cmark_node_next(node) == nullptr) {
        node = cmark_node_parent(node);
        open.pop_back();
      }
      if (node == root) return document;
      node = cmark_node_next(node);
      open.pop_back();
    }
    if (++count > limits.max_nodes || open.size() >= limits.max_depth) {
      return Error{.kind = ErrorKind::kCorrupt,
                   .message = count > limits.max_nodes
                                  ? fmt::format("Markdown has more than {} nodes", limits.max_nodes)
                                  : fmt::format("Markdown is nested deeper than {} levels",
                                                limits.max_depth)};
    }
    open.back()->children.push_back(Convert(node, lines));
    open.push_back(&open.back()->children.back());
  }
}

void PlaceAllInlines(MarkdownNode& node, const MarkdownLines& lines, std::size_t quote_depth) {
  if (node.kind == MarkdownKind::kBlockQuote) ++quote_depth;
  if (!node.children.empty() && IsInline(node.children.front().kind)) {
    PlaceInlines(node, lines, quote_depth);
    return;
  }
  for (MarkdownNode& child : node.children) PlaceAllInlines(child, lines, quote_depth);
}

void AppendPlainText(const MarkdownNode& node, std::string& text) {
  switch (node.kind) {
    case MarkdownKind::kText:
    case MarkdownKind::kCode:
    case MarkdownKind::kCodeBlock:
      text += node.text;
      break;
    case MarkdownKind::kSoftBreak:
    case MarkdownKind::kLineBreak:
      text += ' ';
      break;
    default:
      break;
  }
  for (const MarkdownNode& child : node.children) {
    // Two blocks are not one word.
    if (!IsInline(child.kind) && !text.empty() && text.back() != ' ') text += ' ';
    AppendPlainText(child, text);
  }
}

}  // namespace

EntityMatch MatchEntity(std::string_view source, std::string_view text) {
  constexpr std::size_t kLongestEntity = 34;  // "&CounterClockwiseContourIntegral;"
  const std::size_t close = source.substr(0, kLongestEntity).find(';');
  if (close == std::string_view::npos) return {};
  const std::string_view entity = source.substr(0, close + 1);
  // The parser resolves it: there are 2,231 names.
  const Node document(cmark_parse_document(entity.data(), entity.size(), CMARK_OPT_DEFAULT));
  cmark_node* paragraph = cmark_node_first_child(document.get());
  cmark_node* first = paragraph == nullptr ? nullptr : cmark_node_first_child(paragraph);
  const std::string meant = first == nullptr ? "" : Text(cmark_node_get_literal(first));
  if (meant.empty() || meant == entity || !text.starts_with(meant)) return {};
  return {.source_bytes = entity.size(), .text_bytes = meant.size()};
}

Result<MarkdownNode> ParseMarkdown(std::string_view source, const MarkdownLimits& limits) {
  const MarkdownLines lines(source);
  SIBYL_TRY(CheckMarkdownBounds(lines, limits));
  const Node root = ParseWithCmark(source);
  MarkdownNode document = SIBYL_TRY(ConvertTree(root.get(), lines, limits));
  PlaceAllInlines(document, lines, 0);
  return document;
}

std::string PlainText(const MarkdownNode& node) {
  std::string text;
  AppendPlainText(node, text);
  return text;
}

std::string_view MarkdownKindName(MarkdownKind kind) {
  constexpr std::array<std::string_view, 24> kNames = {"document",
                                                       "heading",
                                                       "paragraph",
                                                       "block quote",
                                                       "list",
                                                       "item",
                                                       "code block",
                                                       "html block",
                                                       "break",
                                                       "table",
                                                       "table row",
                                                       "table cell",
                                                       "footnote definition",
                                                       "text",
                                                       "soft break",
                                                       "line break",
                                                       "code",
                                                       "html",
                                                       "emphasis",
                                                       "strong",
                                                       "strikethrough",
                                                       "link",
                                                       "image",
                                                       "footnote reference"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace sibyl
