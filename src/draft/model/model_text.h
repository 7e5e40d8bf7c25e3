// SPDX-License-Identifier: Apache-2.0
// What a model wrote, taken apart: one unit for each thing that can hold or not
// hold by itself. Whatever it wrote, what comes out of here is plain: no
// headings, no links, no HTML, no footnotes of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::draft {

enum class UnitKind : std::uint8_t { kSentence, kItem, kQuote, kRow, kCode };

struct ModelUnit {
  UnitKind kind = UnitKind::kSentence;
  /// One line of Markdown without marks, fit to stand at the beginning of a
  /// line; of code its lines as they are.
  std::string text;
  std::string info;                ///< Of code: its language; one word.
  std::vector<std::string> marks;  ///< Keys as they were written, "kbcdfghjk:3-5".
  std::size_t group = 0;           ///< Sentences of one paragraph, rows of one table.
};

/// A table's rows come without their head: `table_heads[group]` has it.
struct ModelPoint {
  std::vector<ModelUnit> units;
  std::vector<std::vector<std::string>> table_heads;  ///< By group; empty for other groups.
};

/// The answer's stretches by the number of the point they are for: what follows
/// a line "=== 2". What stands before the first such line, or belongs to a
/// number that was not asked for, is nothing that was asked for.
std::vector<ModelPoint> ReadModelText(std::string_view answer, std::size_t points);

/// The words "NOT FOUND", by which a model says that the passages do not help.
inline constexpr std::string_view kModelNotFound = "NOT FOUND";

}  // namespace sibyl::draft
