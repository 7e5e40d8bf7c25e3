// SPDX-License-Identifier: Apache-2.0
#include "page/block_writer.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"
#include "page/entities.h"

namespace sibyl::page {
namespace {

constexpr std::uint8_t kDeepest = 20;  // of lists and quotations; more is not shown deeper

std::uint8_t Capped(std::size_t number) {
  return static_cast<std::uint8_t>(std::min<std::size_t>(number, kDeepest));
}

// Permalink signs that generators put after headings, and links to the rest
// after a summary.
bool IsPermalinkText(std::string_view text) {
  constexpr std::array<std::string_view, 9> kMarks = {"¶",      "#",      "§",   "🔗",      "⚓",
                                                      "\u200b", "\uf0c1", "[#]", "More..."};
  return std::find(kMarks.begin(), kMarks.end(), text) != kMarks.end();
}

}  // namespace

BlockWriter::BlockWriter(Blocks& result, std::size_t expected_bytes)
    : result_(result), text_(result.text) {
  text_.reserve(expected_bytes / 3);
}

void BlockWriter::Begin() {
  if (is_open_) return;
  is_open_ = true;
  block_ = Block{.scope = scope_};
  block_.begin = static_cast<std::uint32_t>(text_.size());
  block_.quotes = Capped(static_cast<std::size_t>(std::max(quotes_, 0)));
  block_.level = Capped(lists_.size());
  if (!tables_.empty() && tables_.back().in_cell) {
    OpenTable& table = tables_.back();
    block_.table = table.number;
    block_.row = table.row;
    block_.cell = table.cell;
    block_.is_header = table.is_header;
  }
  if (pre_ > 0) {
    block_.kind = BlockKind::kCode;
    block_.language_view = language_view_;
  } else if (heading_ > 0) {
    block_.kind = BlockKind::kHeading;
    block_.level = static_cast<std::uint8_t>(heading_);
    block_.anchor_view = own_id_view_.empty() ? anchor_view_ : own_id_view_;
  } else if (in_term_) {
    block_.kind = is_signature_ ? BlockKind::kHeading : BlockKind::kTerm;
    if (is_signature_) {
      const int level = last_heading_ + std::max(definitions_, 1);
      block_.level = static_cast<std::uint8_t>(std::clamp(level, 2, 6));
      block_.anchor_view = own_id_view_;
    }
  } else if (is_item_due_ && !lists_.empty()) {
    block_.kind = BlockKind::kItem;
    List& list = lists_.back();
    block_.number = list.is_ordered ? list.next++ : 0;
    is_item_due_ = false;
  }
  if (block_.table != kNoNumber && result_.tables[block_.table].role == Role::kPlain &&
      (block_.kind == BlockKind::kCode || block_.kind == BlockKind::kHeading)) {
    result_.tables[block_.table].is_layout = true;
  }
}

void BlockWriter::Add(std::string_view text) {
  if (pre_ > 0) {
    AddVerbatim(text);
  } else {
    AddCollapsed(text);
  }
}

void BlockWriter::AddVerbatim(std::string_view text) {
  if (text.empty()) return;
  const bool is_between = has_boxed_lines_ && (!is_open_ || text_.back() == '\n');
  if (is_between && text.find('\n') != text.npos && Trim(text).empty()) return;
  // The line end right after <pre> is not part of it.
  if (!is_open_ && text.front() == '\n') text.remove_prefix(1);
  if (text.empty()) return;
  Begin();
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find_first_of("&\r"), text.size());
    text_ += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    std::size_t taken = 1;
    if (text.front() == '&') {
      taken = DecodeEntity(text, text_);
      if (taken == 0) text_ += '&';
      taken = std::max<std::size_t>(taken, 1);
    } else if (!text.starts_with("\r\n")) {
      text_ += '\n';
    }
    text.remove_prefix(taken);
  }
}

void BlockWriter::AddCollapsed(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (IsBlank(text[at])) {
      while (at < text.size() && IsBlank(text[at])) ++at;
      const bool has_text = is_open_ && text_.size() > block_.begin;
      if (has_text && text_.back() != ' ' && text_.back() != '\n') text_ += ' ';
      continue;
    }
    BeginWord(text[at]);
    // Words with single spaces between them are taken in one piece.
    const std::size_t begin = at;
    while (at < text.size() && text[at] != '&' && text[at] != '\n' && text[at] != '\t' &&
           text[at] != '\r' && text[at] != '\f' &&
           (text[at] != ' ' || (at + 1 < text.size() && !IsBlank(text[at + 1])))) {
      ++at;
    }
    text_ += text.substr(begin, at - begin);
    if (at < text.size() && text[at] == '&') at += AppendEntity(text.substr(at));
  }
}

void BlockWriter::BeginWord(char first) {
  Begin();
  if (monospace_ > 0 && monospace_begin_ == kNoPlace) monospace_begin_ = text_.size();
  if (links_ > 0 && link_begin_ == kNoPlace) link_begin_ = text_.size();
  if (!is_raised_) return;
  // 2<sup>10</sup> is not 210.
  is_raised_ = false;
  const bool is_power = text_.size() > block_.begin && first != '[' && links_ == 0 &&
                        (IsAlphanumeric(text_.back()) || text_.back() == ')');
  if (is_power) text_ += '^';
}

// `text` starts with '&'; returns the bytes consumed.
std::size_t BlockWriter::AppendEntity(std::string_view text) {
  const std::size_t before = text_.size();
  const std::size_t taken = DecodeEntity(text, text_);
  if (taken == 0) {
    text_ += '&';
    return 1;
  }
  // Hard spaces are spaces to a reader, soft hyphens nothing.
  const std::string_view decoded = std::string_view(text_).substr(before);
  if (decoded == "\u00a0" || decoded == "\n" || decoded == "\t") {
    text_.resize(before);
    const bool is_first = text_.size() == block_.begin || text_.back() == ' ';
    if (!is_first) text_ += ' ';
  } else if (decoded == "\u00ad" || decoded == "\u200b") {
    text_.resize(before);
  }
  return taken;
}

void BlockWriter::Break(bool is_rule) {
  if (is_rule || !is_open_) {
    if (pre_ > 0) {
      AddVerbatim(is_open_ ? "\n" : "");
    } else {
      EndBlock();
    }
    return;
  }
  while (pre_ == 0 && text_.size() > block_.begin && text_.back() == ' ') text_.pop_back();
  text_ += heading_ > 0 || in_term_ || block_.table != kNoNumber ? ' ' : '\n';
}

void BlockWriter::EndBlock() {
  monospace_begin_ = kNoPlace;
  link_begin_ = kNoPlace;
  is_raised_ = false;
  if (!is_open_ || pre_ > 0) return;
  is_open_ = false;
  while (text_.size() > block_.begin && (IsBlank(text_.back()))) text_.pop_back();
  if (text_.size() == block_.begin) {
    // Only hard spaces: pending breaks stay pending.
    if (block_.kind == BlockKind::kItem) is_item_due_ = true;
    if (block_.number > 0 && !lists_.empty()) lists_.back().next = block_.number;
    return;
  }
  block_.end = static_cast<std::uint32_t>(text_.size());
  if (block_.kind == BlockKind::kHeading && block_.anchor_view.empty()) {
    block_.anchor_view = anchor_view_;
  }
  anchor_view_ = {};
  result_.blocks.push_back(block_);
}

void BlockWriter::BeginPre(std::string_view language) {
  if (pre_ == 0) {
    EndBlock();
    if (!language.empty()) language_view_ = language;
  }
  ++pre_;
}

void BlockWriter::EndPre() {
  if (--pre_ > 0) return;
  if (is_open_) {
    is_open_ = false;
    while (text_.size() > block_.begin && IsBlank(text_.back())) text_.pop_back();
    block_.end = static_cast<std::uint32_t>(text_.size());
    if (block_.end > block_.begin) result_.blocks.push_back(block_);
  }
  language_view_ = {};
  has_boxed_lines_ = false;
}

void BlockWriter::EndCodeLine() {
  if (is_open_ && text_.size() > block_.begin && text_.back() != '\n') text_ += '\n';
}

void BlockWriter::BeginMonospace() {
  if (monospace_++ == 0) monospace_begin_ = kNoPlace;
}

void BlockWriter::EndMonospace() {
  if (--monospace_ > 0 || monospace_begin_ == kNoPlace || !is_open_) return;
  const std::size_t begin = monospace_begin_;
  monospace_begin_ = kNoPlace;
  if (text_.size() <= begin) return;
  const bool has_space = text_.back() == ' ';
  if (has_space) text_.pop_back();
  const std::string_view inside = std::string_view(text_).substr(std::min(begin, text_.size()));
  const bool is_plain = !inside.empty() && inside.find_first_of("`\n") == std::string_view::npos;
  if (is_plain && !is_signature_) {
    text_.insert(begin, 1, '`');
    text_ += '`';
  }
  if (has_space) text_ += ' ';
}

void BlockWriter::BeginLink() {
  if (links_++ == 0) link_begin_ = kNoPlace;
}

void BlockWriter::EndLink() {
  if (--links_ > 0 || link_begin_ == kNoPlace || !is_open_) return;
  const std::string_view inside =
      std::string_view(text_).substr(std::min(link_begin_, text_.size()));
  if (IsPermalinkText(inside)) {
    text_.resize(link_begin_);
  } else {
    block_.link_bytes += static_cast<std::uint32_t>(inside.size());
  }
  link_begin_ = kNoPlace;
}

void BlockWriter::BeginHeading(int level, std::string_view id) {
  heading_ = level;
  own_id_view_ = id;
}

void BlockWriter::EndHeading() {
  last_heading_ = heading_ > 0 ? heading_ : last_heading_;
  heading_ = 0;
  own_id_view_ = {};
}

void BlockWriter::BeginTerm(bool is_signature, std::string_view id) {
  in_term_ = true;
  is_signature_ = is_signature;
  own_id_view_ = id;
}

void BlockWriter::EndTerm() {
  in_term_ = false;
  is_signature_ = false;
  own_id_view_ = {};
}

void BlockWriter::BeginList(bool is_ordered) { lists_.push_back({.is_ordered = is_ordered}); }

void BlockWriter::EndList() {
  lists_.pop_back();
  is_item_due_ = false;
}

void BlockWriter::BeginItem() { is_item_due_ = true; }
void BlockWriter::EndItem() { is_item_due_ = false; }

void BlockWriter::BeginTable(Role role) {
  // A table in a table: the outer one is layout.
  if (!tables_.empty()) result_.tables[tables_.back().number].is_layout = true;
  tables_.push_back({.number = static_cast<std::uint32_t>(result_.tables.size())});
  result_.tables.push_back({.role = role});
}

void BlockWriter::EndTable() { tables_.pop_back(); }

void BlockWriter::BeginRow() {
  if (tables_.empty()) return;
  ++tables_.back().row;
  tables_.back().cell = 0;
}

void BlockWriter::BeginCell(bool is_header) {
  if (tables_.empty()) return;
  OpenTable& table = tables_.back();
  ++table.cell;
  table.in_cell = true;
  table.is_header = is_header;
  TableShape& shape = result_.tables[table.number];
  shape.columns = std::max(shape.columns, table.cell);
}

void BlockWriter::EndCell() {
  if (!tables_.empty()) tables_.back().in_cell = false;
}

void BlockWriter::NoteAnchor(std::string_view anchor) {
  if (is_open_ && block_.kind == BlockKind::kHeading) {
    if (block_.anchor_view.empty()) block_.anchor_view = anchor;
    return;
  }
  if (!is_open_) anchor_view_ = anchor;
}

void BlockWriter::NoteLanguage(std::string_view language) {
  if (language.empty()) return;
  if (is_open_ && block_.kind == BlockKind::kCode) {
    if (block_.language_view.empty() || block_.language_view == language) {
      block_.language_view = language;
      return;
    }
    // The same example in another language, in the same box.
    const int depth = pre_;
    pre_ = 1;
    EndPre();
    pre_ = depth;
    language_view_ = language;
  } else {
    language_view_ = language;
  }
}

std::string FoldBlanks(std::string_view text) {
  std::string line;
  for (const char letter : text) {
    if (!IsBlank(letter)) {
      line += letter;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace sibyl::page
