// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "engine/text/columns.h"
#include "interface/cli/manual.h"

namespace sibyl::interface {
namespace {

constexpr std::size_t kWidestTerm = 24;  // a longer term has its text on the next line

std::string WithoutBackticks(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '`');
  return plain;
}

std::size_t WidthOfTerms(const std::vector<ManualEntry>& entries) {
  std::size_t width = 0;
  for (const ManualEntry& entry : entries) {
    if (entry.term.size() <= kWidestTerm) width = std::max(width, entry.term.size());
  }
  return width;
}

std::string Paragraph(std::string_view text, std::size_t indent, std::size_t columns) {
  return std::string(indent, ' ') +
         engine::Wrap(WithoutBackticks(text),
                      {.columns = columns, .first_indent = indent, .indent = indent}) +
         '\n';
}

}  // namespace

std::string EntriesAsText(const std::vector<ManualEntry>& entries, std::size_t width,
                          std::size_t columns) {
  constexpr std::size_t kNarrowest = 24;  // of the second column
  constexpr std::size_t kBelow = 6;
  const bool is_narrow = width + 4 + kNarrowest > columns;
  const std::size_t indent = is_narrow ? kBelow : width + 4;
  std::string text;
  for (const ManualEntry& entry : entries) {
    text += is_narrow ? "  " + engine::Wrap(entry.term,
                                            {.columns = columns, .first_indent = 2, .indent = 4})
                      : fmt::format("  {:<{}}", entry.term, width);
    const bool is_below = is_narrow || entry.term.size() > width;
    text += is_below ? "\n" + std::string(indent, ' ') : "  ";
    text += engine::Wrap(WithoutBackticks(entry.text),
                         {.columns = columns, .first_indent = indent, .indent = indent});
    text += '\n';
  }
  return text;
}

std::string ManualAsText(const Manual& manual, std::size_t columns) {
  columns = std::min(columns, kTextColumns);
  std::string text =
      Paragraph(fmt::format("{}: {}", manual.name, manual.summary), 0, columns) +
      fmt::format("\nusage: {}\n",
                  engine::Wrap(manual.usage, {.columns = columns, .first_indent = 7, .indent = 9}));
  for (const ManualSection& section : manual.sections) {
    if (!section.title.empty()) text += fmt::format("\n{}:\n", section.title);
    bool first = !section.title.empty();
    for (const ManualBlock& block : section.blocks) {
      if (!first) text += '\n';
      first = false;
      if (!block.entries.empty()) {
        text += EntriesAsText(block.entries, WidthOfTerms(block.entries), columns);
      } else if (!block.literal.empty()) {
        text += block.literal + '\n';
      } else {
        text += Paragraph(block.paragraph, section.title.empty() ? 0 : 2, columns);
      }
    }
  }
  return text;
}

}  // namespace sibyl::interface
