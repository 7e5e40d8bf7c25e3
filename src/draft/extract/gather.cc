// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "base/line_span.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "draft/extract/declarations.h"
#include "draft/title.h"
#include "evidence/pages/page_citation.h"
#include "index/document_traits.h"
#include "injection/instruction.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kHitsPerQuery = 24;
constexpr std::size_t kMostExcerpts = 8;
constexpr std::size_t kMostHits = 10;  // that a model is shown of a point
constexpr std::size_t kMostOfOneFile = 2;
constexpr std::size_t kMostKnownSections = 2;
constexpr double kRankOffset =
    12;  // of reciprocal ranks: how little the first differs from the rest

using Key = std::pair<std::uint32_t, std::uint32_t>;

struct Candidate {
  index::Hit hit;
  double fused = 0;
  double score = 0;
  double share = 0;
  double support = 0;
  double context = 0;
  bool has_subject = false;  // a word that point and section share
  bool is_wanted = false;    // among the first hits of a query that a model made
  std::string text;
  std::size_t characters_left_out = 0;  // in front of `text`
};

// A file name is shown wherever its lines are quoted.
bool IsInstruction(std::string_view path) {
  std::string words(path);
  std::replace_if(
      words.begin(), words.end(), [](char c) { return !IsAlphanumeric(c) && c > ' '; }, ' ');
  return !injection::FindInstructions(words).empty();
}

// Prompt injections are not evidence and are not shown to a writer. The rest of the
// passage is.
void LeaveOutInstructions(Candidate& candidate) {
  const std::string_view whole = candidate.text;
  const std::string_view rest = injection::WithoutInstructions(whole);
  if (rest.size() == whole.size()) return;
  if (rest.empty()) {
    candidate.text.clear();
    return;
  }
  const std::string_view before =
      whole.substr(0, static_cast<std::size_t>(rest.data() - whole.data()));
  candidate.hit.first_line += static_cast<std::uint32_t>(CountLines(before));
  candidate.hit.last_line =
      candidate.hit.first_line + static_cast<std::uint32_t>(CountLines(rest)) - 1;
  candidate.characters_left_out = evidence::CountCharacters(before);
  candidate.text = std::string(rest);
}

class PointGatherer {
 public:
  PointGatherer(const GatherInputs& inputs, const GatherOptions& options)
      : inputs_(inputs),
        options_(options),
        reader_(inputs.searcher),
        known_(inputs.knowledge, inputs.part.target, reader_) {
    for (const plan::Text& repository : inputs.part.repositories) {
      repositories_ += LowerCase(repository.text) + "\n";
    }
    title_ = TitleOf(inputs.plan, inputs.part);
  }

  GatheredPoint Gather(const plan::Section& section, const plan::Text& text,
                       const PointSearch* search) {
    GatheredPoint point{.point = PlainPoint(text.text)};
    point.terms =
        reader_.TermsOf(point.point, {PlainPoint(section.title), title_ + " " + inputs_.part.goal});
    if (const KnownSection* known = known_.Covering(point.terms)) {
      point.covered = KnownPlace{known->path, known->title, known->anchor};
      return point;
    }
    for (const KnownSection* known : known_.Near(point.terms, kMostKnownSections)) {
      point.also.push_back({known->path, known->title, known->anchor});
    }
    Prefer(section, point.point);
    const PointPlace place{.plan = inputs_.plan, .part = inputs_.part, .section = section};
    std::map<Key, Candidate> candidates;
    for (const PointQuery& query : QueriesOf(text.text, place, options_.attempt)) {
      point.queries.push_back(query.text);
      Collect(query, candidates);
    }
    for (const std::string& symbol : SymbolsIn(point.point)) Declare(symbol, candidates);
    if (search == nullptr) {
      Choose(Rank(point.terms, candidates), point);
    } else {
      Search(*search, point, candidates);
      ChooseHits(Rank(point.terms, candidates), point);
    }
    return point;
  }

 private:
  // Which sources are meant: those whose name the point, its section, what the
  // section is to cite or the part's title has, and the repositories of the part.
  void Prefer(const plan::Section& section, std::string_view point) {
    named_.clear();
    const std::string words = LowerCase(fmt::format("{}\n{}\n{}\n{}\n{}", point, section.title,
                                                    section.cite, title_, repositories_));
    for (const evidence::Pin& pin : options_.lock.pins) {
      if (FindWholeWord(words, LowerCase(pin.name))) named_.insert(pin.name);
    }
  }

  const std::vector<index::Hit>& Collect(const PointQuery& query,
                                         std::map<Key, Candidate>& candidates) {
    const auto [at, is_new] = searched_.try_emplace({query.text, query.context});
    if (is_new) {
      at->second = inputs_.searcher.Search(
          {.text = query.text, .context = query.context, .limit = kHitsPerQuery});
    }
    Fuse(at->second, query.weight, candidates);
    return at->second;
  }

  // A query that was made for the sources counts for more than the plan's words.
  void Search(const PointSearch& search, GatheredPoint& point,
              std::map<Key, Candidate>& candidates) {
    constexpr double kMade = 2.5;
    constexpr std::size_t kWanted = 2;
    for (const std::string& query : search.queries) {
      point.queries.push_back(query);
      const std::vector<index::Hit>& hits =
          Collect({.text = query, .context = "", .weight = kMade}, candidates);
      for (std::size_t i = 0; i < std::min(kWanted, hits.size()); ++i) {
        candidates[{hits[i].passage.part, hits[i].passage.passage}].is_wanted = true;
      }
    }
    for (const std::string& name : search.names) Declare(name, candidates);
    if (search.names.size() > 1) {
      Collect({.text = Join(search.names, " "), .context = "", .weight = kMade}, candidates);
    }
  }

  // A declaration of a name is more relevant than its uses.
  void Declare(const std::string& symbol, std::map<Key, Candidate>& candidates) {
    constexpr double kDeclares = 1.5;
    const auto [at, is_new] = declared_.try_emplace(symbol);
    if (is_new) at->second = DeclarationsOf(symbol, inputs_.searcher);
    Fuse(at->second, kDeclares, candidates);
  }

  static void Fuse(const std::vector<index::Hit>& hits, double weight,
                   std::map<Key, Candidate>& candidates) {
    double rank = kRankOffset;
    for (const index::Hit& hit : hits) {
      Candidate& candidate = candidates[{hit.passage.part, hit.passage.passage}];
      candidate.hit = hit;
      candidate.fused += weight * kRankOffset / rank;
      ++rank;
    }
  }

  // Documentation and definitions before uses, both before tests, changelogs
  // and generated files.
  double Prior(const index::Hit& hit) const {
    const index::Segment& segment = inputs_.searcher.parts()[hit.passage.part].part->segment;
    const index::DocumentRecord* document = segment.document_of(hit.passage.passage);
    double prior = named_.contains(std::string(hit.source_view)) ? 1.3 : 1;
    if (hit.kind == index::PassageKind::kProse) prior *= 1.25;
    if (hit.kind == index::PassageKind::kDefinition || hit.kind == index::PassageKind::kCommand) {
      prior *= 1.1;
    }
    // What only a project's own machines read: .github, .gitlab, .ci.
    if (hit.path_view.starts_with(".") || hit.path_view.find("/.") != std::string_view::npos) {
      prior *= 0.6;
    }
    if (document == nullptr) return prior;
    const auto traits = index::DocumentTraits::FromBits(document->traits);
    if (traits.is_test) prior *= 0.55;
    if (traits.is_generated) prior *= 0.6;
    if (traits.is_vendored) prior *= 0.7;
    if (traits.is_changelog) prior *= 0.5;
    return prior;
  }

  const TermSet& TermsOf(const Candidate& candidate) {
    const index::Hit& hit = candidate.hit;
    const auto [at, is_new] = terms_.try_emplace({hit.passage.part, hit.passage.passage});
    if (is_new) {
      reader_.Read(hit.path_view, at->second);
      reader_.Read(hit.heading_view, at->second);
      reader_.Read(candidate.text, at->second);
    }
    return at->second;
  }

  std::vector<Candidate> Rank(const PointTerms& terms, std::map<Key, Candidate>& candidates) {
    std::vector<Candidate> ranked;
    for (auto& [key, candidate] : candidates) {
      candidate.text = inputs_.searcher.Text(candidate.hit.passage);
      LeaveOutInstructions(candidate);
      if (IsInstruction(candidate.hit.path_view)) continue;
      if (candidate.text.empty() || options_.lock.Find(candidate.hit.source_view) == nullptr) {
        continue;
      }
      const TermSet& words = TermsOf(candidate);
      candidate.share = ShareOf(terms.point, words);
      candidate.support = Support(terms, words);
      candidate.context = ShareOf(terms.context, words);
      candidate.has_subject = std::any_of(
          terms.point.begin(), terms.point.end(),
          [&](const WeightedTerm& term) { return term.is_subject && words.contains(term.stem); });
      // Where a model chooses, the words of the plan are a hint; otherwise they decide.
      constexpr double kHint = 0.35;
      const double meets = candidate.support * candidate.support;
      const double weight = options_.searches == nullptr ? meets : kHint + meets;
      candidate.score = candidate.fused * weight * Prior(candidate.hit);
      ranked.push_back(std::move(candidate));
    }
    std::sort(ranked.begin(), ranked.end(), [](const Candidate& a, const Candidate& b) {
      const auto place = [](const Candidate& c) {
        return std::tuple(c.hit.source_view, c.hit.path_view, c.hit.first_line);
      };
      return a.score != b.score ? a.score > b.score : place(a) < place(b);
    });
    return ranked;
  }

  // Words that mean something else elsewhere ("manual instrumentation" of a
  // profiler, and of a build) are evidence only if the context of the point is
  // mentioned too; in a source that the plan names, one distinctive word of the
  // point is enough. A point of common words ("when to use which tool") matches
  // anything, so nearly half of its context words are required.
  bool IsEvidence(const PointTerms& terms, const Candidate& candidate) {
    constexpr double kContextShare = 0.4;
    constexpr double kLeastContext = 0.12;
    if (candidate.share < kPointThreshold || candidate.support < kSupportThreshold) return false;
    if (terms.context.empty()) return true;  // a question without context
    const double telling = reader_.TellingWeight();
    const TermSet& words = TermsOf(candidate);
    const bool is_named = named_.empty() || named_.contains(std::string(candidate.hit.source_view));
    const bool has_context = CountTelling(terms.context, telling, words) > 0;
    if (CountTelling(terms.point, telling) == 0) {
      return candidate.context >= kContextShare && (is_named || has_context);
    }
    if (!is_named && !has_context && !candidate.has_subject) return false;
    constexpr double kWhole = 0.95;
    return candidate.has_subject || candidate.context >= kLeastContext || candidate.share >= kWhole;
  }

  Excerpt Take(Candidate& candidate) const {
    const index::Hit& hit = candidate.hit;
    const evidence::Pin* pin = options_.lock.Find(hit.source_view);
    const bool is_page = pin != nullptr && !pin->pages.empty();
    return {.pin = pin,
            .path = std::string(hit.path_view),
            .heading = injection::FindInstructions(hit.heading_view).empty()
                           ? std::string(hit.heading_view)
                           : std::string(),
            .language = std::string(hit.language_view),
            .blob = hit.blob,
            .first_line = hit.first_line,
            .last_line = hit.last_line,
            .kind = hit.kind,
            .text = std::move(candidate.text),
            .support = candidate.support,
            .characters_before = is_page ? inputs_.searcher.CharactersBefore(hit.passage) +
                                               candidate.characters_left_out
                                         : 0,
            .passage = hit.passage};
  }

  // The first hits of the model's queries are among them, whatever their score.
  void ChooseHits(std::vector<Candidate> ranked, GatheredPoint& point) {
    const auto wanted = static_cast<std::size_t>(
        std::count_if(ranked.begin(), ranked.end(), [](const auto& one) { return one.is_wanted; }));
    std::size_t others = wanted < kMostHits ? kMostHits - wanted : 0;
    std::map<std::string_view, std::size_t> of_file;
    for (Candidate& candidate : ranked) {
      if (point.excerpts.size() == kMostHits) break;
      std::size_t& taken = of_file[candidate.hit.path_view];
      const bool is_repeated = taken == kMostOfOneFile + 1;
      if (!candidate.is_wanted && (others == 0 || is_repeated)) continue;
      others -= candidate.is_wanted ? 0 : 1;
      ++taken;
      point.excerpts.push_back(Take(candidate));
    }
  }

  void Choose(std::vector<Candidate> ranked, GatheredPoint& point) {
    std::map<std::string_view, std::size_t> of_file;
    for (Candidate& candidate : ranked) {
      if (point.excerpts.size() == kMostExcerpts) break;
      if (!IsEvidence(point.terms, candidate)) continue;
      std::size_t& taken = of_file[candidate.hit.path_view];
      if (taken == kMostOfOneFile) continue;
      ++taken;
      point.excerpts.push_back(Take(candidate));
    }
    if (!point.excerpts.empty() || ranked.empty()) return;
    Candidate& best = *std::max_element(
        ranked.begin(), ranked.end(),
        [](const Candidate& a, const Candidate& b) { return a.support < b.support; });
    const TermSet& words = TermsOf(best);
    for (const WeightedTerm& term : point.terms.point) {
      if (!words.contains(term.stem)) point.missing.push_back(term.written);
    }
    point.nearest = Take(best);
  }

  const GatherInputs& inputs_;
  const GatherOptions& options_;
  TermReader reader_;
  KnownSections known_;
  std::string repositories_;
  std::string title_;
  std::set<std::string> named_;  // sources that the point at hand means
  std::map<std::pair<std::string, std::string>, std::vector<index::Hit>> searched_;
  std::map<std::string, std::vector<index::Hit>> declared_;
  std::map<Key, TermSet> terms_;
};

}  // namespace

std::vector<plan::Section> SectionsOf(const plan::Part& part) {
  std::vector<plan::Section> sections;
  for (const plan::Section& section : part.sections) {
    sections.push_back(section);
    // A section without bullets is its own point.
    if (section.points.empty()) {
      sections.back().points.push_back({.text = section.title, .line = section.line});
    }
  }
  if (!sections.empty()) return sections;
  plan::Section section{.title = part.title, .line_budget = part.line_budget, .line = part.line};
  constexpr int kTopicStep = 2;
  for (const plan::Step& step : part.steps) {
    if (step.number != kTopicStep) continue;
    for (const plan::Item& item : step.items) {
      section.points.push_back({.text = item.text, .line = item.line});
    }
  }
  if (section.points.empty()) {
    for (const plan::Text& query : part.queries) {
      section.points.push_back({.text = CleanQuery(query.text), .line = query.line});
    }
  }
  if (section.points.empty() && !part.goal.empty()) {
    section.points.push_back({.text = part.goal, .line = part.line});
  }
  sections.push_back(std::move(section));
  return sections;
}

Gathered Gather(const GatherInputs& inputs, const GatherOptions& options) {
  Gathered gathered;
  PointGatherer gatherer(inputs, options);
  const std::vector<plan::Section> sections = SectionsOf(inputs.part);
  for (std::size_t s = 0; s < sections.size(); ++s) {
    GatheredSection& written = gathered.sections.emplace_back();
    written.title = PlainPoint(sections[s].title);
    written.line_budget = sections[s].line_budget;
    for (std::size_t p = 0; p < sections[s].points.size(); ++p) {
      if (options.cancelled && options.cancelled()) return gathered;
      const PointSearch* search =
          options.searches == nullptr ? nullptr : &options.searches->at(s).at(p);
      written.points.push_back(gatherer.Gather(sections[s], sections[s].points[p], search));
    }
  }
  return gathered;
}

}  // namespace sibyl::draft
