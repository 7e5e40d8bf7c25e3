// SPDX-License-Identifier: Apache-2.0
#include "library/topic_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/markdown/markdown.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "library/blocks.h"
#include "library/page_text.h"
#include "plan/oracle_files.h"

namespace sibyl::library {
namespace {

constexpr std::size_t kFileColumn = 1;
constexpr std::size_t kKeywordColumn = 3;
constexpr std::size_t kColumns = 7;
constexpr std::size_t kMostSections = 8;

const MarkdownNode* FindLink(const MarkdownNode& node) {
  if (node.kind == MarkdownKind::kLink) return &node;
  for (const MarkdownNode& child : node.children) {
    if (const MarkdownNode* link = FindLink(child)) return link;
  }
  return nullptr;
}

void ReadTable(const MarkdownNode& node, Keywords& keywords) {
  if (node.kind == MarkdownKind::kTableRow && node.children.size() == kColumns) {
    const MarkdownNode* link = FindLink(node.children[kFileColumn]);
    if (link == nullptr || node.is_header) return;
    std::string words = PlainText(node.children[kKeywordColumn]);
    std::vector<std::string>& list = keywords[link->url];
    for (std::size_t at = 0; at < words.size();) {
      const std::size_t comma = std::min(words.find(',', at), words.size());
      const std::string_view word = Trim(std::string_view(words).substr(at, comma - at));
      if (!word.empty()) list.emplace_back(word);
      at = comma + 1;
    }
    return;
  }
  for (const MarkdownNode& child : node.children) ReadTable(child, keywords);
}

std::string Number(const KnowledgePage& page) {
  const auto numbered = plan::ReadNumberedPath(page.name);
  if (!numbered) return "–";
  return page.name.substr(0, numbered->digits);
}

// What it answers, in the words of its sections.
std::string Answers(const KnowledgePage& page) {
  std::vector<std::string> titles;
  for (const PageSection& section : page.sections) titles.push_back(section.title);
  return PlainLine(titles.empty() ? page.opening : Join(titles, "; "), 200);
}

std::string KeywordsOf(const KnowledgePage& page, const Keywords& keywords) {
  const auto chosen = keywords.find(LinkFrom("", page.name));
  const auto& words =
      chosen != keywords.end() && !chosen->second.empty() ? chosen->second : page.keywords;
  std::vector<std::string> shown;
  for (const std::string& word : words) {
    if (shown.size() == 8) break;
    std::string line = PlainLine(word, 60);
    std::replace(line.begin(), line.end(), ',', ';');  // commas are between words
    if (!line.empty()) shown.push_back(std::move(line));
  }
  return Join(shown, ", ");
}

std::string Navigation(const KnowledgePage& page) {
  const std::string link = LinkFrom("", page.name);
  std::vector<std::string> links;
  for (const PageSection& section : page.sections) {
    if (links.size() == kMostSections) break;
    links.push_back(fmt::format("[{}]({}#{})", PlainLine(section.title, 100), link,
                                LinkFrom("", section.anchor.empty() ? "top" : section.anchor)));
  }
  if (links.empty()) return {};
  return fmt::format("- **{}**: {}\n", PlainLine(page.title, 120), Join(links, " · "));
}

}  // namespace

Keywords ReadKeywords(std::string_view index_page) {
  Keywords keywords;
  const Result<std::vector<gate::ManagedBlock>> blocks = FindBlocks("", index_page);
  if (!blocks.ok()) return keywords;
  for (const gate::ManagedBlock& block : *blocks) {
    if (block.name != kIndexBlock) continue;
    const Result<MarkdownNode> page =
        ParseMarkdown(index_page.substr(block.begin, block.end - block.begin));
    if (page.ok()) ReadTable(*page, keywords);
  }
  return keywords;
}

std::string IndexBlock(const std::vector<KnowledgePage>& pages, const Keywords& keywords) {
  std::size_t lines = 0;
  std::size_t citations = 0;
  std::string updated;
  std::string table;
  std::string navigation;
  for (const KnowledgePage& page : pages) {
    lines += page.lines;
    citations += page.citations;
    updated = std::max(updated, page.updated);
    table += fmt::format("| {} | [{}]({}) | {} | {} | {} | {} | {} |\n", Number(page),
                         PlainLine(page.title, 120), LinkFrom("", page.name), Answers(page),
                         KeywordsOf(page, keywords), Grouped(page.lines), Grouped(page.citations),
                         page.updated.empty() ? "–" : page.updated);
    navigation += Navigation(page);
  }
  if (pages.empty()) return "No files yet.\n";
  std::string block = fmt::format(
      "**{}**, {} lines, {} citations{}\n\n"
      "| no. | file | what it answers | keywords | lines | citations | last updated |\n"
      "| ---: | --- | --- | --- | ---: | ---: | --- |\n{}",
      Count(pages.size(), "file"), Grouped(lines), Grouped(citations),
      updated.empty() ? "" : "; last updated " + updated, table);
  if (!navigation.empty()) block += "\n**Quick navigation**\n\n" + navigation;
  return block;
}

std::string StarterIndex(std::string_view topic, std::string_view block) {
  return fmt::format(
      "# {} - Index\n\nThe files of this folder. Add your own text above or below the block; sibyl "
      "rewrites the block.\n\n{}",
      PlainLine(topic), MakeBlock(kIndexBlock, block));
}

}  // namespace sibyl::library
