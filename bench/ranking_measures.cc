// SPDX-License-Identifier: Apache-2.0
#include "ranking_measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace sibyl::bench {
namespace {

constexpr const char* kAllQueries = "all";
constexpr const char* kHeldOut = "held out";
constexpr const char* kTuned = "not held out";

double Gain(int grade) { return std::exp2(grade) - 1; }
double Discount(std::size_t rank) { return 1 / std::log2(static_cast<double>(rank) + 1); }

double IdealGain(const LabelledQuery& query) {
  std::vector<int> grades;
  for (const Label& label : query.labels) grades.push_back(label.grade);
  std::sort(grades.begin(), grades.end(), std::greater<>());
  double sum = 0;
  for (std::size_t i = 0; i < std::min(kJudgedHits, grades.size()); ++i) {
    sum += Gain(grades[i]) * Discount(i + 1);
  }
  return sum;
}

void Remember(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

Measures& Measures::operator+=(const Measures& other) {
  recall += other.recall;
  reciprocal_rank += other.reciprocal_rank;
  gain += other.gain;
  deep_recall += other.deep_recall;
  return *this;
}

Measures Measures::operator/(double count) const {
  return {.recall = recall / count,
          .reciprocal_rank = reciprocal_rank / count,
          .gain = gain / count,
          .deep_recall = deep_recall / count};
}

Measures Judge(const LabelledQuery& query, const std::vector<SourceLines>& hits) {
  Measures measures;
  std::vector<bool> is_found(query.labels.size());
  for (std::size_t i = 0; i < std::min(kJudgedHits, hits.size()); ++i) {
    int best = 0;
    for (std::size_t l = 0; l < query.labels.size(); ++l) {
      const Label& label = query.labels[l];
      if (!label.place.Overlaps(hits[i])) continue;
      if (measures.reciprocal_rank == 0) {
        measures.reciprocal_rank = 1 / static_cast<double>(i + 1);
      }
      if (is_found[l]) continue;
      is_found[l] = true;
      best = std::max(best, label.grade);
    }
    measures.gain += Gain(best) * Discount(i + 1);
  }
  measures.gain /= IdealGain(query);
  const auto reachable = static_cast<double>(std::min(kJudgedHits, query.labels.size()));
  const auto found = static_cast<double>(std::count(is_found.begin(), is_found.end(), true));
  measures.recall = std::min(1.0, found / reachable);
  return measures;
}

double DeepRecall(const LabelledQuery& query, const std::vector<SourceLines>& hits) {
  const std::size_t most = std::min(kDeepHits, hits.size());
  const auto found =
      std::count_if(query.labels.begin(), query.labels.end(), [&hits, most](const Label& label) {
        return std::any_of(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(most),
                           [&label](const SourceLines& hit) { return label.place.Overlaps(hit); });
      });
  return static_cast<double>(found) / static_cast<double>(query.labels.size());
}

void MeasureTable::AddTo(const std::string& group, const std::string& ranker,
                         const Measures& measures) {
  Remember(groups_, group);
  Sum& sum = sums_[group][ranker];
  sum.measures += measures;
  ++sum.count;
}

void MeasureTable::Add(const std::string& ranker, const LabelledQuery& query,
                       const Measures& measures) {
  Remember(rankers_, ranker);
  AddTo(query.kind, ranker, measures);
  AddTo(kAllQueries, ranker, measures);
  AddTo(query.is_held_out ? kHeldOut : kTuned, ranker, measures);
}

std::string MeasureTable::Format() const {
  // The kinds, then the sums over them.
  std::vector<std::string> groups;
  for (const std::string& group : groups_) {
    if (group != kAllQueries && group != kHeldOut && group != kTuned) groups.push_back(group);
  }
  groups.insert(groups.end(), {kAllQueries, kTuned, kHeldOut});

  bool is_deep = false;
  for (const auto& [ranker, sum] : sums_.at(kAllQueries)) {
    is_deep = is_deep || sum.measures.deep_recall > 0;
  }
  std::string table =
      fmt::format("{:<14} {:>7}  {:<14} {:>9} {:>7} {:>7}{}\n", "kind", "queries", "ranker",
                  "recall@10", "MRR@10", "nDCG@10", is_deep ? " recall@100" : "");
  for (const std::string& group : groups) {
    const auto sums = sums_.find(group);
    if (sums == sums_.end()) continue;
    for (const std::string& ranker : rankers_) {
      const auto sum = sums->second.find(ranker);
      if (sum == sums->second.end()) continue;
      const Measures mean = sum->second.measures / static_cast<double>(sum->second.count);
      table += fmt::format("{:<14} {:>7}  {:<14} {:>9.3f} {:>7.3f} {:>7.3f}", group,
                           sum->second.count, ranker, mean.recall, mean.reciprocal_rank, mean.gain);
      table += is_deep ? fmt::format(" {:>10.3f}\n", mean.deep_recall) : "\n";
    }
  }
  return table;
}

}  // namespace sibyl::bench
