// SPDX-License-Identifier: Apache-2.0
#include "base/markdown/markdown_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace sibyl {
namespace {

Error TooMuch(std::size_t line, std::string message) {
  return Error{
      .kind = ErrorKind::kCorrupt,
      .message = line == 0 ? std::move(message) : fmt::format("line {}: {}", line, message)};
}

bool IsBullet(char c) { return c == '-' || c == '+' || c == '*'; }

bool IsBlankOrEnd(std::string_view line, std::size_t at) {
  return at >= line.size() || line[at] == ' ' || line[at] == '\t';
}

// How many quotes and list items the start of a line opens.
std::size_t CountContainers(std::string_view line) {
  std::size_t count = 0;
  std::size_t at = 0;
  while (at < line.size()) {
    const char c = line[at];
    if (c == ' ' || c == '\t') {
      ++at;
    } else if (c == '>' || (IsBullet(c) && IsBlankOrEnd(line, at + 1))) {
      ++count;
      ++at;
    } else {
      const std::size_t digits_end =
          std::min(line.find_first_not_of("0123456789", at), line.size());
      const bool is_ordered = digits_end > at && digits_end < line.size() &&
                              (line[digits_end] == '.' || line[digits_end] == ')') &&
                              IsBlankOrEnd(line, digits_end + 1);
      if (!is_ordered) break;
      ++count;
      at = digits_end + 1;
    }
  }
  return count;
}

// The columns of a table if this can be the line under its header, or zero.
std::size_t CountColumns(std::string_view line) {
  constexpr std::string_view kMayHold = "|-: \t>+*.)0123456789";
  if (line.find_first_not_of(kMayHold) != std::string_view::npos) return 0;
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), '|')) + 1;
}

// Whether it may be the delimiter row of a table, after quote and item markers.
// A line of only dashes makes a heading.
bool MayRule(std::string_view line) {
  constexpr std::string_view kMarks = ">+*.)0123456789";
  const std::size_t mark = line.find_last_of(kMarks);
  const std::string_view before = mark == line.npos ? std::string_view() : line.substr(0, mark);
  const std::string_view rule = mark == line.npos ? line : line.substr(mark + 1);
  return CountColumns(line) > 0 && before.find('|') == before.npos && rule.find('-') != rule.npos &&
         rule.find_first_of("|:") != rule.npos;
}

// cmark-gfm 0.29 is superlinear for tables in two ways: at every line that may
// be the one under a header it reads all of the paragraph above again, and it
// adds a cell to a row by walking along the row. 96 KB of "a|b" and "|-|" in
// turn take minutes. Both are added up beforehand.
constexpr std::size_t kMostReread = std::size_t{32} << 20;  // bytes
constexpr std::size_t kMostWalked = std::size_t{64} << 20;  // cells

bool IsEmpty(std::string_view line) {
  return line.find_first_not_of(" \t>") == std::string_view::npos;
}

}  // namespace

Status CheckMarkdownBounds(const MarkdownLines& lines, const MarkdownLimits& limits) {
  const std::string_view source = lines.source();
  if (source.size() > limits.max_bytes) {
    return TooMuch(0, fmt::format("Markdown of {} bytes exceeds the limit of {}", source.size(),
                                  limits.max_bytes));
  }
  std::size_t columns = 0;  // of the table we may be in
  std::size_t cells = 0;
  std::size_t paragraph = 0;  // bytes of it so far
  std::size_t reread = 0;
  std::size_t walked = 0;
  for (std::size_t number = 1; number <= lines.count(); ++number) {
    const std::size_t start = lines.Start(number);
    const std::string_view line = source.substr(start, lines.End(number) - start);
    if (CountContainers(line) > limits.max_depth) {
      return TooMuch(number,
                     fmt::format("Markdown is nested deeper than {} levels", limits.max_depth));
    }
    columns = IsEmpty(line) ? 0 : std::max(columns, CountColumns(line));
    cells += columns;
    walked += columns > 1 ? columns * columns / 2 : 0;
    paragraph = IsEmpty(line) ? 0 : paragraph + line.size() + 1;
    if (MayRule(line)) reread += paragraph;
    if (reread > kMostReread || walked > kMostWalked) {
      return TooMuch(number, "it has too many tables, or tables that are too wide");
    }
    if (columns > 1 && cells > limits.max_nodes) {
      return TooMuch(number, fmt::format("a table has more than {} cells", limits.max_nodes));
    }
  }
  return {};
}

}  // namespace sibyl
