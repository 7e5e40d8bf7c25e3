// SPDX-License-Identifier: Apache-2.0
#include "library/knowledge_page.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/markdown/heading_anchor.h"
#include "base/markdown/markdown.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::library {
namespace {

constexpr std::size_t kMostKeywords = 6;

// Headings of every page, under which there are no answers.
constexpr std::array<std::string_view, 9> kBoilerplateHeadings = {
    "overview", "in short", "not found",     "sources",   "see also",
    "contents", "summary",  "reading order", "references"};

// The first date in a text.
std::string FindDate(std::string_view text) {
  constexpr std::size_t kLength = 10;
  for (std::size_t at = 0; at + kLength <= text.size(); ++at) {
    const std::string_view word = text.substr(at, kLength);
    const bool stands_alone = (at == 0 || !IsDigit(text[at - 1])) &&
                              (at + kLength == text.size() || !IsDigit(text[at + kLength]));
    if (IsDigit(word[0]) && stands_alone && ParseDate(word)) return std::string(word);
  }
  return {};
}

bool IsKeyword(std::string_view code) {
  const bool has_letter = std::any_of(code.begin(), code.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  return has_letter && code.size() >= 2 && code.size() <= 40 &&
         code.find_first_of(" \t\n\"'<>|`/") == std::string_view::npos;
}

class Reader {
 public:
  explicit Reader(KnowledgePage& page) : page_(page) {}

  void Read(const MarkdownNode& document) {
    for (const MarkdownNode& block : document.children) ReadBlock(block);
    Count(document);
    std::stable_sort(words_.begin(), words_.end(),
                     [](const Word& a, const Word& b) { return a.count > b.count; });
    for (const Word& word : words_) {
      if (page_.keywords.size() == kMostKeywords) break;
      page_.keywords.push_back(word.text);
    }
  }

 private:
  struct Word {
    std::string text;
    std::size_t count = 0;
  };

  void ReadBlock(const MarkdownNode& block) {
    if (block.kind == MarkdownKind::kHeading) {
      const std::string heading = PlainText(block);
      const std::string anchor = anchors_.Next(heading);
      const std::string title(WithoutNumber(heading));
      if (block.level == 1 && page_.title.empty()) page_.title = heading;
      const bool is_furniture =
          std::any_of(kBoilerplateHeadings.begin(), kBoilerplateHeadings.end(),
                      [&](std::string_view name) { return EqualsIgnoringCase(name, title); });
      if (block.level == 2 && !is_furniture && !title.empty()) {
        page_.sections.push_back({.title = title, .anchor = anchor});
      }
      return;
    }
    if (block.kind == MarkdownKind::kBlockQuote && !has_stamp_) {
      // The stamp is the first quotation, and says who made the file.
      has_stamp_ = true;
      const std::string stamp = PlainText(block);
      if (StartsWithIgnoringCase(Trim(stamp), "sibyl")) page_.updated = FindDate(stamp);
    }
    if (block.kind == MarkdownKind::kParagraph) {
      const std::string text = PlainText(block);
      if (page_.opening.empty() && !page_.title.empty()) page_.opening = text;
      const std::string lower = LowerCase(text);
      const std::size_t updated = lower.find("last updated");
      if (page_.updated.empty() && updated != std::string::npos) {
        page_.updated = FindDate(std::string_view(text).substr(updated));
      }
    }
  }

  void Count(const MarkdownNode& node) {
    if (node.kind == MarkdownKind::kFootnoteDefinition) {
      ++page_.citations;
      return;  // code in a receipt is a file's name
    }
    if (node.kind == MarkdownKind::kCode && IsKeyword(node.text)) {
      const auto [entry, is_new] = places_.try_emplace(node.text, words_.size());
      if (is_new) words_.push_back({.text = node.text});
      ++words_[entry->second].count;
    }
    for (const MarkdownNode& child : node.children) Count(child);
  }

  KnowledgePage& page_;
  HeadingAnchors anchors_;
  bool has_stamp_ = false;
  std::vector<Word> words_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace

KnowledgePage ReadKnowledgePage(std::string_view name, std::string_view text) {
  KnowledgePage page{.name = std::string(name), .lines = SplitLines(text).size()};
  const Result<MarkdownNode> document = ParseMarkdown(text);
  if (document.ok()) Reader(page).Read(*document);
  if (page.title.empty()) page.title = page.name;
  return page;
}

}  // namespace sibyl::library
