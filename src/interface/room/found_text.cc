// SPDX-License-Identifier: Apache-2.0
#include "interface/room/found_text.h"

#include <algorithm>

#include "base/line_span.h"
#include "base/markdown/fence.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "engine/shown_lines.h"
#include "interface/room/json_text.h"
#include "interface/room/text/markdown_html.h"

namespace sibyl::interface {
namespace {

// "a::f, a::f, a::g" names a twice.
std::string WithoutRepeats(std::string_view heading) {
  std::vector<std::string_view> names;
  std::string text;
  while (!heading.empty()) {
    const std::size_t comma = std::min(heading.find(", "), heading.size());
    const std::string_view name = heading.substr(0, comma);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      text.append(text.empty() ? "" : ", ").append(name);
      names.push_back(name);
    }
    heading.remove_prefix(std::min(comma + 2, heading.size()));
  }
  return text;
}

}  // namespace

HitLines LinesOf(const Json& hit) {
  if (const std::uint64_t line = JsonNumber(hit, "line"); line > 0) return {line, line};
  const Json& lines = JsonList(hit, "lines");
  if (lines.size() != 2 || !lines[0].is_number_unsigned()) return {};
  return {lines[0].get<std::uint64_t>(), lines[1].get<std::uint64_t>()};
}

Json NumberedFrom(std::string_view text, std::uint64_t first) {
  Json lines = Json::array();
  for (const std::string_view line : LinesWithoutEnds(text)) {
    lines.push_back(Json::array({first++, engine::ShownLineWithMark(line, 0, 0).text}));
  }
  return lines;
}

std::vector<std::string> WantedWords(std::string_view query) {
  constexpr std::size_t kShortest = 3;
  std::vector<std::string> words;
  for (std::size_t at = 0; at < query.size();) {
    std::size_t end = at;
    while (end < query.size() && IsWordByte(query[end])) ++end;
    std::string word = LowerCase(query.substr(at, end - at));
    if (word.size() > kShortest && word.ends_with('s')) word.pop_back();
    if (word.size() >= kShortest) words.push_back(std::move(word));
    at = end + 1;
  }
  return words;
}

Json MarksIn(const Json& lines, const std::vector<std::string>& wanted) {
  Json marks = Json::array();
  for (const Json& line : lines) {
    const std::string lower = LowerCase(line[1].get_ref<const std::string&>());
    for (std::size_t at = 0; at < lower.size();) {
      std::size_t end = at;
      while (end < lower.size() && IsWordByte(lower[end])) ++end;
      const std::string_view word = std::string_view(lower).substr(at, end - at);
      const bool is_wanted = std::any_of(wanted.begin(), wanted.end(), [word](const auto& each) {
        return word.starts_with(each);
      });
      if (is_wanted) marks.push_back(Json::array({line[0], at, end}));
      at = end + 1;
    }
  }
  return marks;
}

std::string WithoutTables(std::string_view text) {
  std::string plain;
  FenceTracker fences;
  for (const std::string_view line : SplitLines(text)) {
    std::string_view row = Trim(line);
    if (fences.Take(line) != FencePart::kOutside) {
      plain.append(line).append("\n");
      continue;
    }
    if (row.starts_with('#')) continue;  // is shown above
    if (!row.starts_with('|')) {
      plain.append(line).append("\n");
      continue;
    }
    if (row.find_first_not_of("|-: ") == std::string_view::npos) continue;
    row.remove_prefix(1);
    if (row.ends_with('|')) row.remove_suffix(1);
    plain += "\n";
    for (const char c : row) {
      if (c == '|') {
        plain += "·";
      } else {
        plain += c;
      }
    }
    plain += "\n";
  }
  return plain;
}

void AddHeading(std::string_view heading, Html& html) {
  if (heading.empty()) return;
  html.Markup("<h3>").Add(RenderTitle(WithoutRepeats(heading))).Markup("</h3>");
}

void AddFindings(const Json& answer, Html& html) {
  for (const Json& finding : JsonList(answer, "findings")) {
    html.Markup("<p class=\"dim\">").Text(JsonText(finding, "message"));
    if (const auto hint = JsonText(finding, "hint"); !hint.empty()) html.Text("; ").Text(hint);
    html.Markup("</p>\n");
  }
}

}  // namespace sibyl::interface
