// SPDX-License-Identifier: Apache-2.0
#include "draft/agent/point_text.h"

#include "base/markdown/heading_anchor.h"
#include "base/strings.h"
#include "draft/extract/queries.h"

namespace sibyl::draft {

std::string FoldedPoint(std::string_view text) {
  std::string folded;
  for (const char c : LowerCase(WithoutNumber(PlainPoint(text)))) {
    const bool is_mark = std::string_view("`*_\\[]#:.").find(c) != std::string_view::npos;
    if (!is_mark) folded += c == '\t' ? ' ' : c;
  }
  return std::string(Trim(folded));
}

std::size_t HeadingLevel(std::string_view line) {
  const std::size_t level = line.find_first_not_of('#');
  const bool is_heading = level != 0 && level != std::string_view::npos && level <= 6 &&
                          (line[level] == ' ' || line[level] == '\t');
  return is_heading ? level : 0;
}

}  // namespace sibyl::draft
