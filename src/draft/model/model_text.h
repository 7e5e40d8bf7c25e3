// SPDX-License-Identifier: Apache-2.0
// Splits a model's answer into units that can pass or fail separately. The
// result is plain: no headings, no links, no HTML, no footnotes by the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
  bool is_contradicted = false;   ///< The model says that the passages show that it is wrong.
  std::vector<std::string> asks;  ///< Lines that it wants to see: "kbcdfghjk:40-120".
  std::vector<std::string> too_much = {};  ///< Units beyond the limits on their size and number.
};

struct ModelText {
  std::vector<ModelPoint> points;
  std::vector<std::string> stray;  ///< Lines that belong to no point; one line each.
  bool has_points = false;         ///< It has at least one line that separates points.
};

/// The pieces of the answer by point number: the text after a line "=== 2". Slips
/// of form are understood: "**=== 2**", a fence around everything, headings
/// instead of these lines, keys in other brackets.
ModelText ReadModelText(std::string_view answer, std::size_t points);

/// What an answer puts in the place of failed statements.
struct ModelRepairs {
  /// By statement, from zero: absent if the answer does not mention it, empty if
  /// it is to be dropped.
  std::vector<std::optional<std::vector<ModelUnit>>> units;
  ModelText more;  ///< Points that were written once more.
};

/// `failed` are the statements in the order of their numbers; what replaces one
/// has its kind and its group.
ModelRepairs ReadRepairs(std::string_view answer, const std::vector<const ModelUnit*>& failed,
                         std::size_t points);

/// The words "NOT FOUND", with which a model says that the passages do not
/// answer the point; that they show that it is wrong; and the beginning of a
/// line that asks for more lines.
inline constexpr std::string_view kModelNotFound = "NOT FOUND";
inline constexpr std::string_view kModelContradicted = "CONTRADICTED";
inline constexpr std::string_view kModelMore = "MORE";

}  // namespace sibyl::draft
