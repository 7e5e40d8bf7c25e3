// SPDX-License-Identifier: Apache-2.0
#include "index/rank/second_look.h"

#include <algorithm>
#include <utility>

#include "index/history/history_field.h"
#include "index/rank/history_words.h"

namespace sibyl::index {
namespace {

// Tuned by the ranking evaluation; docs/ranking.md has the figures.
constexpr float kHistoryWeight = 0.8F;
constexpr float kNearnessWeight = 3;

/// Candidates of one document.
struct Group {
  std::uint32_t part = 0;
  std::uint32_t document = 0;
  std::size_t candidate = 0;

  bool operator<(const Group& other) const {
    if (part != other.part) return part < other.part;
    return document != other.document ? document < other.document : candidate < other.candidate;
  }
};

std::vector<Group> GroupsOf(const std::vector<Candidate>& candidates,
                            const std::vector<Searcher::Part>& parts) {
  std::vector<Group> groups;
  groups.reserve(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const ScoredPassage& found = candidates[i].found;
    const Segment& segment = parts[found.segment].part->segment;
    if (parts[found.segment].index->history() == nullptr ||
        segment.document_of(found.passage) == nullptr) {
      continue;
    }
    groups.push_back({.part = found.segment,
                      .document = segment.passage(found.passage).document,
                      .candidate = i});
  }
  std::sort(groups.begin(), groups.end());
  return groups;
}

// False if none of the candidates has a history.
bool AskHistories(std::span<const LookedUpTerm> terms, const std::vector<Searcher::Part>& parts,
                  std::vector<Candidate>& candidates) {
  const std::vector<Group> groups = GroupsOf(candidates, parts);
  if (groups.empty()) return false;
  float sum = 0;
  for (std::size_t begin = 0; begin < groups.size();) {
    const HistoryField& field = *parts[groups[begin].part].index->history();
    std::size_t end = begin;
    std::vector<std::vector<std::uint32_t>> commits;
    std::vector<std::size_t> list_of;  // of each candidate, from `begin`
    for (; end < groups.size() && parts[groups[end].part].index->history() == &field; ++end) {
      const bool is_same = end > begin && groups[end - 1].part == groups[end].part &&
                           groups[end - 1].document == groups[end].document;
      if (!is_same) {
        const Segment& segment = parts[groups[end].part].part->segment;
        commits.push_back(field.CommitsOf(segment.paths(segment.document(groups[end].document)),
                                          kMostCommitsOfFile));
      }
      list_of.push_back(commits.size() - 1);
    }
    const std::vector<float> shares = HistoryShares(field, terms, commits);
    for (std::size_t i = begin; i < end; ++i) {
      candidates[groups[i].candidate].history = shares[list_of[i - begin]];
      sum += candidates[groups[i].candidate].history;
    }
    begin = end;
  }
  const float mean = sum / static_cast<float>(groups.size());
  std::vector<bool> has_opinion(candidates.size());
  for (const Group& group : groups) has_opinion[group.candidate] = true;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!has_opinion[i]) candidates[i].history = mean;
  }
  return true;
}

void AskVectors(const VectorQuery& vectors, std::vector<Candidate>& candidates) {
  float sum = 0;
  std::size_t count = 0;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const ScoredPassage& found = candidates[i].found;
    if (const auto nearness = vectors.Nearness(found.segment, found.passage)) {
      candidates[i].nearness = *nearness;
      sum += *nearness;
      ++count;
    } else {
      others.push_back(i);
    }
  }
  for (const std::size_t i : others) {
    candidates[i].nearness = count == 0 ? 0 : sum / static_cast<float>(count);
  }
}

}  // namespace

float HistoryFactor(float share) { return 1 + kHistoryWeight * share; }
float NearnessFactor(float nearness) { return 1 + kNearnessWeight * nearness; }

bool HasHistory(const std::vector<Searcher::Part>& parts, const std::vector<bool>& is_searched) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (is_searched[i] && parts[i].index->history() != nullptr) return true;
  }
  return false;
}

void LookAgain(std::span<const LookedUpTerm> terms, const std::vector<Searcher::Part>& parts,
               const VectorQuery* vectors, std::vector<Candidate>& candidates) {
  const bool has_histories = AskHistories(terms, parts, candidates);
  if (!has_histories && vectors == nullptr) return;
  if (vectors != nullptr) AskVectors(*vectors, candidates);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].rank_by_words = static_cast<std::uint32_t>(i + 1);
    candidates[i].score *=
        HistoryFactor(candidates[i].history) * NearnessFactor(candidates[i].nearness);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
}

}  // namespace sibyl::index
