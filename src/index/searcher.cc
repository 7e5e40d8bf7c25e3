// SPDX-License-Identifier: Apache-2.0
#include "index/searcher.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "index/impact.h"
#include "index/posting_seeker.h"
#include "index/query_terms.h"
#include "index/scorer.h"
#include "index/words.h"

namespace sibyl::index {
namespace {

// Room for copies and for passages of the same file, which give way.
constexpr std::size_t kSpareFactor = 3;
constexpr std::size_t kMaxLimit = 10'000;
// A further passage of a file counts this much less than the one before.
constexpr float kSameFileFactor = 0.85F;

float Rarity(std::uint64_t passages, std::uint64_t with_term) {
  const auto all = static_cast<float>(passages);
  const auto with = static_cast<float>(std::min(with_term, passages));
  return std::log(1 + (all - with + 0.5F) / (with + 0.5F));
}

// What a passage with none of the words would keep of its score; one with all
// of them keeps everything. Chosen by judgement, not yet tuned.
constexpr float kUncovered = 0.6F;

// Rarer secondary terms find passages of their own; commoner ones only decide
// between those that others found.
constexpr float kCommonShare = 0.03F;

struct LookedUpTerm {
  std::vector<TermPostings> postings;  // in each part; passage_count 0 where absent
  std::uint64_t passage_count = 0;
  float weight = 0;
  std::uint32_t whole_weight = 0;  // of terms that find
  QueryTermKind kind = QueryTermKind::kWord;
};

}  // namespace

Searcher::Searcher(const std::vector<const Index*>& indexes) {
  for (const Index* index : indexes) {
    for (const Index::Part& part : index->parts()) {
      parts_.push_back({.index = index, .part = &part});
      passage_count_ += part.segment.passage_count();
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

  void LookUp() {
    static thread_local TermForms forms;
    for (const QueryTerm& term : TermsOf(query.text, query.context, forms, kMaxQueryTerms)) {
      LookedUpTerm looked_up;
      looked_up.kind = term.kind;
      looked_up.postings.reserve(searcher.parts_.size());
      for (const Part& part : searcher.parts_) {
        looked_up.postings.push_back(part.part->segment.Find(term.text).value_or(TermPostings{}));
        looked_up.passage_count += looked_up.postings.back().passage_count;
      }
      if (looked_up.passage_count == 0) continue;
      looked_up.weight = term.boost * Rarity(searcher.passage_count_, looked_up.passage_count);
      terms.push_back(std::move(looked_up));
    }
    Promote();
    ScaleWeights();
  }

  // Secondary terms that are rare find passages too, and all of them do when
  // the words themselves find too little.
  void Promote() {
    std::uint64_t found = 0;
    for (const LookedUpTerm& term : terms) {
      if (term.kind == QueryTermKind::kWord) found = std::max(found, term.passage_count);
    }
    const bool is_enough = found >= kSpareFactor * query.limit;
    const bool is_one_word = std::count_if(terms.begin(), terms.end(), [](const auto& term) {
                               return term.kind == QueryTermKind::kWord;
                             }) == 1;
    const auto common =
        static_cast<std::uint64_t>(kCommonShare * static_cast<float>(searcher.passage_count_));
    for (LookedUpTerm& term : terms) {
      if (term.kind != QueryTermKind::kSecondary) continue;
      if (!is_enough || (!is_one_word && term.passage_count < common)) {
        term.kind = QueryTermKind::kWord;
      }
    }
  }

  // Whole numbers that add up to at most kMaxWeightSum.
  void ScaleWeights() {
    float sum = 0;
    for (const LookedUpTerm& term : terms) {
      if (term.kind == QueryTermKind::kWord) sum += term.weight;
    }
    const float scale = static_cast<float>(kMaxWeightSum - kMaxQueryTerms) / sum;
    for (LookedUpTerm& term : terms) {
      if (term.kind != QueryTermKind::kWord) continue;
      term.whole_weight = std::max(1U, static_cast<std::uint32_t>(term.weight * scale));
    }
  }

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

  struct Candidate {
    ScoredPassage found;
    float score = 0;
    float covered = 0;  // weight of the words it has
  };

  // Looks at the few that were found with everything that was asked: forms as
  // they were written, parts, context, and how much of the question is there.
  std::vector<Candidate> Rerank(const std::vector<ScoredPassage>& best) const {
    std::vector<Candidate> candidates;
    candidates.reserve(best.size());
    for (const ScoredPassage& found : best) {
      candidates.push_back({.found = found, .score = 0, .covered = 0});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      if (a.found.segment != b.found.segment) return a.found.segment < b.found.segment;
      return a.found.passage < b.found.passage;
    });
    float all = 0;
    for (const LookedUpTerm& term : terms) {
      if (term.kind == QueryTermKind::kWord) all += term.weight;
      AddTerm(term, candidates);
    }
    for (Candidate& candidate : candidates) {
      const float coverage = all > 0 ? candidate.covered / all : 1;
      candidate.score *= kUncovered + (1 - kUncovered) * coverage;
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    return candidates;
  }

  static void AddTerm(const LookedUpTerm& term, std::vector<Candidate>& candidates) {
    for (std::size_t i = 0; i < candidates.size();) {
      const std::uint32_t part = candidates[i].found.segment;
      PostingSeeker seeker(term.postings[part]);
      const bool is_absent = term.postings[part].passage_count == 0;
      for (; i < candidates.size() && candidates[i].found.segment == part; ++i) {
        const std::uint8_t impact = is_absent ? 0 : seeker.Impact(candidates[i].found.passage);
        candidates[i].score += term.weight * static_cast<float>(impact);
        if (impact > 0 && term.kind == QueryTermKind::kWord) candidates[i].covered += term.weight;
      }
    }
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
  ranking.LookUp();
  ranking.ApplyFilter();
  const std::size_t limit = std::min(query.limit, kMaxLimit);
  std::size_t count = limit * kSpareFactor;
  for (;;) {
    const std::vector<ScoredPassage> best = ranking.Best(count);
    std::vector<Hit> hits = ranking.Spread(ranking.Rerank(best));
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
