// SPDX-License-Identifier: Apache-2.0
// How good a ranking is: recall, reciprocal rank and discounted gain of the
// first ten.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "ranking_queries.h"

namespace sibyl::bench {

inline constexpr std::size_t kJudgedHits = 10;
inline constexpr std::size_t kDeepHits = 100;

struct Measures {
  double recall = 0;           ///< Labels that some hit overlaps, of those that ten hits can reach.
  double reciprocal_rank = 0;  ///< Of the first hit that overlaps any label.
  double gain = 0;             ///< nDCG; a label counts once, at its first hit.
  double deep_recall = 0;      ///< Labels that one of the first hundred hits overlaps.

  Measures& operator+=(const Measures& other);
  Measures operator/(double count) const;
};

/// Without the deep recall, which wants more hits than a user asks for.
Measures Judge(const LabelledQuery& query, const std::vector<SourceLines>& hits);
double DeepRecall(const LabelledQuery& query, const std::vector<SourceLines>& hits);

/// Means over groups of queries, as a table of text.
class MeasureTable {
 public:
  /// `ranker` names a way of ranking, in the order of their first appearance.
  void Add(const std::string& ranker, const LabelledQuery& query, const Measures& measures);

  /// The deep recall is shown if some query has one.
  std::string Format() const;

 private:
  struct Sum {
    Measures measures;
    std::size_t count = 0;
  };

  void AddTo(const std::string& group, const std::string& ranker, const Measures& measures);

  std::vector<std::string> rankers_;
  std::vector<std::string> groups_;
  std::map<std::string, std::map<std::string, Sum>> sums_;
};

}  // namespace sibyl::bench
