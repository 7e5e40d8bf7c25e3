// SPDX-License-Identifier: Apache-2.0
// Lines as citations count them: from one, ended by LF. A last line without an
// end counts; nothing follows a last end. A carriage return is part of its line.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace sibyl {

/// Lines count from one and both ends belong to it; {0, 0} is the whole file.
struct LineRange {
  std::size_t first = 0;
  std::size_t last = 0;

  bool IsWhole() const { return first == 0; }
  bool operator==(const LineRange&) const = default;
};

std::size_t CountLines(std::string_view text);

/// The bytes of the lines, including their ends; nothing if the text has fewer
/// lines. The whole text for a range without lines.
std::optional<std::string_view> TextOfLines(std::string_view text, const LineRange& lines);

/// All lines, each with its end.
std::vector<std::string_view> LinesWithEnds(std::string_view text);

/// All lines, without their ends LF or CR LF, for a reader.
std::vector<std::string_view> LinesWithoutEnds(std::string_view text);

}  // namespace sibyl
