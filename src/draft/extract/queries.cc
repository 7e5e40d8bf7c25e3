// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/queries.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "draft/extract/terms.h"

namespace sibyl::draft {
namespace {

bool IsYear(std::string_view word) {
  return word.size() == 4 && (word.starts_with("19") || word.starts_with("20")) && word[2] >= '0' &&
         word[2] <= '9' && word[3] >= '0' && word[3] <= '9';
}

// Words that choose a site or a kind of page, and say nothing of the subject.
bool IsWebWord(std::string_view lower) {
  constexpr std::array<std::string_view, 10> kWords = {
      "github", "tutorial", "reddit",  "forum",         "blog",
      "latest", "site",     "youtube", "stackoverflow", "medium"};
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

std::vector<std::string_view> SplitAt(std::string_view text, std::string_view marks) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(marks);
    const std::string_view piece = Trim(text.substr(0, end));
    if (!piece.empty()) pieces.push_back(piece);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return pieces;
}

void Add(std::vector<PointQuery>& queries, PointQuery query) {
  if (Trim(query.text).empty()) return;
  const bool is_known = std::any_of(queries.begin(), queries.end(), [&](const PointQuery& other) {
    return other.text == query.text && other.context == query.context;
  });
  if (!is_known) queries.push_back(std::move(query));
}

}  // namespace

std::string CleanQuery(std::string_view query) {
  std::string clean;
  for (std::string_view word : SplitAt(query, " \t\"'")) {
    const std::string lower = LowerCase(word);
    if (IsYear(word) || IsWebWord(lower) || lower == "search:" || lower == "vs") continue;
    if (lower.starts_with("site:")) continue;
    if (!clean.empty()) clean += ' ';
    clean += word;
  }
  return clean;
}

std::string PlainPoint(std::string_view point) {
  std::string plain;
  bool is_emphasis = false;
  for (std::size_t i = 0; i < point.size(); ++i) {
    const char c = point[i];
    if (c == '`') continue;
    if (c == '*') {
      const char before = i == 0 ? ' ' : point[i - 1];
      const char after = i + 1 == point.size() ? ' ' : point[i + 1];
      const bool is_bold = before == '*' || after == '*';
      const bool opens = before == ' ' && after != ' ';
      const bool closes = before != ' ' && (is_emphasis || i + 1 == point.size());
      if (!is_bold) is_emphasis = opens || (is_emphasis && !closes);
      if (is_bold || opens || closes) continue;
    }
    plain += c == '\t' || c == '\n' ? ' ' : c;
  }
  return std::string(Trim(plain));
}

std::vector<PointQuery> QueriesOf(std::string_view point, const PointPlace& place, int attempt) {
  std::vector<PointQuery> queries;
  const std::string plain = PlainPoint(point);
  const std::string section = PlainPoint(place.section.title);
  const std::string topic(WithoutBrackets(place.plan.topic));
  Add(queries, {.text = plain, .context = section});
  Add(queries, {.text = plain + " " + section, .context = topic});
  for (const std::string& symbol : SymbolsIn(plain)) {
    Add(queries, {.text = symbol, .context = plain, .weight = 0.8});
  }
  constexpr std::size_t kMostPlanQueries = 4;
  for (std::size_t i = 0; i < std::min(place.part.queries.size(), kMostPlanQueries); ++i) {
    Add(queries, {.text = CleanQuery(place.part.queries[i].text), .context = plain, .weight = 0.4});
  }
  if (attempt < 2) return queries;
  const std::string_view head = WithoutBrackets(plain);
  Add(queries, {.text = std::string(head), .context = topic, .weight = 0.8});
  for (const std::string_view piece : SplitAt(plain, "(),;/")) {
    if (piece.size() < 4 || piece == head) continue;
    Add(queries, {.text = std::string(piece), .context = section, .weight = 0.5});
  }
  return queries;
}

}  // namespace sibyl::draft
