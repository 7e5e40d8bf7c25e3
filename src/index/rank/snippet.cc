// SPDX-License-Identifier: Apache-2.0
// Selects the lines of a passage to show.
#include <algorithm>
#include <unordered_map>

#include "index/rank/query_terms.h"
#include "index/rank/searcher.h"
#include "index/words/words.h"

namespace sibyl::index {
namespace {

// Splits at line feeds only, as lines are counted everywhere in the index.
std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The weight of the terms in each line; a term counts once per line.
std::vector<float> ScoreLines(const std::vector<std::string_view>& lines,
                              const std::unordered_map<std::string, float>& boosts,
                              TermForms& forms) {
  std::vector<float> scores;
  for (const std::string_view line : lines) {
    float score = 0;
    const std::vector<std::uint32_t> edges = FindWordEdgesPortably(line);
    std::vector<const float*> counted;
    for (std::size_t i = 0; i < edges.size(); i += 2) {
      const std::string_view word = line.substr(edges[i], edges[i + 1] - edges[i]);
      if (word.size() > kMaxWordBytes) continue;
      for (const TermForm& form : forms.Derive(word)) {
        const auto found = boosts.find(form.text);
        if (found == boosts.end()) continue;
        if (std::find(counted.begin(), counted.end(), &found->second) != counted.end()) continue;
        counted.push_back(&found->second);
        score += found->second;
      }
    }
    scores.push_back(score);
  }
  return scores;
}

}  // namespace

Searcher::Snippet Searcher::MakeSnippet(const Hit& hit, const Query& query,
                                        std::size_t max_lines) const {
  static thread_local TermForms forms;
  const std::string text = Text(hit.passage);
  const std::vector<std::string_view> lines = LinesOf(text);
  if (lines.empty() || max_lines == 0) return {.first_line = hit.first_line, .text = {}};
  std::unordered_map<std::string, float> boosts;
  for (QueryTerm& term : TermsOf(query.text, query.context, forms, 64)) {
    boosts.emplace(std::move(term.text), term.boost);
  }
  const std::vector<float> scores = ScoreLines(lines, boosts, forms);
  const std::size_t count = std::min(max_lines, lines.size());
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += scores[i];
  float best = sum;
  std::size_t best_first = 0;
  for (std::size_t first = 1; first + count <= lines.size(); ++first) {
    sum += scores[first + count - 1] - scores[first - 1];
    if (sum > best + 1e-4F) {
      best = sum;
      best_first = first;
    }
  }
  Snippet snippet{.first_line = hit.first_line + static_cast<std::uint32_t>(best_first),
                  .text = {}};
  for (std::size_t i = best_first; i < best_first + count; ++i) {
    snippet.text.append(lines[i]);
    snippet.text.push_back('\n');
  }
  return snippet;
}

}  // namespace sibyl::index
