// SPDX-License-Identifier: Apache-2.0
// The terms of a query, looked up in the indexes: where they occur and their weights.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/rank/query_terms.h"
#include "index/rank/searcher.h"

namespace sibyl::index {

struct LookedUpTerm {
  std::string text;
  float boost = 0;                     ///< Without its rarity in these indexes.
  std::vector<TermPostings> postings;  ///< Per part; passage_count is 0 where it does not occur.
  std::uint64_t passage_count = 0;     ///< In all parts.
  float weight = 0;
  QueryTermKind kind = QueryTermKind::kWord;
  bool finds = false;              ///< Other terms only affect the rank of passages found by these.
  std::uint32_t whole_weight = 0;  ///< Of terms that find; their sum is at most kMaxWeightSum.
};

/// Terms that occur nowhere are omitted.
std::vector<LookedUpTerm> LookUpTerms(const Query& query, const std::vector<Searcher::Part>& parts);

}  // namespace sibyl::index
