// SPDX-License-Identifier: Apache-2.0
// Tables of a model's answer. Models like to write the keys of the rows into a column
// of their own, which is empty once the keys are citations.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::draft {

/// Of a row: between its bars, without blanks around them. "\|" is no bar.
std::vector<std::string_view> CellsOfRow(std::string_view row);

/// Takes columns without a word in any row out of the lines of the head and the rows,
/// also where the head has one. The last column that is left stays.
void DropEmptyColumns(std::vector<std::string>& head, const std::vector<std::string*>& rows);

}  // namespace sibyl::draft
