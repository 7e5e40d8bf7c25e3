// SPDX-License-Identifier: Apache-2.0
#include "evidence/cited_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::evidence {
namespace {

// A text with one blank for each stretch of blanks, and where its bytes were.
struct Flat {
  std::string text;
  std::vector<std::size_t> places;

  void Add(char byte, std::size_t place) {
    text += byte;
    places.push_back(place);
  }
};

// The marks of a comment, and what begins a line of a quotation.
std::size_t MarksAt(std::string_view text) {
  for (const std::string_view mark :
       {"///<", "///", "//!", "//", "/**", "/*", "*/", "#:", "--", ";;"}) {
    if (text.starts_with(mark)) return mark.size();
  }
  constexpr std::string_view kOneByte = "*#;>%!";
  // "#include" and "*p" are code: a mark stands before a blank.
  const bool is_mark = !text.empty() && kOneByte.find(text[0]) != std::string_view::npos;
  return is_mark && (text.size() == 1 || IsBlank(text[1])) ? 1 : 0;
}

Flat Flatten(std::string_view text, bool begins_line) {
  Flat flat;
  bool is_line_start = begins_line;
  for (std::size_t at = 0; at < text.size();) {
    if (IsBlank(text[at])) {
      is_line_start = is_line_start || text[at] == '\n';
      if (!flat.text.empty() && flat.text.back() != ' ') flat.Add(' ', at);
      ++at;
      continue;
    }
    if (const std::size_t marks = is_line_start ? MarksAt(text.substr(at)) : 0; marks != 0) {
      at += marks;
      is_line_start = false;
      continue;
    }
    is_line_start = false;
    flat.Add(text[at], at);
    ++at;
  }
  if (flat.text.ends_with(' ')) {
    flat.text.pop_back();
    flat.places.pop_back();
  }
  return flat;
}

std::size_t CountWordsOf(std::string_view flat) {
  return flat.empty() ? 0 : static_cast<std::size_t>(std::count(flat.begin(), flat.end(), ' ')) + 1;
}

Result<ByteRange> FindExactWords(std::string_view file, const LineRange& lines,
                                 std::string_view words) {
  const std::string wanted = Flatten(words, false).text;
  if (std::none_of(wanted.begin(), wanted.end(), [](char c) {
        return IsAlphanumeric(c) || static_cast<unsigned char>(c) >= 0x80;
      })) {
    return Error{.kind = ErrorKind::kUsage, .message = "the cited words are empty"};
  }
  constexpr std::size_t kMostBytes = 400;
  if (wanted.size() > kMostBytes) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("the cited words have more than {} bytes", kMostBytes),
                 .hint = "give only the words that carry the statement"};
  }
  if (const std::size_t count = CountWordsOf(wanted); count > kMostCitedWords) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("{} words are cited, the most is {}", count, kMostCitedWords),
        .hint = "give only the words that carry the statement"};
  }
  const std::optional<std::string_view> span = TextOfLines(file, lines);
  if (!span) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("the file has no lines {}", FormatLineRange(lines))};
  }
  const Flat flat = Flatten(*span, true);
  const std::size_t at = flat.text.find(wanted);
  if (at == std::string::npos) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("the words \"{}\" are not in the cited lines", wanted),
                 .hint = "copy them from the lines, with their spelling"};
  }
  if (flat.text.find(wanted, at + 1) != std::string::npos) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("the words \"{}\" are in the cited lines more than once", wanted),
        .hint = "give a word more, or cite fewer lines"};
  }
  const auto begin = static_cast<std::size_t>(span->data() - file.data());
  return ByteRange{.first = begin + flat.places[at],
                   .last = begin + flat.places[at + wanted.size() - 1]};
}

}  // namespace

std::string WithoutEscapes(std::string_view words) {
  std::string plain;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_escape = words[i] == '\\' && i + 1 < words.size() && words[i + 1] == '"';
    if (!is_escape) plain += words[i];
  }
  return plain;
}

Result<ByteRange> FindWords(std::string_view file, const LineRange& lines, std::string_view words) {
  Result<ByteRange> found = FindExactWords(file, lines, words);
  const bool is_escaped = words.find("\\\"") != std::string_view::npos;
  if (found.ok() || found.error().kind != ErrorKind::kNotFound || !is_escaped) return found;
  return FindExactWords(file, lines, WithoutEscapes(words));
}

TargetWithWords SplitWords(std::string_view text) {
  text = Trim(text);
  if (!text.ends_with('"')) return {.target = text, .words = {}};
  const std::size_t open = text.find(" \"");
  if (open == std::string_view::npos || open + 2 >= text.size())
    return {.target = text, .words = {}};
  return {.target = Trim(text.substr(0, open)),
          .words = text.substr(open + 2, text.size() - open - 3)};
}

std::string WordsOnOneLine(std::string_view words) { return Flatten(words, false).text; }

}  // namespace sibyl::evidence
