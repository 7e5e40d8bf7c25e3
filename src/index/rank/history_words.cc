// SPDX-License-Identifier: Apache-2.0
#include "index/rank/history_words.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "index/segment/posting_codec.h"

namespace sibyl::index {
namespace {

// As in BM25. A unit is a message of a commit of one file that has the term once.
constexpr float kSaturation = 1.2F;
constexpr float kLengthShare = 0.75F;
constexpr float kUsualMessages = 6;
constexpr float kFullImpact = 128;
constexpr float kFullWeight = 255;

/// The impact of one term in every message, spread out for the time of one term: looking
/// a thousand commits up in a list would cost more.
class SpreadTerm {
 public:
  SpreadTerm(const TermPostings& postings, std::size_t commits, std::vector<std::uint8_t>& impacts)
      : postings_(postings), impacts_(impacts) {
    impacts_.resize(std::max(impacts_.size(), commits));
    Fill([](std::uint8_t impact) { return impact; });
  }
  ~SpreadTerm() {
    Fill([](std::uint8_t) { return std::uint8_t{0}; });
  }
  SpreadTerm(const SpreadTerm&) = delete;
  SpreadTerm& operator=(const SpreadTerm&) = delete;

  float In(std::uint32_t commit) const { return static_cast<float>(impacts_[commit]); }

 private:
  template <typename Value>
  void Fill(const Value& value) {
    if (postings_.list.block_count() == 0) {
      Put(postings_.passage, value(postings_.impact));
      return;
    }
    PostingBlock block;
    for (std::size_t i = 0; i < postings_.list.block_count(); ++i) {
      if (!postings_.list.Decode(i, block)) continue;
      for (std::uint32_t at = 0; at < block.size; ++at) {
        Put(block.passages[at], value(block.impacts[at]));
      }
    }
  }
  void Put(std::uint32_t commit, std::uint8_t value) {
    if (commit < impacts_.size()) impacts_[commit] = value;
  }

  const TermPostings& postings_;
  std::vector<std::uint8_t>& impacts_;
};

float RarityOf(std::size_t commits, std::size_t with_term) {
  const auto all = static_cast<float>(commits);
  const auto with = static_cast<float>(std::min(with_term, commits));
  return std::log(1 + (all - with + 0.5F) / (with + 0.5F));
}

float WeightOf(const HistoryField& field, std::uint32_t commit) {
  return static_cast<float>(field.history().file.commit(commit).weight) / kFullWeight;
}

// Calls use(weight, term) for each term that a message has; returns the weight of all.
template <typename Use>
float ForEachTerm(const HistoryField& field, std::span<const LookedUpTerm> terms, const Use& use) {
  static thread_local std::vector<std::uint8_t> impacts;
  const Segment& segment = field.segment();
  float all = 0;
  for (const LookedUpTerm& term : terms) {
    const std::optional<TermPostings> postings = segment.Find(term.text);
    // A word that no message has cannot tell files apart, but is part of the query.
    const std::size_t count = postings ? postings->passage_count : 0;
    const float weight = term.boost * RarityOf(segment.passage_count(), count);
    all += weight;
    if (!postings) continue;
    const SpreadTerm spread(*postings, segment.passage_count(), impacts);
    use(weight, spread);
  }
  return all;
}

}  // namespace

std::vector<float> HistoryShares(const HistoryField& field, std::span<const LookedUpTerm> terms,
                                 const std::vector<std::vector<std::uint32_t>>& lists) {
  std::vector<float> norms;
  norms.reserve(lists.size());
  for (const std::vector<std::uint32_t>& commits : lists) {
    float messages = 0;
    for (const std::uint32_t commit : commits) messages += WeightOf(field, commit);
    norms.push_back(kSaturation * (1 - kLengthShare + kLengthShare * messages / kUsualMessages));
  }
  std::vector<float> shares(lists.size());
  const float all = ForEachTerm(field, terms, [&](float weight, const SpreadTerm& term) {
    for (std::size_t i = 0; i < lists.size(); ++i) {
      float count = 0;
      for (const std::uint32_t commit : lists[i]) {
        const float impact = term.In(commit);
        if (impact > 0) count += WeightOf(field, commit) * impact / kFullImpact;
      }
      if (count > 0) shares[i] += weight * count / (count + norms[i]);
    }
  });
  for (float& share : shares) share = all > 0 ? share / all : 0;
  return shares;
}

std::vector<TellingCommit> TellingCommits(const HistoryField& field,
                                          std::span<const LookedUpTerm> terms,
                                          const std::vector<std::uint32_t>& commits,
                                          std::size_t most) {
  std::vector<TellingCommit> telling;
  telling.reserve(commits.size());
  for (const std::uint32_t commit : commits) telling.push_back({.commit = commit, .weight = 0});
  ForEachTerm(field, terms, [&](float weight, const SpreadTerm& term) {
    for (TellingCommit& one : telling) {
      one.weight += weight * WeightOf(field, one.commit) * term.In(one.commit) / kFullImpact;
    }
  });
  std::erase_if(telling, [](const TellingCommit& one) { return one.weight <= 0; });
  std::stable_sort(
      telling.begin(), telling.end(),
      [](const TellingCommit& a, const TellingCommit& b) { return a.weight > b.weight; });
  if (telling.size() > most) telling.resize(most);
  return telling;
}

}  // namespace sibyl::index
