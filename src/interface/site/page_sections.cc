// SPDX-License-Identifier: Apache-2.0
#include "interface/site/page_sections.h"

#include <utility>

#include "base/markdown/heading_anchor.h"
#include "base/markdown/markdown.h"
#include "base/strings.h"

namespace sibyl::interface {
namespace {

// Blocks are separated by a blank, which PlainText does for breaks only.
void AppendText(const MarkdownNode& node, std::string& text) {
  switch (node.kind) {
    case MarkdownKind::kHtmlBlock:
    case MarkdownKind::kFootnoteDefinition:
    case MarkdownKind::kThematicBreak:
      return;
    case MarkdownKind::kCodeBlock:
    case MarkdownKind::kHeading:
    case MarkdownKind::kParagraph:
    case MarkdownKind::kTableCell: {
      const std::string words = node.kind == MarkdownKind::kCodeBlock ? node.text : PlainText(node);
      if (Trim(words).empty()) return;
      if (!text.empty()) text += ' ';
      text += Trim(words);
      return;
    }
    default:
      for (const MarkdownNode& child : node.children) AppendText(child, text);
  }
}

// A page may begin with front matter, which is not part of what is read.
std::string_view AfterFrontMatter(std::string_view markdown) {
  constexpr std::string_view kFence = "---\n";
  if (!markdown.starts_with(kFence)) return markdown;
  const std::size_t end = markdown.find("\n---\n", kFence.size() - 1);
  return end == std::string_view::npos ? markdown : markdown.substr(end + 5);
}

// Headings within quotations and lists have anchors, but begin no section.
void SkipAnchors(const MarkdownNode& node, HeadingAnchors& anchors) {
  for (const MarkdownNode& child : node.children) {
    if (child.kind == MarkdownKind::kHeading) (void)anchors.Next(PlainText(child));
    SkipAnchors(child, anchors);
  }
}

}  // namespace

Result<std::vector<PageSection>> SectionsOf(std::string_view markdown) {
  const MarkdownNode page = SIBYL_TRY(ParseMarkdown(AfterFrontMatter(markdown)));
  HeadingAnchors anchors;
  std::vector<PageSection> sections(1);
  bool has_title = false;
  for (const MarkdownNode& block : page.children) {
    if (block.kind != MarkdownKind::kHeading) {
      AppendText(block, sections.back().text);
      SkipAnchors(block, anchors);
      continue;
    }
    std::string heading = PlainText(block);
    std::string anchor = anchors.Next(heading);
    const bool is_title = !has_title && sections.size() == 1 && sections.front().text.empty();
    has_title = true;
    if (is_title) {
      sections.front().heading = std::move(heading);
    } else {
      sections.push_back({.anchor = std::move(anchor), .heading = std::move(heading)});
    }
  }
  return sections;
}

}  // namespace sibyl::interface
