// SPDX-License-Identifier: Apache-2.0
// Orders the best passages anew by further opinions: what people wrote when they changed the
// files of these passages, and how near vectors of words that were learned from the sources
// put them to the query. Only for sources with a history (index/history/history_field.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/rank/looked_up_terms.h"
#include "index/rank/rescoring.h"
#include "index/rank/searcher.h"
#include "index/vectors/vector_query.h"

namespace sibyl::index {

/// How many passages are looked at again, for a query of up to that many results.
inline constexpr std::size_t kSecondLookPassages = 100;

/// What an opinion makes of a score: a factor of at least 1.
float HistoryFactor(float share);
float NearnessFactor(float nearness);

/// Whether one of the parts that are searched has a history.
bool HasHistory(const std::vector<Searcher::Part>& parts, const std::vector<bool>& is_searched);

/// Changes the scores of `candidates`, and their order; the best come first. Passages of
/// sources without a history get the mean opinion, so that having one is no merit. `vectors`
/// may be null.
void LookAgain(std::span<const LookedUpTerm> terms, const std::vector<Searcher::Part>& parts,
               const VectorQuery* vectors, std::vector<Candidate>& candidates);

}  // namespace sibyl::index
