// SPDX-License-Identifier: Apache-2.0
// Rescores the few best passages with the whole query: forms as written, parts of identifiers,
// the context, how many of the words occur, and the kind of document.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/rank/looked_up_terms.h"
#include "index/rank/scorer.h"
#include "index/rank/searcher.h"

namespace sibyl::index {

struct Candidate {
  ScoredPassage found;
  float score = 0;
  float history = 0;                ///< Of the second look, from 0 to 1.
  float nearness = 0;               ///< Likewise.
  std::uint32_t rank_by_words = 0;  ///< Before it, from 1; 0: there was none.
};

/// How many passages to rescore for each that is wanted.
std::size_t RescoredPerHit(const Query& query);

/// Best first.
std::vector<Candidate> Rescore(const std::vector<ScoredPassage>& found, const Query& query,
                               std::span<const LookedUpTerm> terms,
                               const std::vector<Searcher::Part>& parts);

}  // namespace sibyl::index
