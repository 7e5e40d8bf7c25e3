// SPDX-License-Identifier: Apache-2.0
#include "index/rank/searcher.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "evidence/pages/page_citation.h"
#include "index/impact.h"
#include "index/mix.h"
#include "index/rank/find_cards.h"
#include "index/rank/history_words.h"
#include "index/rank/looked_up_terms.h"
#include "index/rank/rescoring.h"
#include "index/rank/scorer.h"
#include "index/rank/second_look.h"
#include "index/vectors/vector_query.h"

namespace sibyl::index {
namespace {

constexpr std::size_t kMaxLimit = 10'000;
// The factor for each further passage of a file.
constexpr float kSameFileFactor = 0.9F;
// Per list, at the first search.
constexpr std::size_t kMostFetched = std::size_t{256} << 10;

float SameFileFactor(std::uint32_t before) {
  static const std::array<float, 16> factors = [] {
    std::array<float, 16> powers{};
    for (std::size_t i = 0; i < powers.size(); ++i) {
      powers[i] = std::pow(kSameFileFactor, static_cast<float>(i));
    }
    return powers;
  }();
  return before < factors.size() ? factors[before]
                                 : std::pow(kSameFileFactor, static_cast<float>(before));
}

/// A counter per key, initially 0. Faster than a map for the few keys of a search.
class SmallCounts {
 public:
  explicit SmallCounts(std::size_t most) : slots_(std::bit_ceil(2 * most + 1)) {}

  std::uint32_t& operator[](std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = Mix(key, 0) & mask;
    while (slots_[at].is_used && slots_[at].key != key) at = (at + 1) & mask;
    slots_[at].key = key;
    slots_[at].is_used = true;
    return slots_[at].count;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t count = 0;
    bool is_used = false;
  };
  std::vector<Slot> slots_;
};

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
  std::vector<std::vector<std::uint64_t>> allowed;  // per part, if there is a filter
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

  // At the first search the data may still be on disk; reading it page by page would take most
  // of the time.
  void FetchLists() const {
    std::vector<std::string_view> pieces;
    for (std::size_t number = 0; number < searcher.parts_.size(); ++number) {
      pieces.clear();
      for (const LookedUpTerm& term : terms) {
        const std::string_view list = term.postings[number].list.bytes();
        pieces.push_back(list.substr(0, kMostFetched));
      }
      searcher.parts_[number].part->segment.Fetch(pieces);
    }
  }
  void FetchRecords(const std::vector<ScoredPassage>& found) const {
    using Place = std::string_view (Segment::*)(std::size_t) const;
    for (const Place place : {&Segment::passage_bytes, &Segment::document_bytes}) {
      std::vector<std::vector<std::string_view>> pieces(searcher.parts_.size());
      for (const ScoredPassage& passage : found) {
        const Segment& segment = searcher.parts_[passage.segment].part->segment;
        pieces[passage.segment].push_back((segment.*place)(passage.passage));
      }
      for (std::size_t number = 0; number < pieces.size(); ++number) {
        searcher.parts_[number].part->segment.Fetch(std::move(pieces[number]));
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

  // Merges copies, then lowers the score of each further passage of a file.
  std::vector<Hit> Spread(const std::vector<Candidate>& ranked, std::size_t limit) const {
    struct Kept {
      ScoredPassage found;
      float score = 0;
      std::uint32_t copies = 0;
      const Candidate* candidate = nullptr;
    };
    std::vector<Kept> kept;
    kept.reserve(ranked.size());
    SmallCounts hit_of_words(ranked.size());
    SmallCounts passages_of_file(ranked.size());
    for (const Candidate& candidate : ranked) {
      const ScoredPassage& scored = candidate.found;
      const PassageRecord& passage =
          searcher.parts_[scored.segment].part->segment.passage(scored.passage);
      std::uint32_t& hit = hit_of_words[passage.fold_hash];
      if (hit != 0) {
        ++kept[hit - 1].copies;
        continue;
      }
      const std::uint64_t file = std::uint64_t{scored.segment} << 32 | passage.document;
      const std::uint32_t before = passages_of_file[file]++;
      kept.push_back({.found = scored,
                      .score = candidate.score / ImpactScale::kSaturated * SameFileFactor(before),
                      .copies = 0,
                      .candidate = &candidate});
      hit = static_cast<std::uint32_t>(kept.size());
    }
    std::stable_sort(kept.begin(), kept.end(),
                     [](const Kept& a, const Kept& b) { return a.score > b.score; });
    if (kept.size() > limit) kept.resize(limit);
    std::vector<Hit> hits;
    hits.reserve(kept.size());
    for (const Kept& one : kept) {
      hits.push_back(MakeHit(one.found));
      hits.back().score = one.score;
      hits.back().copies += one.copies;
      hits.back().history = one.candidate->history;
      hits.back().nearness = one.candidate->nearness;
      hits.back().rank_by_words = one.candidate->rank_by_words;
    }
    return hits;
  }
};

std::vector<Hit> Searcher::Search(const Query& query) const {
  Ranking ranking{.searcher = *this, .query = query, .terms = {}, .allowed = {}, .is_searched = {}};
  ranking.terms = LookUpTerms(query, parts_);
  const bool is_first = !has_searched_.exchange(true, std::memory_order_relaxed);
  if (is_first) ranking.FetchLists();
  ranking.ApplyFilter();
  const std::size_t limit = std::min(query.limit, kMaxLimit);
  std::size_t count = limit * RescoredPerHit(query);
  const std::optional<VectorQuery> vectors = VectorQuery::Make(query, parts_, ranking.is_searched);
  const bool looks_again = vectors || HasHistory(parts_, ranking.is_searched);
  if (looks_again) count = std::max(count, kSecondLookPassages);
  for (;;) {
    const std::vector<ScoredPassage> best = ranking.Best(count);
    if (is_first) ranking.FetchRecords(best);
    std::vector<Candidate> candidates = Rescore(best, query, ranking.terms, parts_);
    if (looks_again) LookAgain(ranking.terms, parts_, vectors ? &*vectors : nullptr, candidates);
    std::vector<Hit> hits = ranking.Spread(candidates, limit);
    // Copies may have displaced everything else: search for more.
    if (hits.size() >= limit || best.size() < count || count > 64 * limit) {
      PutDeclarationsFirst(query, ranking, hits);
      return hits;
    }
    count *= 4;
  }
}

// Who searches for a name wants to read what it is, and then where it is used.
void Searcher::PutDeclarationsFirst(const Query& query, const Ranking& ranking,
                                    std::vector<Hit>& hits) const {
  constexpr std::size_t kMostDeclarations = 2;
  constexpr std::size_t kMostOfName = 256;
  const std::string_view name = Trim(query.text);
  if (hits.empty() || name.size() < 3 || name.find_first_of(" \t\n") != name.npos) return;
  std::size_t front = 0;
  for (const CardHit& card : FindCards(*this, {.text = std::string(name),
                                              .limit = 2 * kMostDeclarations,
                                              .sources = query.filter.sources,
                                              .most_of_name = kMostOfName,
                                              .finds_by_words = false})) {
    if (card.match != CardMatch::kName || front >= std::min(kMostDeclarations, hits.size())) break;
    const PassageRef place = PassageOf(*this, card);
    const std::vector<std::uint64_t>& allowed = ranking.allowed[place.part];
    if (!allowed.empty() && (allowed[place.passage / 64] >> place.passage % 64 & 1) == 0) continue;
    const auto is_same = [&](const Hit& hit) {
      return hit.passage.part == place.part && hit.passage.passage == place.passage;
    };
    const auto begin = hits.begin() + static_cast<std::ptrdiff_t>(front);
    if (std::any_of(hits.begin(), begin, is_same)) continue;
    const auto found = std::find_if(begin, hits.end(), is_same);
    if (found != hits.end()) {
      std::rotate(begin, found, found + 1);
    } else {
      const Hit hit = ranking.MakeHit({.segment = place.part, .passage = place.passage});
      if (hits.size() >= query.limit) hits.pop_back();
      hits.insert(hits.begin() + static_cast<std::ptrdiff_t>(front), hit);
    }
    ++front;
  }
  // Scores stay in order.
  for (std::size_t i = front; i-- > 0 && i + 1 < hits.size();) {
    hits[i].score = std::max(hits[i].score, hits[i + 1].score);
  }
}

std::vector<Searcher::Reason> Searcher::Reasons(const Hit& hit, const Query& query,
                                                std::size_t most) const {
  const Part& part = parts_[hit.passage.part];
  const HistoryField* field = part.index->history();
  const Segment& segment = part.part->segment;
  const DocumentRecord* document = segment.document_of(hit.passage.passage);
  std::vector<Reason> reasons;
  if (field == nullptr || document == nullptr) return reasons;
  const std::vector<std::uint32_t> commits =
      field->CommitsOf(segment.paths(*document), kMostCommitsOfFile);
  const std::vector<TellingCommit> telling =
      TellingCommits(*field, LookUpTerms(query, parts_), commits, commits.size());
  float sum = 0;
  for (const TellingCommit& one : telling) sum += one.weight;
  for (const TellingCommit& one : telling) {
    if (reasons.size() == most) break;
    reasons.push_back({.commit = one.commit, .share = one.weight / sum});
  }
  return reasons;
}

std::size_t Searcher::CharactersBefore(PassageRef passage) const {
  const Segment& segment = parts_[passage.part].part->segment;
  // The passages of a document are consecutive and cover every line.
  const std::uint32_t document = segment.passage(passage.passage).document;
  std::uint32_t first = passage.passage;
  while (first > 0 && segment.passage(first - 1).document == document) --first;
  PassageText text(segment);
  std::size_t characters = 0;
  for (std::uint32_t i = first; i < passage.passage; ++i) {
    characters += evidence::CountCharacters(text.Get(segment.passage(i)));
  }
  return characters;
}

std::string Searcher::DocumentText(std::size_t part, std::size_t document) const {
  const Segment& segment = parts_[part].part->segment;
  std::string whole;
  if (document >= segment.document_count()) return whole;
  const DocumentRecord& record = segment.document(document);
  PassageText text(segment);
  // The passages of a document are consecutive and cover every line.
  const std::uint64_t end = std::uint64_t{record.first_passage} + record.passage_count;
  for (std::uint64_t i = record.first_passage;
       i < std::min(end, std::uint64_t{segment.passage_count()}); ++i) {
    whole += text.Get(segment.passage(i));
  }
  return whole;
}

std::string Searcher::Text(PassageRef passage) const {
  const Segment& segment = parts_[passage.part].part->segment;
  PassageText text(segment);
  return std::string(text.Get(segment.passage(passage.passage)));
}

}  // namespace sibyl::index
