// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "draft/answer/subject.h"
#include "draft/extract/code_lines.h"
#include "draft/page_text.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostQuoteWords = 130;
constexpr std::size_t kMostCodeBlock = 40;

std::size_t WordsIn(std::string_view text) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
}

// As many whole sentences as fit.
std::string_view WholeSentences(std::string_view text) {
  if (WordsIn(text) <= kMostQuoteWords) return text;
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = end + OpeningSentence(text.substr(end)).size();
    if (next == end || WordsIn(text.substr(0, next)) > kMostQuoteWords) break;
    end = next;
  }
  return Trim(text.substr(0, end));
}

std::string_view WithoutBrief(std::string_view text) {
  for (const std::string_view mark : {"\\brief ", "@brief "}) {
    if (text.starts_with(mark)) return text.substr(mark.size());
  }
  return text;
}

bool IsItem(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ")) return true;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits > 0 && digits < 3 && line.substr(digits).starts_with(". ");
}

// Paragraphs and items, each on one line; empty lines between paragraphs.
std::vector<std::string> QuoteLines(std::string_view text) {
  std::vector<std::string> lines;
  bool is_open = false;
  for (const std::string_view raw : SplitLines(text)) {
    const std::string_view line = Trim(raw);
    if (line.empty()) {
      if (is_open) lines.emplace_back();
      is_open = false;
      continue;
    }
    const bool is_item = IsItem(line);
    if (is_item && is_open && !lines.back().starts_with("- ")) lines.emplace_back();
    if (is_item || !is_open) {
      const std::size_t mark = is_item ? line.find(' ') + 1 : 0;
      lines.push_back((is_item ? "- " : "") + EscapedQuote(Trim(line.substr(mark))));
    } else {
      lines.back() += ' ' + EscapedQuote(line);
    }
    is_open = true;
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::vector<std::string_view> LinesOf(const Excerpt& excerpt) { return SplitLines(excerpt.text); }

bool IsQuotable(const Unit& unit) {
  if (unit.kind != UnitKind::kText || unit.text.starts_with("# ")) return false;
  // A term above its text, an option list: the indentation says what belongs together.
  for (const std::string_view line : SplitLines(unit.text)) {
    if (line.starts_with(' ') || line.starts_with(".. ") || line.starts_with(':')) return false;
  }
  return true;
}

std::size_t IndentOfLine(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// What is indented below the last line belongs to it.
std::size_t WithIndented(const std::vector<std::string_view>& lines, std::size_t first,
                         std::size_t last) {
  std::size_t end = last;
  for (std::size_t at = last + 1; at < lines.size(); ++at) {
    if (Trim(lines[at]).empty()) continue;
    if (IndentOfLine(lines[at]) <= IndentOfLine(lines[first])) break;
    end = at;
  }
  return end;
}

bool IsFenceMark(std::string_view line) {
  const std::string_view words = Trim(line);
  return words.starts_with("```") || words.starts_with(":::") || words.starts_with("~~~");
}

// A part of a sample, or an announcement without what it announces.
bool IsTorn(const std::vector<std::string_view>& lines, std::size_t first, std::size_t last) {
  std::size_t marks = 0;
  for (std::size_t at = first; at <= last; ++at) marks += IsFenceMark(lines[at]) ? 1 : 0;
  const std::string_view end = Trim(lines[last]);
  return marks % 2 != 0 || end.ends_with(':') || end.starts_with(".. ");
}

std::optional<PointBlock> WrittenBlockOf(const AnswerUnit& answer, std::size_t most) {
  const Excerpt& excerpt = answer.excerpt;
  const std::vector<std::string_view> lines = LinesOf(excerpt);
  const std::size_t first = answer.unit.first_line - excerpt.first_line;
  std::size_t last = answer.unit.last_line - excerpt.first_line;
  if (last >= lines.size()) return std::nullopt;
  if (answer.unit.kind != UnitKind::kText) last = WithIndented(lines, first, last);
  if (last - first + 1 > most || IsTorn(lines, first, last)) return std::nullopt;
  return PointBlock{.form = BlockForm::kWritten,
                    .excerpt = &excerpt,
                    .lines = Dedent(lines, first, last),
                    .first_line = static_cast<std::uint32_t>(first) + excerpt.first_line,
                    .last_line = static_cast<std::uint32_t>(last) + excerpt.first_line,
                    .language = excerpt.language};
}

std::optional<PointBlock> CodeBlockOf(const AnswerUnit& answer, std::size_t most) {
  const Excerpt& excerpt = answer.excerpt;
  const std::size_t offset = excerpt.first_line - 1;
  const bool is_whole = excerpt.kind == index::PassageKind::kDefinition ||
                        excerpt.kind == index::PassageKind::kCommand;
  const std::optional<LineRange> block =
      WholeBlock({.language = excerpt.language, .text = excerpt.text, .is_whole = is_whole},
                 {answer.unit.first_line - offset, answer.unit.last_line - offset},
                 std::min(most, kMostCodeBlock));
  if (!block) return std::nullopt;
  return PointBlock{.form = BlockForm::kCode,
                    .excerpt = &excerpt,
                    .lines = Dedent(LinesOf(excerpt), block->first - 1, block->last - 1),
                    .first_line = static_cast<std::uint32_t>(block->first + offset),
                    .last_line = static_cast<std::uint32_t>(block->last + offset),
                    .language = excerpt.language};
}

}  // namespace

std::string BlockKey(const Excerpt& excerpt, std::uint32_t first, std::uint32_t last) {
  return fmt::format("{}:{}:{}-{}", excerpt.pin->name, excerpt.path, first, last);
}

std::optional<PointBlock> BlockOf(const AnswerUnit& unit, std::size_t most_lines) {
  constexpr std::size_t kFrame = 6;
  if (most_lines <= kFrame) return std::nullopt;
  if (unit.unit.kind == UnitKind::kCode) return CodeBlockOf(unit, most_lines - kFrame);
  if (!IsQuotable(unit.unit)) return WrittenBlockOf(unit, most_lines - kFrame);
  PointBlock block{.excerpt = &unit.excerpt,
                   .lines = QuoteLines(WithoutBrief(WholeSentences(unit.unit.text))),
                   .first_line = static_cast<std::uint32_t>(unit.unit.first_line),
                   .last_line = static_cast<std::uint32_t>(unit.unit.last_line)};
  if (block.lines.empty() || block.PageLines() > most_lines) return std::nullopt;
  return block;
}

}  // namespace sibyl::draft
