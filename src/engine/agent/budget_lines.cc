// SPDX-License-Identifier: Apache-2.0
#include "engine/agent/budget_lines.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/markdown/fence.h"
#include "base/strings.h"

namespace sibyl::engine {
namespace {

struct SectionStart {
  std::size_t line = 0;  // from one
  std::string_view text;
};

// The headings of level two, outside of code.
std::vector<SectionStart> SectionStarts(const std::vector<std::string_view>& lines) {
  std::vector<SectionStart> starts;
  FenceTracker fences;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (fences.Take(lines[i]) != FencePart::kOutside) continue;
    if (lines[i].starts_with("## ")) starts.push_back({.line = i + 1, .text = lines[i]});
  }
  return starts;
}

}  // namespace

std::size_t PageLines(std::string_view page) {
  const std::vector<std::string_view> lines = SplitLines(page);
  for (const SectionStart& start : SectionStarts(lines)) {
    if (start.text == "## Sources") return start.line - 1;
  }
  return lines.size();
}

std::size_t SectionLines(std::string_view page, std::size_t number) {
  const std::vector<std::string_view> lines = SplitLines(page);
  const std::string heading = fmt::format("## {}. ", number);
  std::size_t first = 0;
  for (const SectionStart& start : SectionStarts(lines)) {
    if (first > 0) return start.line - first;
    if (start.text.starts_with(heading)) first = start.line;
  }
  return first > 0 ? lines.size() + 1 - first : 0;
}

}  // namespace sibyl::engine
