// SPDX-License-Identifier: Apache-2.0
#include "passages/enclosing.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "passages/language.h"

namespace sibyl::passages {
namespace {

constexpr std::size_t kMostLinesAbove = 3000;
constexpr std::size_t kMostHeaders = 8;

// The lines before `begin`, the nearest first.
class LinesAbove {
 public:
  LinesAbove(std::string_view text, std::size_t begin) : text_view_(text), at_(begin) {}

  bool Next(std::string_view& line) {
    if (at_ == 0 || ++count_ > kMostLinesAbove) return false;
    const std::size_t last = at_ - 1;  // the line's own end
    const std::size_t before =
        last == 0 ? std::string_view::npos : text_view_.rfind('\n', last - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    line = text_view_.substr(begin, last - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ = begin;
    return true;
  }

 private:
  std::string_view text_view_;
  std::size_t at_;
  std::size_t count_ = 0;
};

std::size_t IndentOf(std::string_view line) {
  std::size_t width = 0;
  for (const char c : line) {
    if (c == '\t') {
      width += 8;
    } else if (c == ' ') {
      ++width;
    } else {
      break;
    }
  }
  return width;
}

bool IsComment(std::string_view trimmed) {
  return trimmed.starts_with("//") || trimmed.starts_with("/*") || trimmed.starts_with("*") ||
         trimmed.starts_with("#!") || trimmed.starts_with("# ") || trimmed == "#" ||
         trimmed.starts_with("\"\"\"") || trimmed.ends_with("\"\"\"");
}

bool IsDirective(std::string_view trimmed) {
  return trimmed.starts_with("#if") || trimmed.starts_with("#el") ||
         trimmed.starts_with("#endif") || trimmed.starts_with("#pragma") ||
         trimmed.starts_with("#include");
}

bool IsUnderline(std::string_view line) {
  constexpr std::size_t kFewest = 3;
  return line.size() >= kFewest && std::string_view("=-~^\"'`#*+.:_").find(line[0]) != line.npos &&
         line.find_first_not_of(line[0]) == line.npos;
}

// The mark under the heading with which a text starts; zero if it does not start
// with one.
char MarkOfFirst(std::string_view text) {
  std::string_view first;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t stop = std::min(text.find('\n', at), text.size());
    const std::string_view line = Trim(text.substr(at, stop - at));
    at = stop + 1;
    if (line.empty() && first.empty()) continue;
    if (!first.empty()) return IsUnderline(line) && !IsUnderline(first) ? line[0] : '\0';
    first = line;
  }
  return '\0';
}

// The levels of reStructuredText are in the order in which their marks first
// appear. What is below another heading of the same level is not enclosed by it.
void AddRstHeadings(std::string_view text, std::size_t begin,
                    std::vector<std::string_view>& headers) {
  struct Heading {
    std::string_view line;
    char mark = '\0';
  };
  std::vector<Heading> found;  // the nearest first
  std::string_view below;
  LinesAbove above(text, begin);
  for (std::string_view line; above.Next(line); below = line) {
    const std::string_view trimmed = Trim(line);
    if (!IsUnderline(Trim(below)) || trimmed.empty() || IsUnderline(trimmed)) continue;
    found.push_back({.line = trimmed, .mark = Trim(below)[0]});
  }
  std::string marks;
  for (auto heading = found.rbegin(); heading != found.rend(); ++heading) {
    if (marks.find(heading->mark) == std::string::npos) marks += heading->mark;
  }
  std::size_t level = std::min(marks.find(MarkOfFirst(text.substr(begin))), marks.size());
  for (const Heading& heading : found) {
    const std::size_t here = marks.find(heading.mark);
    if (here >= level || headers.size() >= kMostHeaders) continue;
    headers.push_back(heading.line);
    level = here;
  }
}

void AddHeadings(std::string_view text, std::size_t begin, bool is_rst,
                 std::vector<std::string_view>& headers) {
  if (is_rst) return AddRstHeadings(text, begin, headers);
  std::size_t level = 7;
  // A place that starts with a heading is not below one of the same level.
  const std::size_t own = text.substr(begin).find_first_not_of('#');
  if (own != 0 && own < level && begin + own < text.size() && text[begin + own] == ' ') level = own;
  LinesAbove above(text, begin);
  for (std::string_view line; headers.size() < kMostHeaders && above.Next(line);) {
    const std::size_t depth = std::min(line.find_first_not_of('#'), line.size());
    if (depth > 0 && depth < level && depth < line.size() && line[depth] == ' ') {
      headers.push_back(line);
      level = depth;
    }
  }
}

// The headings of CMake's documentation, in a comment "#[====[.rst: … #]====]",
// if the place is inside it.
void AddHeadingsOfComment(std::string_view text, std::size_t begin,
                          std::vector<std::string_view>& headers) {
  std::size_t bytes = 0;
  LinesAbove above(text, begin);
  for (std::string_view line; above.Next(line);) {
    bytes += line.size() + 1;
    if (line.find("]=") != std::string_view::npos && Trim(line).ends_with(']')) return;
    if (!Trim(line).starts_with("#[") || line.find("[.rst:") == std::string_view::npos) continue;
    const std::size_t from = begin - std::min(bytes, begin);
    return AddHeadings(text.substr(from), begin - from, true, headers);
  }
}

void AddTableHeader(std::string_view text, std::size_t begin,
                    std::vector<std::string_view>& headers) {
  std::string_view top;
  LinesAbove above(text, begin);
  for (std::string_view line; above.Next(line) && Trim(line).starts_with('|');) top = line;
  if (!top.empty()) headers.push_back(top);
}

void AddDefinitions(std::string_view text, std::size_t begin, std::size_t indent,
                    std::vector<std::string_view>& headers) {
  LinesAbove above(text, begin);
  bool in_signature = false;  // below its first line: "    int b) {"
  for (std::string_view line; headers.size() < 3 * kMostHeaders && above.Next(line);) {
    const std::string_view trimmed = Trim(line);
    if (trimmed.empty() || IsComment(trimmed) || IsDirective(trimmed)) continue;
    const std::size_t here = IndentOf(line);
    if (in_signature) {
      headers.push_back(trimmed);
      if (here <= indent && !trimmed.starts_with(')')) in_signature = false;
      continue;
    }
    if (here >= indent && !(here == 0 && indent == 0 && trimmed.ends_with('{'))) continue;
    if (trimmed.starts_with('}')) continue;
    if (trimmed == "public:" || trimmed == "private:" || trimmed == "protected:") continue;
    headers.push_back(trimmed);
    in_signature = trimmed.starts_with(')') || trimmed.starts_with('{');
    indent = here;
    if (indent == 0 && !in_signature) break;
  }
}

// The definition that follows a comment.
void AddDescribed(std::string_view text, std::size_t end, std::vector<std::string_view>& headers) {
  constexpr std::size_t kMostBelow = 400;
  std::size_t at = end;
  for (std::size_t count = 0; count < kMostBelow && at < text.size(); ++count) {
    const std::size_t stop = std::min(text.find('\n', at), text.size());
    const std::string_view trimmed = Trim(text.substr(at, stop - at));
    at = stop + 1;
    if (trimmed.empty() || IsComment(trimmed)) continue;
    headers.push_back(trimmed);
    const bool goes_on = trimmed.ends_with('(') || trimmed.ends_with(',') ||
                         trimmed.starts_with("template") || trimmed.starts_with('@') ||
                         trimmed.ends_with('>') || trimmed.starts_with("[[");
    if (!goes_on) return;
  }
}

}  // namespace

std::string EnclosingText(std::string_view path, std::string_view text, std::size_t begin,
                          std::size_t end) {
  constexpr std::size_t kEnough = 4096;  // to know the language
  const std::string_view language = Classify(path, text.substr(0, kEnough)).language;
  std::vector<std::string_view> headers;
  const std::string_view span = text.substr(begin, end - begin);
  if (language == "markdown" || language == "rst" || language == "text" || language.empty()) {
    AddHeadings(text, begin, language == "rst", headers);
    if (Trim(span).starts_with('|')) AddTableHeader(text, begin, headers);
  }
  if (language == "cmake") AddHeadingsOfComment(text, begin, headers);
  if (language != "markdown") {
    std::size_t indent = std::string_view::npos;
    std::string_view last;
    for (const std::string_view line : SplitLines(span)) {
      if (Trim(line).empty()) continue;
      indent = std::min(indent, IndentOf(line));
      last = Trim(line);
    }
    if (indent != std::string_view::npos) AddDefinitions(text, begin, indent, headers);
    // A signature that goes on below, too.
    const bool is_open = last.ends_with('>') || last.ends_with(',') || last.ends_with('(');
    if (IsComment(last) || is_open) AddDescribed(text, end, headers);
  }
  std::string all;
  for (const std::string_view header : headers) {
    all += header;
    all += '\n';
  }
  return all;
}

}  // namespace sibyl::passages
