// SPDX-License-Identifier: Apache-2.0
// The lines of a passage as an answer sees them: text without comment marks,
// code, headings, blanks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sibyl::draft {

enum class LineRole : std::uint8_t {
  kBlank,
  kText,     ///< Documentation, or a comment.
  kCode,     ///< Code, or a line inside a fence.
  kHeading,  ///< A heading, and the line under it.
};

struct UnitLine {
  LineRole role = LineRole::kBlank;
  std::string_view words_view;  ///< Without blanks and comment marks; into the passage.
  std::size_t indent = 0;       ///< The column where the words begin.
  bool opens_fence = false;
  bool closes_fence = false;
  bool is_mark = false;   ///< Blank but for the marks of a comment.
  bool is_row = false;    ///< Of a table.
  bool is_entry = false;  ///< Begins an item of a list, a field or a command of documentation.
};

/// `is_prose`: documentation, whatever the language of the file.
std::vector<UnitLine> ReadUnitLines(std::string_view language, bool is_prose,
                                    std::string_view text);

}  // namespace sibyl::draft
