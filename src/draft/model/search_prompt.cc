// SPDX-License-Identifier: Apache-2.0
#include "draft/model/search_prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/numbers.h"
#include "base/one_line.h"
#include "base/strings.h"
#include "draft/model/prompt_text.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kPointsOfOneRequest = 12;
constexpr std::size_t kMostQueries = 3;
constexpr std::size_t kMostNames = 6;
constexpr std::size_t kMostQueryBytes = 200;
constexpr std::size_t kMostNameBytes = 100;
constexpr std::uint32_t kSearchTokens = 2048;

constexpr std::string_view kSearchRules =
    R"(You prepare the search for one page of a technical knowledge base for GPU and machine learning
engineers. The page is written from pinned sources only, code and documentation, which a program
searches by words and by names, not by meaning.

For every point give two or three queries, as an expert would type them to find the place that
answers it, and the names (functions, classes, options, macros, environment variables, files) that
such a place should contain. Use the words of the sources: leave out words that any plan has, such
as "integration", "overview" or "considerations". If the point seems to be wrong, search for what
would show it.

Answer with lines of this form and nothing else:
1.2 query: words of the first query
1.2 query: words of the second query
1.2 names: first_name, second_name)";

// "1.2 query" and "**1.2** names": section and point from one, and what follows
// is which of the two.
struct Label {
  std::size_t section = 0;
  std::size_t point = 0;
  bool is_names = false;
};

std::optional<Label> ReadLabel(std::string_view text) {
  std::vector<std::string> words;
  for (const char c : text) {
    const bool is_word = IsAlphanumeric(c) || c == '.';
    if (is_word && words.empty()) words.emplace_back();
    if (is_word) words.back() += c;
    if (!is_word && !words.empty() && !words.back().empty()) words.emplace_back();
  }
  if (!words.empty() && words.back().empty()) words.pop_back();
  if (words.size() < 2) return std::nullopt;
  const std::size_t dot = words.front().find('.');
  if (dot == std::string::npos) return std::nullopt;
  const auto section = ParseNumber<std::size_t>(words.front().substr(0, dot));
  const auto point = ParseNumber<std::size_t>(words.front().substr(dot + 1));
  const std::string kind = LowerCase(words[1]);
  const bool is_names = kind.starts_with("name");
  if (!section || !point || (!is_names && !kind.starts_with("quer"))) return std::nullopt;
  return Label{.section = *section, .point = *point, .is_names = is_names};
}

void AddNames(std::string_view text, std::vector<std::string>& names) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(",; "), text.size());
    std::string name = OneLine(text.substr(0, end), kMostNameBytes);
    std::erase(name, '`');
    const bool is_known = std::find(names.begin(), names.end(), name) != names.end();
    if (name.size() > 1 && !is_known && names.size() < kMostNames) names.push_back(std::move(name));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

PageSearches NoSearches(const Gathered& gathered) {
  PageSearches searches;
  for (const GatheredSection& section : gathered.sections) {
    searches.emplace_back(section.points.size());
  }
  return searches;
}

std::vector<model::Question> SearchQuestions(const SearchRequest& request) {
  std::vector<std::string> sources;
  for (const evidence::Pin& pin : request.lock.pins) sources.push_back(SafeLine(pin.name, 100));
  std::string head = fmt::format("Page: {}\n", SafeLine(request.title, kMostPromptLineBytes));
  if (!request.goal.empty()) {
    head += fmt::format("Goal: {}\n", SafeLine(request.goal, 2 * kMostPromptLineBytes));
  }
  head += fmt::format("Pinned sources: {}\n\nPoints:\n", Join(sources, ", "));
  std::vector<model::Question> questions;
  std::string points;
  std::size_t count = 0;
  const auto finish = [&] {
    if (count == 0) return;
    questions.push_back({.system = std::string(kSearchRules),
                         .turns = {{.text = head + points}},
                         .max_output_tokens = kSearchTokens});
    points.clear();
    count = 0;
  };
  for (std::size_t s = 0; s < request.gathered.sections.size(); ++s) {
    const GatheredSection& section = request.gathered.sections[s];
    std::string title =
        fmt::format("Section {}: {}\n", s + 1, SafeLine(section.title, kMostPromptLineBytes));
    for (std::size_t p = 0; p < section.points.size(); ++p) {
      if (section.points[p].covered) continue;
      if (count == kPointsOfOneRequest) finish();
      points += count == 0 && title.empty()
                    ? fmt::format("Section {}: {}\n", s + 1,
                                  SafeLine(section.title, kMostPromptLineBytes))
                    : std::exchange(title, {});
      points += fmt::format("{}.{}: {}\n", s + 1, p + 1,
                            SafeLine(section.points[p].point, kMostPromptLineBytes));
      ++count;
    }
  }
  finish();
  return questions;
}

void ReadSearches(std::string_view answer, PageSearches& searches) {
  for (const std::string_view line : SplitLines(answer)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::optional<Label> label = ReadLabel(line.substr(0, colon));
    if (!label || label->section == 0 || label->section > searches.size()) continue;
    std::vector<PointSearch>& section = searches[label->section - 1];
    if (label->point == 0 || label->point > section.size()) continue;
    PointSearch& search = section[label->point - 1];
    const std::string_view rest = line.substr(colon + 1);
    if (label->is_names) {
      AddNames(rest, search.names);
    } else if (std::string query = OneLine(rest, kMostQueryBytes);
               !query.empty() && search.queries.size() < kMostQueries) {
      std::replace(query.begin(), query.end(), '"', ' ');
      search.queries.push_back(std::move(query));
    }
  }
}

}  // namespace sibyl::draft
