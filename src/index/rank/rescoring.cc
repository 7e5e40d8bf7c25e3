// SPDX-License-Identifier: Apache-2.0
#include "index/rank/rescoring.h"

#include <algorithm>
#include <string>

#include "index/document_traits.h"
#include "index/segment/posting_seeker.h"

namespace sibyl::index {
namespace {

// Tuned by the ranking evaluation; docs/ranking.md has the figures.
//
// The share of its score that a passage with none of the words would keep; one with all of them
// keeps everything.
constexpr float kUncovered = 0.5F;
// Prefers prose if the query is a sentence.
constexpr float kProseFactor = 1.1F;
// In addition to the index's prior for tests: they use a name more often than the places that
// explain it.
constexpr float kTestFactor = 0.7F;
// The query or its context names the source.
constexpr float kNamedSourceFactor = 1.2F;
// Shorter names occur inside other words.
constexpr std::size_t kShortestName = 4;
// Leaves room for copies and for passages of the same file, which are dropped, and for passages
// that only the context or only the document type favours.
constexpr std::size_t kSpareFactor = 3;
constexpr std::size_t kWideSpareFactor = 8;

struct Rescored {
  Candidate candidate;
  float covered = 0;  // weight of the words it contains
};

void AddTerm(const LookedUpTerm& term, std::vector<Rescored>& rescored) {
  const bool covers = term.kind == QueryTermKind::kAlternative || term.finds;
  for (std::size_t i = 0; i < rescored.size();) {
    const std::uint32_t part = rescored[i].candidate.found.segment;
    PostingSeeker seeker(term.postings[part]);
    const bool is_absent = term.postings[part].passage_count == 0;
    for (; i < rescored.size() && rescored[i].candidate.found.segment == part; ++i) {
      if (is_absent) continue;
      const std::uint8_t impact = seeker.Impact(rescored[i].candidate.found.passage);
      rescored[i].candidate.score += term.weight * static_cast<float>(impact);
      if (impact > 0 && covers) rescored[i].covered += term.weight;
    }
  }
}

// Keeps letters and digits only, in lower case: "Transformer Engine" and "TransformerEngine"
// are equal.
std::string Squeeze(std::string_view text) {
  std::string squeezed;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') squeezed.push_back(static_cast<char>(c - 'A' + 'a'));
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) squeezed.push_back(c);
  }
  return squeezed;
}

std::vector<bool> NamedParts(const Query& query, const std::vector<Searcher::Part>& parts) {
  const std::string asked = Squeeze(query.text) + ' ' + Squeeze(query.context);
  std::vector<bool> is_named;
  is_named.reserve(parts.size());
  for (const Searcher::Part& part : parts) {
    const std::string name = Squeeze(part.index->name());
    is_named.push_back(name.size() >= kShortestName && asked.find(name) != std::string::npos);
  }
  return is_named;
}

float FactorOf(const Segment& segment, std::uint32_t passage, bool is_prose) {
  const DocumentRecord* document = segment.document_of(passage);
  if (document == nullptr) return 1;
  const DocumentTraits traits = DocumentTraits::FromBits(document->traits);
  return (traits.is_test ? kTestFactor : 1) * (is_prose && traits.is_prose ? kProseFactor : 1);
}

// In the order in which postings are read.
std::vector<Rescored> InOrder(const std::vector<ScoredPassage>& found) {
  std::vector<Rescored> rescored;
  rescored.reserve(found.size());
  for (const ScoredPassage& passage : found) {
    rescored.push_back({.candidate = {.found = passage, .score = 0}, .covered = 0});
  }
  std::sort(rescored.begin(), rescored.end(), [](const Rescored& a, const Rescored& b) {
    const ScoredPassage& one = a.candidate.found;
    const ScoredPassage& other = b.candidate.found;
    return one.segment != other.segment ? one.segment < other.segment : one.passage < other.passage;
  });
  return rescored;
}

}  // namespace

std::size_t RescoredPerHit(const Query& query) {
  return query.context.empty() && !IsProse(query.text) ? kSpareFactor : kWideSpareFactor;
}

std::vector<Candidate> Rescore(const std::vector<ScoredPassage>& found, const Query& query,
                               std::span<const LookedUpTerm> terms,
                               const std::vector<Searcher::Part>& parts) {
  std::vector<Rescored> rescored = InOrder(found);
  float all = 0;
  for (const LookedUpTerm& term : terms) {
    // An alternative can replace a missing word, but is not itself required.
    if (term.finds && term.kind != QueryTermKind::kAlternative) all += term.weight;
    AddTerm(term, rescored);
  }
  const bool is_prose = IsProse(query.text);
  const std::vector<bool> is_named = NamedParts(query, parts);
  std::vector<Candidate> candidates;
  candidates.reserve(rescored.size());
  for (Rescored& one : rescored) {
    const ScoredPassage& here = one.candidate.found;
    const float coverage = all > 0 ? std::min(1.0F, one.covered / all) : 1;
    one.candidate.score *= kUncovered + (1 - kUncovered) * coverage;
    one.candidate.score *= FactorOf(parts[here.segment].part->segment, here.passage, is_prose);
    if (is_named[here.segment]) one.candidate.score *= kNamedSourceFactor;
    candidates.push_back(one.candidate);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  return candidates;
}

}  // namespace sibyl::index
