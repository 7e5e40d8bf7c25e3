// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "references/find/scan.h"

namespace sibyl::references {
namespace {

using statement::Statement;

// Marks of compilers, tests and stack traces.
bool IsToolOutput(std::string_view block, std::string_view info) {
  constexpr auto kOutputs = std::to_array<std::string_view>(
      {"console", "terminal", "output", "log", "shell-session", "diff", "stderr", "stdout"});
  const std::string_view language = info.substr(0, info.find_first_of(" \t{,"));
  if (std::find(kOutputs.begin(), kOutputs.end(), language) != kOutputs.end()) return true;
  for (const std::string_view line : SplitLines(block)) {
    const std::string_view text = Trim(line);
    for (const std::string_view mark :
         {"$ ", "error:", "error[", "warning:", "warning[", "-->", "thread '", "Traceback",
          "File \"", "at ", "note:", "FAIL", "PASS", "Error:", "panicked", "PANIC",
          "In file included"}) {
      if (text.starts_with(mark)) return true;
    }
    for (const std::string_view mark : {" panicked at ", ": error", ": warning", " FAILED"}) {
      if (Contains(text, mark)) return true;
    }
  }
  return false;
}

// Where the comment at the end of a line of code begins; the length of the line if
// there is none.
std::size_t TrailingComment(std::string_view line) {
  std::size_t first = line.size();
  for (const std::string_view mark : {" // ", " # ", " -- ", " /* ", "\t// ", "\t# "}) {
    first = std::min(first, std::min(line.find(mark), line.size()));
  }
  return first;
}

// grep prints "a.rs:12:text", compilers "a.rs:12:5: …" and others "error in a.rs:12:".
bool IsPrinted(std::string_view line, const Hit& hit) {
  if (ByteAt(line, hit.end) != ':') return false;
  const bool is_first = Trim(line.substr(0, hit.begin)).empty();
  const bool is_last = Trim(line.substr(hit.end + 1)).empty();
  return is_first || is_last;
}

// "a.sh:45 - SC2086 word splitting": a code of a linter or a compiler follows.
bool IsLinterMessage(std::string_view line, const Hit& hit) {
  std::string_view rest = Trim(line.substr(hit.end));
  while (!rest.empty() && (rest.front() == '-' || rest.front() == ':' || IsBlank(rest.front()))) {
    rest.remove_prefix(1);
  }
  std::size_t letters = 0;
  while (letters < rest.size() && IsUpper(rest[letters])) ++letters;
  std::size_t digits = letters;
  while (digits < rest.size() && IsDigit(rest[digits])) ++digits;
  return letters > 0 && letters <= 4 && digits >= letters + 3 &&
         (digits == rest.size() || !IsNameByte(rest[digits]));
}

// log("failed at a.rs:12")
bool IsInString(std::string_view line, const Hit& hit) {
  return std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(hit.begin), '"') % 2 ==
             1 &&
         line.find('"', hit.end) != std::string_view::npos;
}

// "a.rs (line 12-20)", "a.rs line 12"
LineNumbers NumbersInWords(std::string_view line, std::size_t at) {
  std::string_view rest = line.substr(at);
  for (const std::string_view mark : {" (", " ", ", "}) {
    for (const std::string_view word : {"lines ", "line ", "L"}) {
      if (!rest.starts_with(mark) || !rest.substr(mark.size()).starts_with(word)) continue;
      // "L" is part of the number.
      const std::size_t skipped = word == "L" ? 0 : word.size();
      return ReadLineNumbers(line, at + mark.size() + skipped, NumberStyle::kWords);
    }
  }
  return {};
}

// "// Lines 158-174: parsing" above the code that those lines have.
std::optional<Hit> ScanLeadingComment(std::string_view line) {
  const std::string_view text = Trim(line);
  if (!IsBlockComment(text)) return std::nullopt;
  std::size_t at = static_cast<std::size_t>(text.data() - line.data());
  while (ByteAt(line, at) == '/' || ByteAt(line, at) == '#' || ByteAt(line, at) == '-' ||
         ByteAt(line, at) == ' ' || ByteAt(line, at) == '*') {
    ++at;
  }
  for (const std::string_view word : {"Lines ", "lines ", "Line ", "line "}) {
    if (!line.substr(at).starts_with(word)) continue;
    LineNumbers numbers = ReadLineNumbers(line, at + word.size(), NumberStyle::kWords);
    const char next = ByteAt(line, numbers.end);
    if (numbers.ranges.size() != 1 || (next != ':' && next != '\0')) return std::nullopt;
    const std::size_t end = numbers.end;
    return Hit{.form = Form::kWords, .begin = at, .end = end, .numbers = std::move(numbers)};
  }
  return std::nullopt;
}

void Shift(std::size_t by, Hit& hit) {
  hit.begin += by;
  hit.end += by;
  hit.numbers.end += by;
  if (hit.file) {
    hit.file->begin += by;
    hit.file->end += by;
  }
  for (ReadRange& range : hit.numbers.ranges) {
    range.first_begin += by;
    range.first_end += by;
    range.last_begin += by;
    range.last_end += by;
  }
}

}  // namespace

bool IsBlockComment(std::string_view line) {
  for (const std::string_view mark : {"//", "#", "--", ";", "/*", "* ", "<!--", "%"}) {
    if (line.starts_with(mark)) return true;
  }
  return false;
}

std::vector<Hit> ScanCode(const Statement& block, const IsKnownFile& is_known) {
  std::vector<Hit> hits;
  if (IsToolOutput(block.text, block.info)) return hits;
  const bool is_drawing = block.info.empty() || block.info.starts_with("text") ||
                          block.info.starts_with("mermaid") || block.info.starts_with("ascii");
  std::size_t begin = 0;
  for (const std::string_view line : SplitLines(block.text)) {
    begin = static_cast<std::size_t>(line.data() - block.text.data());
    const bool is_comment = IsBlockComment(Trim(line));
    const std::size_t comment = is_comment || is_drawing ? 0 : TrailingComment(line);
    if (comment >= line.size()) continue;
    if (std::optional<Hit> hit = ScanLeadingComment(line); hit && hits.size() < kMaxHits) {
      Shift(begin, *hit);
      hits.push_back(*std::move(hit));
      continue;
    }
    for (const FileMention& file : FindFileMentions(line, is_known)) {
      if (file.begin < comment) continue;
      LineNumbers numbers = ByteAt(line, file.end) == ':'
                                ? ReadLineNumbers(line, file.end + 1, NumberStyle::kColon)
                                : NumbersInWords(line, file.end);
      if (numbers.ranges.empty() || hits.size() >= kMaxHits) continue;
      const std::size_t end = numbers.end;
      Hit hit{.form = Form::kColon,
              .begin = file.begin,
              .end = end,
              .numbers = std::move(numbers),
              .file = file};
      const bool is_printed = IsPrinted(line, hit) || IsInString(line, hit);
      if (!is_comment && comment == 0 && (is_printed || IsLinterMessage(line, hit))) continue;
      Shift(begin, hit);
      hits.push_back(std::move(hit));
    }
  }
  return hits;
}

}  // namespace sibyl::references
