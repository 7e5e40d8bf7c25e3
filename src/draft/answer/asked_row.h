// SPDX-License-Identifier: Apache-2.0
// The row of a page's table whose first cell is what a question asks for: "warp size" for
// "what is the warp size?".
#pragma once

#include <optional>
#include <string_view>

#include "draft/answer/matcher.h"
#include "draft/answer/units.h"

namespace sibyl::draft {

struct AskedRow {
  Unit row;        ///< With its line in the passage.
  double fit = 0;  ///< How nearly the first cell is the question: 0 to 1.
};

/// A row whose first cell has the question and little else. Words of the question that the
/// heading or the table's head has need not be repeated in it. `place` is the heading; the head
/// is read from the unit.
std::optional<AskedRow> FindAskedRow(const Unit& unit, std::string_view place,
                                     const Question& question, Matcher& matcher);

}  // namespace sibyl::draft
