// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "engine/text/columns.h"
#include "interface/cli/manual.h"

namespace sibyl::interface {
namespace {

constexpr std::size_t kTextColumns = 79;
constexpr std::size_t kWidestTerm = 24;  // a longer term has its text on the next line

std::string WithoutBackticks(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '`');
  return plain;
}

std::string EntriesAsText(const std::vector<ManualEntry>& entries) {
  std::size_t width = 0;
  for (const ManualEntry& entry : entries) {
    if (entry.term.size() <= kWidestTerm) width = std::max(width, entry.term.size());
  }
  std::string text;
  const std::size_t indent = width + 4;
  for (const ManualEntry& entry : entries) {
    text += fmt::format("  {:<{}}", entry.term, width);
    text += entry.term.size() > width ? "\n" + std::string(indent, ' ') : "  ";
    text += engine::Wrap(WithoutBackticks(entry.text),
                         {.columns = kTextColumns, .first_indent = indent, .indent = indent});
    text += '\n';
  }
  return text;
}

}  // namespace

std::string ManualAsText(const Manual& manual) {
  std::string text = fmt::format(
      "{}: {}\n\nusage: {}\n", manual.name, manual.summary,
      engine::Wrap(manual.usage, {.columns = kTextColumns, .first_indent = 7, .indent = 9}));
  for (const ManualSection& section : manual.sections) {
    if (!section.title.empty()) text += fmt::format("\n{}:\n", section.title);
    bool first = !section.title.empty();
    for (const ManualBlock& block : section.blocks) {
      if (!first) text += '\n';
      first = false;
      if (!block.entries.empty()) {
        text += EntriesAsText(block.entries);
      } else if (!block.literal.empty()) {
        text += block.literal + '\n';
      } else {
        const std::size_t indent = section.title.empty() ? 0 : 2;
        text += std::string(indent, ' ') +
                engine::Wrap(WithoutBackticks(block.paragraph),
                             {.columns = kTextColumns, .first_indent = indent, .indent = indent}) +
                '\n';
      }
    }
  }
  return text;
}

}  // namespace sibyl::interface
