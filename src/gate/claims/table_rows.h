// SPDX-License-Identifier: Apache-2.0
// Tables in cited lines: does a cell say what the row of the same name says?
#pragma once

#include <string>
#include <string_view>

namespace sibyl::gate {

/// A cell of a page: one word, such as a number or `true`.
struct CellClaim {
  std::string_view row_name;  ///< The first cell of its row.
  std::string_view value;
  std::string_view column = {};
};

/// The row of a table in `lines` that has the name, "FATAL | 5", if another row
/// has the value and this one does not; empty otherwise.
std::string RowWithAnotherValue(const CellClaim& claim, std::string_view lines);

/// The definition in `lines` of the name of the row, "kDepth = 64", if it has
/// another value than a cell in a column of values or defaults; empty otherwise.
std::string DefinitionWithAnotherValue(const CellClaim& claim, std::string_view lines);

}  // namespace sibyl::gate
