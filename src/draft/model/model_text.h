// SPDX-License-Identifier: Apache-2.0
// Splits a model's answer into units that can pass or fail separately. The
// result is plain: no headings, no links, no HTML, no footnotes by the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::draft {

enum class WrittenKind : std::uint8_t { kSentence, kItem, kQuote, kRow, kCode };

struct ModelUnit {
  WrittenKind kind = WrittenKind::kSentence;
  /// One line of Markdown without citation marks, safe at the start of a line;
  /// for code its lines unchanged.
  std::string text;
  std::string info;                ///< For code: its language; one word.
  std::vector<std::string> marks;  ///< Keys as they were written, "kbcdfghjk:3-5".
  std::size_t group = 0;           ///< Sentences of one paragraph, rows of one table.
};

/// Table rows are without their header: `table_heads[group]` has it.
struct ModelPoint {
  std::vector<ModelUnit> units;
  std::vector<std::vector<std::string>> table_heads;  ///< By group; empty for other groups.
};

/// The pieces of the answer by point number: the text after a line "=== 2".
/// Text before the first such line, or for other numbers, is ignored.
std::vector<ModelPoint> ReadModelText(std::string_view answer, std::size_t points);

/// The words "NOT FOUND", with which a model says that the passages do not
/// answer the point.
inline constexpr std::string_view kModelNotFound = "NOT FOUND";

}  // namespace sibyl::draft
