// SPDX-License-Identifier: Apache-2.0
#include "passages/file_outline.h"

#include <algorithm>
#include <functional>

#include "base/ascii.h"
#include "base/strings.h"
#include "passages/line_table.h"
#include "passages/outline.h"

namespace sibyl::passages {
namespace {

std::uint32_t LineNumber(std::size_t line) { return static_cast<std::uint32_t>(line + 1); }

std::vector<OutlineEntry> EntriesOf(std::vector<OutlineSpan> spans) {
  std::vector<OutlineEntry> entries;
  entries.reserve(std::min(spans.size(), kMaxOutlineEntries));
  std::vector<std::size_t> around;  // the ends of the spans around the current one
  for (OutlineSpan& span : spans) {
    if (entries.size() == kMaxOutlineEntries) break;
    if (span.label.empty() || span.end <= span.first) continue;
    while (!around.empty() && around.back() <= span.first) around.pop_back();
    entries.push_back({.first_line = LineNumber(span.first),
                       .last_line = LineNumber(span.end - 1),
                       .depth = around.size(),
                       .label = std::move(span.label)});
    around.push_back(span.end);
  }
  return entries;
}

std::vector<OutlineEntry> EntriesOf(std::vector<Heading> headings, std::size_t lines) {
  std::vector<OutlineEntry> entries;
  entries.reserve(std::min(headings.size(), kMaxOutlineEntries));
  std::vector<std::size_t> open;  // entries whose end is not known yet, by their level
  std::vector<std::size_t> levels;
  const auto close = [&](std::size_t level, std::size_t next_line) {
    while (!open.empty() && levels.back() >= level) {
      entries[open.back()].last_line = static_cast<std::uint32_t>(next_line);
      open.pop_back();
      levels.pop_back();
    }
  };
  for (Heading& heading : headings) {
    close(heading.level, heading.line);
    if (entries.size() == kMaxOutlineEntries) break;
    open.push_back(entries.size());
    levels.push_back(heading.level);
    entries.push_back({.first_line = LineNumber(heading.line),
                       .last_line = LineNumber(heading.line),
                       .depth = open.size() - 1,
                       .label = std::move(heading.title)});
  }
  close(0, lines);
  return entries;
}

std::string_view LastPart(std::string_view label) {
  const std::size_t at = label.find_last_of(":.");
  return at == std::string_view::npos ? label : label.substr(at + 1);
}

}  // namespace

std::vector<OutlineEntry> FileOutline(std::string_view language, std::string_view text) {
  const LineTable lines(text);
  if (language == "markdown") return EntriesOf(HeadingsOfMarkdown(lines), lines.count());
  if (language == "rst") return EntriesOf(HeadingsOfRst(lines, 0, lines.count()), lines.count());
  if (language == "c++" || language == "cuda" || language == "c") return EntriesOf(OutlineC(lines));
  if (language == "python") return EntriesOf(OutlinePython(lines));
  if (language == "cmake") return EntriesOf(OutlineCMake(lines));
  if (language == "dockerfile") return EntriesOf(OutlineDockerfile(lines));
  return {};
}

std::vector<OutlineEntry> FindInOutline(const std::vector<OutlineEntry>& outline,
                                        std::string_view name) {
  const std::function<bool(std::string_view)> ways[] = {
      [name](std::string_view label) { return label == name; },
      [name](std::string_view label) { return LastPart(label) == name; },
      [name](std::string_view label) { return EqualsIgnoringCase(label, name); },
      [name](std::string_view label) { return EqualsIgnoringCase(LastPart(label), name); },
  };
  std::vector<OutlineEntry> found;
  for (const auto& matches : ways) {
    for (const OutlineEntry& entry : outline) {
      if (matches(entry.label)) found.push_back(entry);
    }
    if (!found.empty()) break;
  }
  return found;
}

}  // namespace sibyl::passages
