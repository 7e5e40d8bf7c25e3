// SPDX-License-Identifier: Apache-2.0
// The lines of a model's answer that the prompts ask for, as models write them,
// with their slips of form.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::draft {

/// A line that begins a point, and what else it has.
struct PointLine {
  std::size_t number = 0;
  std::string_view rest;
};

/// "=== 2", "**=== Point 2 ===**", "=== 1.2", "=== 2: NOT FOUND".
std::optional<PointLine> ReadPointLine(std::string_view line);

/// "## 2. Title", "### Point 2", "**2.**": for an answer without the lines above.
std::optional<PointLine> ReadPointHeading(std::string_view line);

/// "#2: the corrected statement"
struct RepairLine {
  std::size_t number = 0;
  std::string_view rest;
};
std::optional<RepairLine> ReadRepairLine(std::string_view line);

/// "- ", "2. ": what marks an item of a list.
struct ListMark {
  std::size_t bytes = 0;  ///< Zero: it is no item.
  std::size_t step = 0;   ///< The number; zero: it has none.
};
ListMark ReadListMark(std::string_view line);

/// The lines of an answer, without a fence around all of it.
std::vector<std::string_view> AnswerLines(std::string_view answer);

/// Without the marks of Markdown around a line: "**=== 2**", "### 2. Title".
std::string_view WithoutDecoration(std::string_view line);

/// Whether the words that a key gives end with the quotation mark at `quote`, before
/// `closer`: "[kbcdfghjk:3 "a["x"] is 4"]." has one that ends them, and two that do not.
bool EndsWords(std::string_view text, std::size_t quote, std::string_view closer);

/// Keys in other brackets than they were asked for, "(kbcdfghjk:3)", "[[…]]",
/// "【…】", and in code font, in plain ones.
std::string WithPlainBrackets(std::string_view text);

}  // namespace sibyl::draft
