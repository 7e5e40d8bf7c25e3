// SPDX-License-Identifier: Apache-2.0
// The receipts of a knowledge file, judged: does every mark lead to a
// definition, every definition to a citation, and every citation to the same
// bytes (cite/unresolved), and has the source moved on since (cite/stale)?
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/work.h"
#include "gate/receipt.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// A file with its receipts, resolved. All is borrowed.
struct CitedFile {
  std::string name;            ///< As findings call it.
  std::string_view text_view;  ///< The file's bytes.
  const statement::Statements& statements;
  const Receipts& receipts;
};

/// One judgement for each definition that is used, and for each mark without
/// a definition.
std::vector<statement::Judgement> JudgeReceipts(const CitedFile& file);

/// Each receipt once. The cells of a row share one list: a row of ten thousand
/// cells with a citation each would have a hundred million entries otherwise.
class StatementReceipts {
 public:
  explicit StatementReceipts(std::size_t statements) : lists_(1), list_of_(statements) {}

  std::size_t size() const { return list_of_.size(); }
  const std::vector<const Receipt*>& operator[](std::size_t statement) const {
    return lists_[list_of_[statement]];
  }
  /// A number for the list; equal for statements that share one.
  std::size_t ListOf(std::size_t statement) const { return list_of_[statement]; }

  std::size_t AddList(std::vector<const Receipt*> list) {
    lists_.push_back(std::move(list));
    return lists_.size() - 1;
  }
  void SetList(std::size_t statement, std::size_t list) { list_of_[statement] = list; }

 private:
  std::vector<std::vector<const Receipt*>> lists_;  // the first is empty
  std::vector<std::size_t> list_of_;
};

/// The receipts of each statement, in the order of the statements. A cell has
/// those of its row; a quotation or a block of code without its own has those of
/// the line that introduces it with a colon.
StatementReceipts ReceiptsOfStatements(const CitedFile& file);

/// The same for whole paragraphs, by the group of their statements.
std::map<std::uint32_t, std::vector<const Receipt*>> ReceiptsOfParagraphs(
    const statement::Statements& statements, const StatementReceipts& receipts);

/// A judgement at a byte of the statement's text.
statement::Judgement JudgementAt(const CitedFile& file, const statement::Statement& statement,
                                 std::size_t text_offset);

/// Bytes of cited text that one check may read on one page. A hostile page
/// cites long files on every line; statements past the limit are not checked.
class ReadingBudget {
 public:
  bool Spend(std::size_t bytes) {
    Work::Add(1);
    is_spent_ = is_spent_ || left_ < bytes;
    if (is_spent_) return false;
    left_ -= bytes;
    return true;
  }

  /// The budget was exceeded: what was not found since may exist.
  bool is_spent() const { return is_spent_; }

 private:
  std::size_t left_ = std::size_t{512} << 20;
  bool is_spent_ = false;
};

}  // namespace sibyl::gate
