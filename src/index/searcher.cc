// SPDX-License-Identifier: Apache-2.0
#include "index/searcher.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "index/impact.h"
#include "index/looked_up_terms.h"
#include "index/scorer.h"
#include "index/second_look.h"

namespace sibyl::index {
namespace {

constexpr std::size_t kMaxLimit = 10'000;
// A further passage of a file counts this much less than the one before.
constexpr float kSameFileFactor = 0.9F;

}  // namespace

Searcher::Searcher(const std::vector<const Index*>& indexes) {
  for (const Index* index : indexes) {
    for (const Index::Part& part : index->parts()) {
      parts_.push_back({.index = index, .part = &part});
    }
  }
}

Searcher::~Searcher() = default;

/// The steps of one search.
struct Searcher::Ranking {
  const Searcher& searcher;
  const Query& query;
  std::vector<LookedUpTerm> terms;
  std::vector<std::vector<std::uint64_t>> allowed;  // for each part, if there is a filter
  std::vector<bool> is_searched;

  void ApplyFilter() {
    const Filter& filter = query.filter;
    for (const Part& part : searcher.parts_) {
      const bool is_named =
          filter.sources.empty() || std::find(filter.sources.begin(), filter.sources.end(),
                                              part.index->name()) != filter.sources.end();
      is_searched.push_back(is_named);
      allowed.push_back(is_named
                            ? AllowedPassages(part.part->segment, filter, part.part->dead_documents)
                            : std::vector<std::uint64_t>{});
    }
  }

  std::vector<ScoredPassage> Best(std::size_t count) const {
    static thread_local Scorer scorer;
    TopPassages top(count);
    std::vector<WeightedPostings> weighted;
    for (std::uint32_t number = 0; number < searcher.parts_.size(); ++number) {
      if (!is_searched[number]) continue;
      weighted.clear();
      for (const LookedUpTerm& term : terms) {
        if (term.whole_weight == 0 || term.postings[number].passage_count == 0) continue;
        weighted.push_back({.postings = term.postings[number], .weight = term.whole_weight});
      }
      scorer.Score({.segment = &searcher.parts_[number].part->segment,
                    .number = number,
                    .allowed = allowed[number]},
                   weighted, top);
    }
    return top.Take();
  }

  Hit MakeHit(const ScoredPassage& scored) const {
    const Part& part = searcher.parts_[scored.segment];
    const Segment& segment = part.part->segment;
    const PassageRecord& passage = segment.passage(scored.passage);
    Hit hit;
    hit.passage = {.part = scored.segment, .passage = scored.passage};
    hit.source_view = part.index->name();
    hit.heading_view = segment.heading(passage);
    hit.first_line = passage.first_line;
    hit.last_line = passage.last_line;
    hit.kind = static_cast<PassageKind>(passage.kind);
    const DocumentRecord* document = segment.document_of(scored.passage);
    if (document == nullptr) return hit;
    hit.blob.bytes = document->blob;
    hit.language_view = segment.language(*document);
    hit.path_view = segment.path(*document);
    hit.copies = document->path_count - std::min(1U, document->path_count);
    if (!query.filter.path_globs.empty()) {
      for (const std::string_view path : segment.paths(*document)) {
        if (!PathIsAllowed(query.filter.path_globs, path)) continue;
        hit.path_view = path;
        break;
      }
    }
    return hit;
  }

  // Folds copies, then lets each further passage of a file count for less.
  std::vector<Hit> Spread(const std::vector<Candidate>& ranked) const {
    std::vector<Hit> hits;
    std::unordered_map<std::uint32_t, std::size_t> hit_of_words;
    std::unordered_map<std::uint64_t, int> passages_of_file;
    for (const Candidate& candidate : ranked) {
      const ScoredPassage& scored = candidate.found;
      const PassageRecord& passage =
          searcher.parts_[scored.segment].part->segment.passage(scored.passage);
      const auto [copy, is_new] = hit_of_words.try_emplace(passage.fold_hash, hits.size());
      if (!is_new) {
        ++hits[copy->second].copies;
        continue;
      }
      Hit hit = MakeHit(scored);
      const std::uint64_t file = std::uint64_t{scored.segment} << 32 | passage.document;
      hit.score = candidate.score / ImpactScale::kSaturated *
                  std::pow(kSameFileFactor, static_cast<float>(passages_of_file[file]++));
      hits.push_back(hit);
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const Hit& a, const Hit& b) { return a.score > b.score; });
    return hits;
  }
};

std::vector<Hit> Searcher::Search(const Query& query) const {
  Ranking ranking{.searcher = *this, .query = query, .terms = {}, .allowed = {}, .is_searched = {}};
  ranking.terms = LookUpTerms(query, parts_);
  ranking.ApplyFilter();
  const std::size_t limit = std::min(query.limit, kMaxLimit);
  std::size_t count = limit * SecondLookFactor(query);
  for (;;) {
    const std::vector<ScoredPassage> best = ranking.Best(count);
    std::vector<Hit> hits = ranking.Spread(LookAgain(best, query, ranking.terms, parts_));
    // Copies may have crowded out everything else: look further down.
    if (hits.size() >= limit || best.size() < count || count > 64 * limit) {
      if (hits.size() > limit) hits.resize(limit);
      return hits;
    }
    count *= 4;
  }
}

std::string Searcher::Text(PassageRef passage) const {
  const Segment& segment = parts_[passage.part].part->segment;
  PassageText text(segment);
  return std::string(text.Get(segment.passage(passage.passage)));
}

}  // namespace sibyl::index
