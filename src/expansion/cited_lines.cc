// SPDX-License-Identifier: Apache-2.0
#include "expansion/cited_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::expansion {
namespace {

constexpr std::size_t kMostShown = 12;
constexpr std::size_t kMostOfLine = 200;
constexpr std::size_t kMostOfParagraph = 40;

// "a" of "... [^a] ..."; empty if there is none.
std::string_view FirstLabel(std::string_view line) {
  const std::size_t begin = line.find("[^");
  if (begin == std::string_view::npos) return {};
  const std::size_t end = line.find(']', begin);
  return end == std::string_view::npos ? std::string_view() : line.substr(begin, end + 1 - begin);
}

}  // namespace

CitedLines::CitedLines(std::string_view page, const evidence::Surroundings& around)
    : around_(around), page_(page), lines_(SplitLines(page)) {
  if (Result<statement::Statements> read = statement::ReadStatements(page); read.ok()) {
    statements_ = std::move(*read);
  }
  constexpr std::string_view kOpen = "<!-- ";
  for (const std::string_view line : lines_) {
    if (!line.starts_with("[^")) continue;
    const std::string_view label = FirstLabel(line);
    const std::size_t begin = line.find(kOpen);
    const std::size_t end = line.rfind(" -->");
    const bool is_definition = !label.empty() && line.substr(label.size()).starts_with(":") &&
                               begin != std::string_view::npos && end != std::string_view::npos &&
                               begin + kOpen.size() < end;
    if (!is_definition) continue;
    citations_[label] = line.substr(begin + kOpen.size(), end - begin - kOpen.size());
  }
}

// The last one that begins at the place or before it, on its line.
const statement::Statement* CitedLines::Find(std::size_t line, std::size_t column) const {
  const auto begins_after = [&](const statement::Statement& each) {
    return std::pair(each.span.first_line, each.span.first_column) > std::pair(line, column);
  };
  const auto after = std::ranges::find_if(statements_.all, begins_after);
  if (after == statements_.all.begin()) return nullptr;
  const statement::Statement& found = *std::prev(after);
  return found.span.last_line >= line ? &found : nullptr;
}

std::string_view CitedLines::StatementAt(std::size_t line, std::size_t column) const {
  if (const statement::Statement* found = Find(line, column)) {
    return Trim(page_.substr(found->span.begin, found->span.end - found->span.begin));
  }
  return line >= 1 && line <= lines_.size() ? lines_[line - 1] : std::string_view();
}

std::string CitedLines::At(std::size_t line, std::size_t column) const {
  if (const statement::Statement* found = Find(line, column)) {
    for (const std::string& label : found->citations) {
      const auto citation = citations_.find(fmt::format("[^{}]", label));
      if (citation != citations_.end()) return TextOf(citation->second);
    }
  }
  const std::size_t end = std::min(lines_.size(), line + kMostOfParagraph);
  for (std::size_t i = line; i >= 1 && i <= end; ++i) {
    const std::string_view text = lines_[i - 1];
    if (Trim(text).empty()) break;
    const auto found = citations_.find(FirstLabel(text));
    if (found != citations_.end()) return TextOf(found->second);
  }
  return {};
}

std::string CitedLines::TextOf(std::string_view citation) const {
  const Result<evidence::Citation> parsed = evidence::ParseCitation(citation);
  if (!parsed.ok()) return {};
  const Result<evidence::CitedText> cited = evidence::ResolveCitation(*parsed, around_);
  if (!cited.ok()) return {};
  std::size_t number = cited->citation.lines.IsWhole() ? 1 : cited->citation.lines.first;
  std::string shown;
  std::size_t count = 0;
  for (const std::string_view line : SplitLines(cited->text)) {
    if (++count > kMostShown) return shown + "…\n";
    shown += fmt::format("{}\t{}{}\n", number++, ReplaceInvalidUtf8(line.substr(0, kMostOfLine)),
                         line.size() > kMostOfLine ? "…" : "");
  }
  return shown;
}

}  // namespace sibyl::expansion
