// SPDX-License-Identifier: Apache-2.0
// Many lists of results into one, each page once, best first; and the choice of
// those that are worth fetching.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "research/authority.h"
#include "research/page_filter.h"
#include "research/search.h"

namespace sibyl::research {

struct Candidate {
  Found found;  ///< As the best of the lists has it.
  Standing standing;
  double score = 0;                    ///< Higher is better; by rank alone.
  std::vector<std::string> providers;  ///< That returned it.
  std::string excluded;                ///< Why the filter excludes it; empty if it does not.
};

/// A canonical form for comparing pages: without fragment, tracking parameters, "www.",
/// "index.html" and trailing slash; http becomes https. Never to be fetched.
std::string CanonicalUrl(const net::Url& url);

/// Merged by reciprocal rank, in the order of score; deterministic. Results
/// that `filter` excludes are marked.
std::vector<Candidate> Merge(const std::vector<std::vector<Found>>& lists,
                             const PageFilter& filter);

/// At most `count` of those that are not excluded: official ones first, then by
/// authority and score, at most `per_host` of one host unless that host is official.
struct SelectOptions {
  std::size_t count = 8;
  std::size_t per_host = 2;
};
std::vector<Candidate> Select(std::vector<Candidate> candidates, const SelectOptions& options);

}  // namespace sibyl::research
