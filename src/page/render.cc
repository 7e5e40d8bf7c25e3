// SPDX-License-Identifier: Apache-2.0
#include "page/render.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/markdown/fence.h"
#include "page/block_writer.h"
#include "page/entities.h"

namespace sibyl::page {
namespace {

// A sentence that ends after this column ends the line.
constexpr std::size_t kFullLine = 60;
// Longer cells are prose in boxes, not values in a table.
constexpr std::size_t kLongCell = 600;

bool IsUpperOrMark(char c) {
  return (c >= 'A' && c <= 'Z') || c == '`' || c == '"' || c == '(' ||
         static_cast<unsigned char>(c) >= 0xC3;
}

// "e.g." ends no sentence.
bool IsAbbreviation(std::string_view before) {
  const std::size_t space = before.find_last_of(" (");
  const std::string_view word = space == std::string_view::npos ? before : before.substr(space + 1);
  constexpr std::array<std::string_view, 8> kShort = {"e.g.", "i.e.", "etc.", "vs.",
                                                      "cf.",  "Fig.", "No.",  "Sec."};
  return std::find(kShort.begin(), kShort.end(), word) != kShort.end();
}

// Words that would read as a heading, a fence or a quotation.
bool ReadsAsMarkup(std::string_view line) {
  return line.starts_with('#') || line.starts_with("```") || line.starts_with("~~~") ||
         line.starts_with('>') || line.find_first_not_of('-') == std::string_view::npos ||
         line.find_first_not_of('=') == std::string_view::npos;
}

class Renderer {
 public:
  Renderer(const Blocks& page, const Content& content, ExtractedPage& document)
      : page_(page), content_(content), document_(document), out_(document.text) {}

  void Run() {
    out_.reserve(page_.text.size() + page_.text.size() / 8);
    const bool has_title = std::any_of(
        content_.blocks.begin(), content_.blocks.end(),
        [](const Block* block) { return block->kind == BlockKind::kHeading && block->level == 1; });
    if (!has_title && !document_.title.empty() && !content_.blocks.empty()) {
      AddHeading(1, document_.title, {});
    }
    FindLongCells();
    for (std::size_t at = 0; at < content_.blocks.size();) {
      const Block& block = *content_.blocks[at];
      if (block.table != kNoNumber && !IsLayout(block.table)) {
        at = AddTable(at);
      } else {
        AddBlock(block);
        ++at;
      }
    }
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
  }

 private:
  void FindLongCells() {
    is_layout_.resize(page_.tables.size());
    for (std::size_t i = 0; i < page_.tables.size(); ++i) {
      const TableShape& table = page_.tables[i];
      is_layout_[i] = table.is_layout || (table.columns < 2 && !IsDeclarations(table));
    }
    for (const Block* block : content_.blocks) {
      if (block->table == kNoNumber || block->size() <= kLongCell) continue;
      if (!IsDeclarations(page_.tables[block->table])) is_layout_[block->table] = true;
    }
  }

  static bool IsDeclarations(const TableShape& table) {
    return table.role == Role::kSignature || table.role == Role::kSummary;
  }

  bool IsLayout(std::uint32_t table) const { return is_layout_[table]; }

  // One blank line between blocks, none between list items.
  void Separate(bool is_item) {
    const bool goes_on = is_item && was_item_;
    was_item_ = is_item;
    if (out_.empty()) return;
    if (out_.back() != '\n') NewLine();
    if (!goes_on) NewLine();
  }

  void NewLine() {
    out_ += '\n';
    ++line_;
  }

  void AddHeading(int level, std::string_view title, std::string_view anchor) {
    Separate(false);
    const std::string clean = FoldBlanks(title);
    out_.append(static_cast<std::size_t>(level), '#');
    out_ += ' ';
    out_ += clean;
    document_.headings.push_back(
        {.line = line_, .level = level, .title = clean, .anchor = DecodeEntities(anchor)});
    NewLine();
  }

  void AddBlock(const Block& block) {
    const std::string_view text = page_.TextOf(block);
    switch (block.kind) {
      case BlockKind::kHeading:
        AddHeading(block.level, text, block.anchor_view);
        return;
      case BlockKind::kCode:
        AddCode(text, block.language_view);
        return;
      case BlockKind::kItem: {
        Separate(true);
        const std::string mark = block.number > 0 ? std::to_string(block.number) + ". " : "- ";
        const std::string indent(block.level > 0 ? (block.level - 1U) * 2U : 0U, ' ');
        AddProse(text, Quotes(block) + indent + mark,
                 Quotes(block) + indent + std::string(mark.size(), ' '));
        return;
      }
      case BlockKind::kTerm:
        Separate(false);
        AddProse(text, Quotes(block), Quotes(block));
        return;
      case BlockKind::kParagraph: {
        Separate(false);
        const std::string start = Quotes(block) + std::string(std::size_t{block.level} * 2, ' ');
        AddProse(text, start, start);
        return;
      }
    }
  }

  static std::string Quotes(const Block& block) {
    std::string marks;
    for (int i = 0; i < block.quotes; ++i) marks += "> ";
    return marks;
  }

  void AddCode(std::string_view code, std::string_view language) {
    Separate(false);
    const std::string fence = FenceAround(code);
    out_ += fence;
    out_ += language;
    NewLine();
    while (code.starts_with('\n')) code.remove_prefix(1);
    while (!code.empty()) {
      const std::size_t end = std::min(code.find('\n'), code.size());
      std::string_view line = code.substr(0, end);
      while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
      out_ += line;
      if (end < code.size()) NewLine();
      code.remove_prefix(std::min(end + 1, code.size()));
    }
    NewLine();
    out_ += fence;
    NewLine();
    ++document_.code_blocks;
  }

  // Writes lines, each after `first` or `next`; a sentence that ends far to the
  // right ends its line.
  void AddProse(std::string_view text, std::string_view first, std::string_view next) {
    std::string_view start = first;
    while (!text.empty()) {
      const std::size_t end = LineEnd(text);
      std::string_view line = text.substr(0, end);
      while (line.ends_with(' ')) line.remove_suffix(1);
      text.remove_prefix(std::min(text.find_first_not_of(" \n", end), text.size()));
      out_ += start;
      start = next;
      if (ReadsAsMarkup(line)) out_ += '\\';
      out_ += line;
      NewLine();
    }
  }

  static std::size_t LineEnd(std::string_view text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::size_t at = kFullLine;
    while (at < end) {
      at = text.find(' ', at);
      if (at >= end || at + 1 >= end) break;
      const char before = text[at - 1];
      const bool ends = before == '.' || before == '!' || before == '?';
      if (ends && IsUpperOrMark(text[at + 1]) && !IsAbbreviation(text.substr(0, at))) return at;
      ++at;
    }
    return end;
  }

  // Writes all blocks of one table from `at` on; returns the index after them.
  std::size_t AddTable(std::size_t at) {
    const std::uint32_t table = content_.blocks[at]->table;
    const TableShape& shape = page_.tables[table];
    std::size_t table_end = at;
    while (table_end < content_.blocks.size() && content_.blocks[table_end]->table == table) {
      ++table_end;
    }
    if (shape.role == Role::kSignature) {
      AddDeclaration(at, table_end);
      return table_end;
    }
    if (shape.role == Role::kPlain) Separate(false);
    for (bool is_first = true; at < table_end; is_first = false) {
      std::size_t end = at;
      while (end < table_end && content_.blocks[end]->row == content_.blocks[at]->row) ++end;
      if (shape.role == Role::kSummary) {
        AddDeclaration(at, end);
      } else {
        AddRow(at, end, shape.columns);
        if (is_first) AddRule(shape.columns);
      }
      at = end;
    }
    return at;
  }

  // A declaration whose parts are in cells, or its description.
  void AddDeclaration(std::size_t begin, std::size_t end) {
    if (end - begin == 1 || content_.blocks[begin]->kind == BlockKind::kHeading) {
      for (std::size_t i = begin; i < end; ++i) AddBlock(*content_.blocks[i]);
      return;
    }
    Separate(false);
    std::string line;
    for (std::size_t i = begin; i < end; ++i) {
      const std::string_view cell = page_.TextOf(*content_.blocks[i]);
      const bool is_tight = line.empty() || line.back() == '(' || cell == ")" || cell == ",";
      if (!is_tight) line += ' ';
      line += cell;
    }
    line.erase(std::remove(line.begin(), line.end(), '`'), line.end());
    out_ += '`' + FoldBlanks(line) + '`';
    NewLine();
  }

  void AddRow(std::size_t begin, std::size_t end, std::uint32_t columns) {
    // The column span of a cell is an unchecked number.
    constexpr std::uint32_t kMostColumns = 64;
    columns = std::min(columns, kMostColumns);
    std::size_t at = begin;
    for (std::uint32_t column = 1; column <= columns; ++column) {
      out_ += column == 1 ? "|" : "";
      for (; at < end && content_.blocks[at]->cell <= column; ++at) {
        out_ += ' ';
        for (const char letter : FoldBlanks(page_.TextOf(*content_.blocks[at]))) {
          if (letter == '|') out_ += '\\';
          out_ += letter;
        }
      }
      out_ += " |";
    }
    NewLine();
  }

  void AddRule(std::uint32_t columns) {
    constexpr std::uint32_t kMostColumns = 64;
    out_ += '|';
    for (std::uint32_t i = 0; i < std::min(columns, kMostColumns); ++i) out_ += " --- |";
    NewLine();
  }

  const Blocks& page_;
  const Content& content_;
  ExtractedPage& document_;
  std::string& out_;
  std::vector<bool> is_layout_;
  std::size_t line_ = 1;  // that is being written
  bool was_item_ = false;
};

}  // namespace

void Render(const Blocks& page, const Content& content, ExtractedPage& document) {
  Renderer(page, content, document).Run();
  document.words = CountWords(document.text);
}

}  // namespace sibyl::page
