// SPDX-License-Identifier: Apache-2.0
#include "base/markdown/markdown_lines.h"

#include <algorithm>
#include <iterator>

namespace sibyl {

MarkdownLines::MarkdownLines(std::string_view source) : source_view_(source), starts_{0} {
  std::size_t offset = 0;
  while (offset < source.size()) {
    offset = source.find_first_of("\r\n", offset);
    if (offset == std::string_view::npos) break;
    offset += source.substr(offset, 2) == "\r\n" ? 2 : 1;
    starts_.push_back(offset);
  }
  if (starts_.back() != source.size()) starts_.push_back(source.size());
  if (starts_.size() == 1) starts_.push_back(0);  // an empty text has one empty line
}

std::size_t MarkdownLines::Start(std::size_t line) const {
  return starts_[std::min(line > 0 ? line - 1 : 0, starts_.size() - 1)];
}

std::size_t MarkdownLines::End(std::size_t line) const {
  const std::size_t start = Start(line);
  std::size_t end = Start(line + 1);
  while (end > start && (source_view_[end - 1] == '\n' || source_view_[end - 1] == '\r')) --end;
  return end;
}

std::size_t MarkdownLines::LineOf(std::size_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), std::prev(starts_.end()), offset);
  return static_cast<std::size_t>(std::distance(starts_.begin(), after));
}

MarkdownSpan MarkdownLines::SpanOf(std::size_t begin, std::size_t end) const {
  const std::size_t last = end > begin ? end - 1 : begin;
  MarkdownSpan span = {.begin = begin, .end = end, .is_exact = true};
  span.first_line = LineOf(begin);
  span.first_column = begin - Start(span.first_line) + 1;
  span.last_line = LineOf(last);
  span.last_column = last - Start(span.last_line) + 1;
  return span;
}

}  // namespace sibyl
