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

struct Measures {
  double recall = 0;           ///< Labels that some hit overlaps, of those that ten hits can reach.
  double reciprocal_rank = 0;  ///< Of the first hit that overlaps any label.
  double gain = 0;             ///< nDCG; a label counts once, at its first hit.

  Measures& operator+=(const Measures& other);
  Measures operator/(double count) const;
};

Measures Judge(const LabelledQuery& query, const std::vector<SourceLines>& hits);

/// Means over groups of queries, as a table of text.
class MeasureTable {
 public:
  /// `ranker` names a way of ranking, in the order of their first appearance.
  void Add(const std::string& ranker, const LabelledQuery& query, const Measures& measures);

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
