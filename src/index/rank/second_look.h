// SPDX-License-Identifier: Apache-2.0
// Looks again at the few passages that scoring found, with everything that was
// asked: forms as they were written, parts of identifiers, the context, how
// much of the question is there, and what kind of place it is.
#pragma once

#include <span>
#include <vector>

#include "index/rank/looked_up_terms.h"
#include "index/rank/scorer.h"
#include "index/rank/searcher.h"

namespace sibyl::index {

struct Candidate {
  ScoredPassage found;
  float score = 0;
};

/// How many passages to look at for each that is wanted.
std::size_t SecondLookFactor(const Query& query);

/// Best first.
std::vector<Candidate> LookAgain(const std::vector<ScoredPassage>& found, const Query& query,
                                 std::span<const LookedUpTerm> terms,
                                 const std::vector<Searcher::Part>& parts);

}  // namespace sibyl::index
