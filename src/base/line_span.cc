// SPDX-License-Identifier: Apache-2.0
#include "base/line_span.h"

#include <algorithm>

namespace sibyl {

std::size_t CountLines(std::string_view text) {
  const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  return ends + (text.empty() || text.back() == '\n' ? 0 : 1);
}

std::optional<std::string_view> TextOfLines(std::string_view text, const LineRange& lines) {
  if (lines.IsWhole()) return text;
  std::size_t begin = 0;
  for (std::size_t line = 1; line < lines.first; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return std::nullopt;
    ++begin;
  }
  std::size_t end = begin;
  for (std::size_t line = lines.first; line <= lines.last; ++line) {
    if (end >= text.size()) return std::nullopt;
    end = text.find('\n', end);
    end = end == std::string_view::npos ? text.size() : end + 1;
  }
  return text.substr(begin, end - begin);
}

std::vector<std::string_view> LinesWithEnds(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::vector<std::string_view> LinesWithoutEnds(std::string_view text) {
  std::vector<std::string_view> lines = LinesWithEnds(text);
  for (std::string_view& line : lines) {
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  return lines;
}

}  // namespace sibyl
