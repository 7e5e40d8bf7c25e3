// SPDX-License-Identifier: Apache-2.0
// Headings of Markdown and reST.
#include <algorithm>
#include <string_view>
#include <utility>

#include "base/markdown/fence.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "passages/outline.h"

namespace sibyl::passages {
namespace {

constexpr std::size_t kMaxTitleBytes = 200;

std::string Title(std::string_view text) {
  return std::string(Trim(text).substr(0, kMaxTitleBytes));
}

std::size_t RunLength(std::string_view text, char letter) {
  return std::min(text.find_first_not_of(letter), text.size());
}

std::string_view WithoutIndent(std::string_view line) {
  // Four spaces make code.
  const std::size_t indent = RunLength(line, ' ');
  return indent <= 3 ? line.substr(indent) : std::string_view();
}

// "## Title ##"; level 0 when it is none.
Heading AtxHeading(std::string_view line) {
  const std::size_t level = RunLength(line, '#');
  if (level == 0 || level > 6) return {.level = 0};
  std::string_view title = line.substr(level);
  if (!title.empty() && title.front() != ' ' && title.front() != '\t') return {.level = 0};
  title = Trim(title);
  while (title.ends_with('#')) title.remove_suffix(1);
  return {.level = level, .title = Title(title)};
}

// A line of nothing but one punctuation letter, at least three times.
char AdornmentLetter(std::string_view line) {
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  constexpr std::string_view kLetters = "=-~^\"'`:.*+#<>_";
  if (line.size() < 3 || kLetters.find(line.front()) == std::string_view::npos) return '\0';
  return RunLength(line, line.front()) == line.size() ? line.front() : '\0';
}

bool IsTitleLine(std::string_view line) {
  const std::string_view trimmed = Trim(line);
  return !trimmed.empty() && AdornmentLetter(trimmed) == '\0';
}

}  // namespace

std::vector<Heading> HeadingsOfMarkdown(const LineTable& lines) {
  std::vector<Heading> headings;
  FenceTracker fences;
  bool after_text = false;  // a setext underline needs a paragraph above it
  for (std::size_t i = 0; i < lines.count(); ++i) {
    if (fences.Take(lines.text(i)) != FencePart::kOutside) {
      after_text = false;
      continue;
    }
    const std::string_view line = WithoutIndent(lines.text(i));
    if (Heading heading = AtxHeading(line); heading.level > 0) {
      heading.line = i;
      headings.push_back(std::move(heading));
      after_text = false;
      continue;
    }
    const char letter = AdornmentLetter(line);
    if (after_text && (letter == '=' || letter == '-')) {
      headings.push_back({i - 1, letter == '=' ? 1u : 2u, Title(lines.text(i - 1))});
      after_text = false;
      continue;
    }
    // Tables and lists are followed by rules, not by underlines.
    constexpr std::string_view kNoTitle = "|>-*+";
    after_text = !line.empty() && kNoTitle.find(line.front()) == std::string_view::npos &&
                 letter == '\0' && !lines.IsBlank(i);
  }
  return headings;
}

std::vector<Heading> HeadingsOfRst(const LineTable& lines, std::size_t first, std::size_t end) {
  std::vector<Heading> headings;
  // reST has no fixed levels: a style's level is the order of its first use.
  std::vector<std::pair<char, bool>> styles;
  const auto level_of = [&styles](char letter, bool overlined) {
    const std::pair style(letter, overlined);
    const auto found = std::find(styles.begin(), styles.end(), style);
    if (found != styles.end()) return static_cast<std::size_t>(found - styles.begin()) + 1;
    styles.push_back(style);
    return styles.size();
  };
  for (std::size_t i = first + 1; i < end; ++i) {
    const std::string_view under = lines.text(i);
    const std::string_view title = lines.text(i - 1);
    const char letter = AdornmentLetter(under);
    if (letter == '\0' || under.front() == ' ' || !IsTitleLine(title)) continue;
    const bool overlined = i >= first + 2 && AdornmentLetter(lines.text(i - 2)) == letter &&
                           lines.text(i - 2).front() == letter;
    const bool above_blank = i < first + 2 || lines.IsBlank(i - 2);
    if (!overlined && (!above_blank || title.front() == ' ')) continue;
    // docutils warns of a short underline; two letters is what people get wrong.
    if (under.size() + 2 < DisplayWidth(Trim(title))) continue;
    headings.push_back({overlined ? i - 2 : i - 1, level_of(letter, overlined), Title(title)});
  }
  return headings;
}

}  // namespace sibyl::passages
