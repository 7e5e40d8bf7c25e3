// SPDX-License-Identifier: Apache-2.0
#include "draft/model/table_cells.h"

#include <algorithm>

#include "base/strings.h"

namespace sibyl::draft {
namespace {

std::string Without(std::string_view row, const std::vector<bool>& is_dropped) {
  std::string kept = "|";
  const std::vector<std::string_view> cells = CellsOfRow(row);
  for (std::size_t column = 0; column < cells.size(); ++column) {
    if (column < is_dropped.size() && is_dropped[column]) continue;
    if (!cells[column].empty()) kept.append(" ").append(cells[column]);
    kept += " |";
  }
  return kept;
}

}  // namespace

std::vector<std::string_view> CellsOfRow(std::string_view row) {
  row = Trim(row);
  if (row.starts_with('|')) row.remove_prefix(1);
  std::vector<std::string_view> cells;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < row.size(); ++at) {
    if (row[at] == '\\') {
      ++at;
    } else if (row[at] == '|') {
      cells.push_back(Trim(row.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  if (begin < row.size()) cells.push_back(Trim(row.substr(begin)));
  return cells;
}

void DropEmptyColumns(std::vector<std::string>& head, const std::vector<std::string*>& rows) {
  if (head.empty()) return;
  std::vector<bool> is_dropped(CellsOfRow(head.front()).size(), true);
  for (const std::string* row : rows) {
    const std::vector<std::string_view> cells = CellsOfRow(*row);
    for (std::size_t i = 0; i < std::min(cells.size(), is_dropped.size()); ++i) {
      if (!cells[i].empty()) is_dropped[i] = false;
    }
  }
  const bool has_any = std::find(is_dropped.begin(), is_dropped.end(), true) != is_dropped.end();
  const bool has_all = std::find(is_dropped.begin(), is_dropped.end(), false) == is_dropped.end();
  if (!has_any || has_all) return;
  for (std::string& line : head) line = Without(line, is_dropped);
  for (std::string* row : rows) *row = Without(*row, is_dropped);
}

}  // namespace sibyl::draft
