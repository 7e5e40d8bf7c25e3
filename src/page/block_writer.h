// SPDX-License-Identifier: Apache-2.0
// Puts the text of a page into blocks: white space collapsed, code kept, each
// block started at its first word. blocks.cc tracks which elements are open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "page/blocks.h"

namespace sibyl::page {

class BlockWriter {
 public:
  /// Writes into `result`; `expected_bytes` is how long the page is.
  BlockWriter(Blocks& result, std::size_t expected_bytes);

  void Add(std::string_view text);  ///< With entities; collapsed unless in_pre().
  void AddVerbatim(std::string_view text);
  void Break(bool is_rule);
  void EndBlock();

  void BeginPre(std::string_view language);
  /// The open code block has one box per line: text between the boxes is only
  /// layout.
  void SetBoxedLines() { has_boxed_lines_ = true; }
  void EndPre();
  bool in_pre() const { return pre_ > 0; }
  void EndCodeLine();  ///< Of a box that is one line of code.

  void BeginMonospace();
  void EndMonospace();
  void BeginLink();
  void EndLink();
  void BeginRaised() { is_raised_ = true; }

  void BeginHeading(int level, std::string_view id);
  void EndHeading();
  void BeginTerm(bool is_signature, std::string_view id);
  void EndTerm();
  void AddDefinitions(int step) { definitions_ += step; }
  void AddQuote(int step) { quotes_ += step; }

  void BeginList(bool is_ordered);
  void EndList();
  void BeginItem();
  void EndItem();

  void BeginTable(Role role);
  void EndTable();
  void BeginRow();
  void BeginCell(bool is_header);
  void EndCell();

  /// The name of the next block, if it turns out to be a heading.
  void NoteAnchor(std::string_view anchor);
  /// Sets the language of the next code block, or of the open one if it is empty.
  void NoteLanguage(std::string_view language);

  std::uint32_t scope() const { return scope_; }
  void set_scope(std::uint32_t scope) { scope_ = scope; }

 private:
  struct List {
    bool is_ordered = false;
    std::uint32_t next = 1;
  };
  struct OpenTable {
    std::uint32_t number = 0;
    std::uint32_t row = 0;
    std::uint32_t cell = 0;
    bool in_cell = false;
    bool is_header = false;
  };

  void Begin();
  void AddCollapsed(std::string_view text);
  void BeginWord(char first);
  std::size_t AppendEntity(std::string_view text);

  Blocks& result_;
  std::string& text_;
  bool is_open_ = false;
  Block block_;
  std::uint32_t scope_ = 0;
  int pre_ = 0;
  bool has_boxed_lines_ = false;
  int heading_ = 0;
  int last_heading_ = 1;
  int definitions_ = 0;
  int quotes_ = 0;
  bool in_term_ = false;
  bool is_signature_ = false;
  bool is_item_due_ = false;
  bool is_raised_ = false;
  std::vector<List> lists_;
  std::vector<OpenTable> tables_;
  std::size_t monospace_ = 0;               // how many are open
  std::size_t monospace_begin_ = kNoPlace;  // where its text begins
  std::size_t links_ = 0;
  std::size_t link_begin_ = kNoPlace;
  std::string_view anchor_view_;    // of the page
  std::string_view own_id_view_;    // of the heading or term itself
  std::string_view language_view_;  // of the page, or a literal

  static constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);
};

/// Blanks and line ends as single spaces, none at the ends.
std::string FoldBlanks(std::string_view text);

}  // namespace sibyl::page
