// SPDX-License-Identifier: Apache-2.0
#include "evidence/pages/page_changes.h"

#include <map>
#include <utility>

#include "passages/line_table.h"
#include "passages/outline.h"

namespace sibyl::evidence {
namespace {

// A section's own lines, without those of the sections inside it. A title that
// occurs again gets a number, so that sections are compared in their order.
using Sections = std::vector<std::pair<std::string, std::string_view>>;

Sections SectionsOf(std::string_view text) {
  const passages::LineTable lines(text);
  Sections sections;
  std::map<std::string, int> seen;
  std::string title = "(before the first heading)";
  std::size_t begin = 0;
  const auto close = [&](std::size_t end_line) {
    const std::size_t end = end_line < lines.count() ? lines.begin(end_line) : text.size();
    if (end > begin) sections.emplace_back(title, text.substr(begin, end - begin));
    begin = end;
  };
  for (const passages::Heading& heading : passages::HeadingsOfMarkdown(lines)) {
    close(heading.line);
    const int number = ++seen[heading.title];
    title = number == 1 ? heading.title : heading.title + " (" + std::to_string(number) + ")";
  }
  close(lines.count());
  return sections;
}

}  // namespace

std::vector<std::string> DescribePageChange(std::string_view before, std::string_view after,
                                            std::size_t most) {
  std::vector<std::string> changes;
  const Sections old_sections = SectionsOf(before);
  std::map<std::string_view, std::string_view> old_texts;
  for (const auto& [title, text] : old_sections) old_texts.emplace(title, text);
  const auto note = [&](char mark, std::string_view title) {
    if (changes.size() < most) changes.push_back(std::string(1, mark) + " " + std::string(title));
  };
  for (const auto& [title, text] : SectionsOf(after)) {
    const auto found = old_texts.find(title);
    if (found == old_texts.end()) {
      note('+', title);
      continue;
    }
    if (found->second != text) note('~', title);
    old_texts.erase(found);
  }
  for (const auto& [title, text] : old_sections) {
    if (old_texts.contains(title)) note('-', title);
  }
  if (changes.empty() && before != after) note('~', "(the order of its sections)");
  return changes;
}

}  // namespace sibyl::evidence
