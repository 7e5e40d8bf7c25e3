// SPDX-License-Identifier: Apache-2.0
// The lines that a text without a mark may rely on: those cited in its section,
// in its row, or by its neighbours in the paragraph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "gate/citations.h"
#include "gate/claims/claims.h"
#include "support/grounding.h"

namespace sibyl::gate {

class ClaimScopes {
 public:
  /// Borrows the file.
  explicit ClaimScopes(const CitedFile& file);

  /// Of a heading and all below it; zero: of the page. Null if its lines could
  /// not be read, or are more than the limit for one page.
  const ClaimGround* Section(std::uint32_t heading);

  /// Of the row of a cell, or the citations of a statement.
  const ClaimGround* Row(std::size_t cell);
  const ClaimGround* Cited(std::size_t index);

  /// Whether the lines cited next to a statement carry it: before or after it in
  /// its paragraph, list or table, of a clause only before it, of a paragraph
  /// without marks those of what follows, of an example those of its section.
  bool IsCarried(std::size_t index);

  /// What the citations say of a text without a mark that shares those of its
  /// paragraph or table; nothing: it shares none.
  std::optional<support::Grounding> JudgeShared(std::size_t index);

  /// Whether one citation of the section carries a text, or one of its statements
  /// says it in these words.
  bool IsSaidIn(std::uint32_t heading, const statement::Statement& text);

  /// The same for a cell and its row.
  bool IsSaidInRow(std::size_t cell);

  /// Whether the lines cited in the section contradict a text, or are about
  /// something else.
  bool IsRefuted(std::uint32_t heading, const statement::Statement& text);

  /// "Off by default." before a sentence: what the lines have instead for its
  /// subject. Empty: nothing, or it is not known.
  std::string ContradictedLabel(std::size_t index);

  /// "Remote access, enabled out of the box" of a heading or a table header: the same, of the
  /// section or of a row.
  std::string ContradictedDefault(std::size_t index);

  /// "5000" below "Value (seconds)": what the lines of its row have instead.
  std::string OtherUnitOfCell(std::size_t cell);

  /// Whether the lines that a statement cites carry this part of it.
  bool IsCarriedBy(std::size_t index, const statement::Statement& part);

  const StatementReceipts& receipts() const { return receipts_; }
  support::Tokenizer& tokenizer() { return tokenizer_; }

 private:
  std::optional<ClaimTexts> TextsOf(const std::vector<std::size_t>& statements);
  bool IsSaidBy(const std::vector<std::size_t>& cited, const statement::Statement& text);
  bool IsLabelled(std::size_t index);
  // By the definitions or the marked defaults in the lines of a statement.
  std::string ContradictedBy(std::size_t index, const std::string& claim);
  // By what a text is carried: a sentence or item beside its own needs less.
  enum class Carrying : std::uint8_t { kSection, kNeighbour };
  bool IsSupported(const statement::Statement& statement, const std::vector<std::size_t>& by,
                   Carrying carrying = Carrying::kSection);
  bool IsCited(std::size_t index) const { return !receipts_[index].empty(); }
  std::vector<std::size_t> Following(std::size_t index) const;
  std::vector<std::size_t> MarksOfParagraph(std::size_t index) const;
  bool IsLabelLike(std::size_t index);
  statement::Statement JoinedRow(std::size_t first) const;

  struct TableRow {
    std::size_t first = 0;  // cells
    std::size_t end = 0;
    std::vector<std::size_t> names = {};  // the first cells of other rows
    std::vector<std::size_t> by = {};     // whose marks it may share
  };
  bool IsItemCarried(std::size_t index);
  bool IsRowCarried(std::size_t index);
  TableRow RowAt(std::size_t index) const;
  bool IsRowIn(const TableRow& row);
  bool HasOtherValue(const TableRow& row, std::string_view lines) const;
  bool IsNearItsName(const TableRow& row, const support::PreparedLines& lines, double reach);
  std::optional<support::Grounding> JudgeSharedRow(std::size_t index);
  bool IsExampleCarried(std::size_t index);

  const CitedFile& file_;
  StatementReceipts receipts_;
  support::Tokenizer tokenizer_;
  support::Grounder grounder_;
  std::vector<std::vector<std::size_t>> cited_;  // statements, by heading
  std::map<std::uint32_t, std::optional<ClaimGround>> sections_;
  std::uint32_t row_group_ = 0;
  std::optional<ClaimGround> row_;
  std::optional<ClaimGround> own_;  // of one statement
  std::size_t own_index_ = SIZE_MAX;
  std::size_t bytes_left_;
};

}  // namespace sibyl::gate
