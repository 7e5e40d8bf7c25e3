// SPDX-License-Identifier: Apache-2.0
// Orders the best passages anew by a second opinion: what people wrote when they changed the
// files of these passages. Only for sources with a history (index/history/history_field.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/rank/looked_up_terms.h"
#include "index/rank/rescoring.h"
#include "index/rank/searcher.h"

namespace sibyl::index {

/// How many passages are looked at again, for a query of up to that many results.
inline constexpr std::size_t kSecondLookPassages = 100;

/// What an opinion makes of a score: a factor of at least 1.
float HistoryFactor(float share);

/// Whether one of the parts that are searched has a history.
bool HasHistory(const std::vector<Searcher::Part>& parts, const std::vector<bool>& is_searched);

/// Changes the scores of `candidates`, and their order; the best come first. Passages of
/// sources without a history get the mean opinion, so that having one is no merit.
void LookAgain(std::span<const LookedUpTerm> terms, const std::vector<Searcher::Part>& parts,
               std::vector<Candidate>& candidates);

}  // namespace sibyl::index
