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

#include "verify/receipt.h"
#include "verify/statement.h"
#include "verify/verdict.h"

namespace sibyl::verify {

/// A file with its receipts, resolved. All is borrowed.
struct CitedFile {
  std::string name;            ///< As findings call it.
  std::string_view text_view;  ///< The file's bytes.
  const Statements& statements;
  const Receipts& receipts;
};

/// One judgement for each definition that is used, and for each mark without
/// a definition.
std::vector<Judgement> JudgeReceipts(const CitedFile& file);

/// The receipts that stand behind each statement, in the order of the
/// statements. A cell has those of its row; a quotation or a block of code
/// without its own has those of the line that introduces it with a colon.
std::vector<std::vector<const Receipt*>> ReceiptsOfStatements(const CitedFile& file);

/// The same for whole paragraphs, by the group of their statements.
std::map<std::uint32_t, std::vector<const Receipt*>> ReceiptsOfParagraphs(
    const Statements& statements, const std::vector<std::vector<const Receipt*>>& receipts);

/// A judgement at a byte of the statement's text.
Judgement JudgementAt(const CitedFile& file, const Statement& statement, std::size_t text_offset);

/// Bytes of cited text that one check may read on one page. A page made to hurt
/// cites long files in every line; what comes behind the limit is not judged.
class ReadingBudget {
 public:
  bool Spend(std::size_t bytes) {
    is_spent_ = is_spent_ || left_ < bytes;
    if (is_spent_) return false;
    left_ -= bytes;
    return true;
  }

  /// Something was refused: what was not found since is not known to be absent.
  bool is_spent() const { return is_spent_; }

 private:
  std::size_t left_ = std::size_t{512} << 20;
  bool is_spent_ = false;
};

/// The beginning of the first line, for Judgement::text.
std::string Excerpt(std::string_view text);

}  // namespace sibyl::verify
