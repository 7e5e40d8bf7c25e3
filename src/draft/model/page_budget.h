// SPDX-License-Identifier: Apache-2.0
// Which units of a model's answer fit into the lines that the plan gives a page.
// Counts the lines that are written; lines that a point does not need go to those
// that do. Tables, lists, code and what leads them in are on the page as a whole or
// not at all.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "draft/model/model_text.h"

namespace sibyl::draft {

/// Units of a point that belong together, in their order.
struct Piece {
  std::vector<std::size_t> units;
  std::size_t lines = 0;
  bool is_divisible = false;  ///< A paragraph may end after any of its sentences.
};

/// Whether a unit leads in the one after it, among `units` of the point: a sentence or
/// an item that ends with a colon before a list, a table, a quotation or code, or a
/// sentence without a key alone before a table.
bool LeadsIn(const ModelPoint& point, const std::vector<std::size_t>& units, std::size_t at);

std::vector<Piece> PiecesOf(const ModelPoint& point, const std::vector<std::size_t>& units);

/// Whether an empty line separates these units, the second after the first.
bool IsSeparated(const ModelUnit& first, const ModelUnit& second);

/// What follows a unit and is of another kind than a sentence, up to the end of its list,
/// table, quotation or block: what the unit would lead in. `units` are those to look at.
std::vector<std::size_t> BlockAfter(const ModelPoint& point, const std::vector<std::size_t>& units,
                                    std::size_t at);

struct BudgetedPoint {
  std::vector<Piece> pieces;  ///< Empty: nothing is written.
  std::size_t head = 2;       ///< Its heading and the empty line after it.
};

struct BudgetedSection {
  std::vector<BudgetedPoint> points;
  std::optional<std::size_t> lines;  ///< The most that it may have, with its heading.
};

/// The units of each point that fit, in their order, by section and point. `lines`:
/// the most that all sections may have together.
std::vector<std::vector<std::vector<std::size_t>>> FitIntoBudget(
    const std::vector<BudgetedSection>& sections, std::optional<std::size_t> lines);

}  // namespace sibyl::draft
