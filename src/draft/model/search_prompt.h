// SPDX-License-Identifier: Apache-2.0
// The first request for a page: what to search the pinned sources for. A plan's
// words ("considerations") are often not those of the sources; a model knows
// the others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draft/extract/gather.h"
#include "model/question.h"

namespace sibyl::draft {

struct SearchRequest {
  std::string_view title;  ///< Of the page.
  std::string_view goal;   ///< Of the part; may be empty.
  const Gathered& gathered;
  const evidence::Lock& lock;
};

/// Asks for queries and names for every point that the oracle does not cover,
/// also for those without a passage; at most a dozen points to a request. None if
/// every point is covered.
std::vector<model::Question> SearchQuestions(const SearchRequest& request);

/// Adds what an answer asks for. Lines that are not understood are passed over:
/// such a point is searched for by the plan's words alone.
void ReadSearches(std::string_view answer, PageSearches& searches);

/// One empty search for each point.
PageSearches NoSearches(const Gathered& gathered);

}  // namespace sibyl::draft
