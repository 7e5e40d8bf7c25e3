// SPDX-License-Identifier: Apache-2.0
// Tables in cited lines: Markdown and reStructuredText tables, lists of pins and
// entries ("numba==0.66.0", `3: "kCustom"`). What a statement says of one row
// must be in one row, and a number or a name in the column that it names. The
// reader and the judge share what a cell is, so they are one file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/read_statement.h"
#include "support/tokens.h"

namespace sibyl::support {

/// A cell of a table: which words of the lines are in it.
struct TableCell {
  std::uint32_t table = 0;
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  std::uint32_t begin = 0;  ///< Positions, from `begin` to before `end`.
  std::uint32_t end = 0;
};

struct LineTables {
  std::vector<TableCell> cells;  ///< In the order of the lines.
  /// Of each table: the stems of the header of each column; empty if it has none.
  std::vector<std::vector<std::vector<std::string>>> headers;
  std::vector<std::uint32_t> rows;  ///< Of each table: how many.

  /// The cell with this position; null if it is in none.
  const TableCell* CellAt(std::uint32_t position) const;
};

/// `tokens`: those of `lines`. Linear.
LineTables ReadTables(std::string_view lines, const std::vector<Token>& tokens);

/// What does not fit into the row that the statement is about; "0.28 is in
/// another row than 2.12".
std::optional<std::string> WrongRow(const ReadStatement& read, const EvidenceText& evidence,
                                    const LineTables& tables);

}  // namespace sibyl::support
