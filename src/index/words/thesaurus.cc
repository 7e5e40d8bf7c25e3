// SPDX-License-Identifier: Apache-2.0
#include "index/words/thesaurus.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "index/words/wanted_stems.h"
#include "index/words/word_files.h"
#include "index/words/words.h"

namespace sibyl::index {
namespace {

std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  const std::vector<std::uint32_t> edges = FindWordEdgesPortably(text);
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    words.push_back(text.substr(edges[i], edges[i + 1] - edges[i]));
  }
  return words;
}

/// The rule that contains a place of the table.
struct Rule {
  std::string_view groups;
  std::string_view words;
  std::size_t group = 0;  // the group that contains the place
  bool is_question = false;
};

Rule RuleAt(std::string_view rules, std::size_t at) {
  const std::size_t before = rules.rfind('\n', at);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::string_view line = rules.substr(begin, rules.find('\n', begin) - begin);
  const std::size_t colon = std::min(line.find(':'), line.size());
  Rule rule{.groups = line.substr(0, colon), .words = line.substr(colon)};
  rule.is_question = at - begin < colon && !line.starts_with('#');
  const std::string_view to_here = line.substr(0, at - begin);
  rule.group = static_cast<std::size_t>(std::count(to_here.begin(), to_here.end(), '+'));
  return rule;
}

}  // namespace

// Searches the table in place: it is short, and most processes handle one question.
std::vector<Alternative> FindAlternatives(std::string_view question, std::string_view rules,
                                          TermForms& forms) {
  // Which groups of each rule the question contains, one bit each; by the rule's place.
  std::map<const char*, std::uint32_t> found;
  WantedStems asked;
  for (const std::string& word : LowerWords(question)) asked.Add(forms.Stem(word));
  WordScanner scanner;
  const std::span<const std::uint32_t> edges = scanner.Scan(rules);
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    const std::string_view word = rules.substr(edges[i], edges[i + 1] - edges[i]);
    if (asked.Find(word, forms) == WantedStems::kNone) continue;
    const Rule rule = RuleAt(rules, edges[i]);
    if (rule.is_question) found[rule.groups.data()] |= 1U << rule.group;
  }
  std::vector<Alternative> alternatives;
  for (const auto& [place, groups] : found) {
    const Rule rule = RuleAt(rules, static_cast<std::size_t>(place - rules.data()));
    const auto plus_signs = std::count(rule.groups.begin(), rule.groups.end(), '+');
    const std::size_t group_count = static_cast<std::size_t>(plus_signs) + 1;
    if (groups + 1 != 1U << group_count) continue;
    alternatives.push_back({.group_count = group_count, .words = WordsOf(rule.words)});
  }
  return alternatives;
}

std::vector<Alternative> FindAlternatives(std::string_view question, TermForms& forms) {
  return FindAlternatives(question, ThesaurusTable(), forms);
}

}  // namespace sibyl::index
