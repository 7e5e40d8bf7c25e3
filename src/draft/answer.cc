// SPDX-License-Identifier: Apache-2.0
#include "draft/answer.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "draft/extract/prose.h"
#include "injection/instruction.h"

namespace sibyl::draft {
namespace {

constexpr double kAnswerShare = 0.55;    // as for a point of a page
constexpr double kStatementShare = 0.8;  // a single sentence needs nearly all
constexpr std::size_t kMostFiles = 4;
constexpr std::size_t kMostStatements = 3;
constexpr std::size_t kMostPages = 3;
constexpr std::size_t kShortestStatement = 30;

// Stemming all pages of a large oracle would take longer than the search of all
// its sources; unstemmed words select the few relevant pages.
std::vector<KnowledgeFile> LikelyFiles(const std::vector<KnowledgeFile>& files,
                                       const std::vector<WeightedTerm>& terms) {
  std::vector<std::pair<double, const KnowledgeFile*>> ranked;
  double all = 0;
  for (const WeightedTerm& term : terms) all += term.weight;
  for (const KnowledgeFile& file : files) {
    const std::string text = LowerCase(file.text);
    double found = 0;
    for (const WeightedTerm& term : terms) {
      const bool has = text.find(LowerCase(term.stem)) != std::string::npos;
      if (has) found += term.weight;
    }
    if (found >= kAnswerShare * all) ranked.emplace_back(found, &file);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<KnowledgeFile> likely;
  for (const auto& [found, file] : ranked) {
    if (likely.size() == kMostFiles) break;
    likely.push_back(*file);
  }
  return likely;
}

bool IsCitedProse(std::string_view line) {
  if (line.size() < kShortestStatement || line.find("[^") == std::string_view::npos) return false;
  return !line.starts_with("[^") && !line.starts_with("|") && !line.starts_with("#") &&
         !line.starts_with("See also:");
}

void AddStatements(const KnowledgeFile& file, const GatheredPoint& point, TermReader& reader,
                   std::vector<KnownStatement>& statements) {
  std::size_t number = 0;
  for (std::string_view line : SplitLines(file.text)) {
    ++number;
    line = Trim(line);
    if (line.starts_with("> ") || line.starts_with("- ")) line.remove_prefix(2);
    if (!IsCitedProse(line) || !injection::FindInstructions(line).empty()) continue;
    TermSet words;
    reader.Read(line, words);
    const double share = ShareOf(point.terms.point, words);
    if (share < kStatementShare) continue;
    const bool is_new =
        std::none_of(statements.begin(), statements.end(),
                     [&](const KnownStatement& other) { return other.text == line; });
    if (!is_new) continue;
    const double bonus =
        (Explains(line) ? 0.1 : 0) + (OpensWithOne(line, SymbolsIn(point.point)) ? 0.1 : 0);
    statements.push_back(
        {.path = file.path, .line = number, .text = std::string(line), .score = share + bonus});
  }
}

void AddKnowledge(const AnswerInputs& inputs, TermReader& reader, AnsweredPoint& answer) {
  const PointTerms& terms = answer.point.terms;
  const std::vector<KnowledgeFile> likely = LikelyFiles(inputs.knowledge, terms.point);
  for (const KnowledgeFile& file : likely) AddStatements(file, answer.point, reader, answer.known);
  std::stable_sort(
      answer.known.begin(), answer.known.end(),
      [](const KnownStatement& a, const KnownStatement& b) { return a.score > b.score; });
  if (answer.known.size() > kMostStatements) answer.known.resize(kMostStatements);
  const KnownSections sections(likely, {}, reader);
  for (const KnownSection* section : sections.Near(terms, kMostPages)) {
    answer.pages.push_back({section->path, section->title, section->anchor});
  }
}

}  // namespace

AnsweredPoint AnswerQuestion(const AskedPoint& question, const AnswerInputs& inputs,
                             std::size_t lines) {
  plan::Plan plan;
  plan.topic = question.context;
  plan::Part part{.title = question.context};
  part.sections.push_back({.title = question.context, .points = {{.text = question.text}}});
  const std::vector<KnowledgeFile> nothing;
  const GatherInputs gather{
      .plan = plan, .part = part, .searcher = inputs.searcher, .knowledge = nothing};
  // There is no second attempt, so broad queries are included at once.
  constexpr int kBroadly = 2;
  Gathered gathered = Gather(gather, {.lock = inputs.lock, .attempt = kBroadly});
  AnsweredPoint answer{.point = std::move(gathered.sections.at(0).points.at(0))};
  TermReader reader(inputs.searcher);
  const std::set<std::string> all_allowed;
  answer.choice = Chooser(reader, all_allowed).Choose(answer.point, lines, kAnswerShare);
  AddKnowledge(inputs, reader, answer);
  return answer;
}

}  // namespace sibyl::draft
