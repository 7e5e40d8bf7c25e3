// SPDX-License-Identifier: Apache-2.0
// How a hit came to its rank, for `search --explain`.
#pragma once

#include "base/json.h"
#include "index/rank/searcher.h"

namespace sibyl::engine {

/// Its rank by words alone; of the second look, its share, the factor, and the commits that
/// say most. "history" is null if there was no second look.
Json OpinionsAsJson(const index::Searcher& searcher, const index::Hit& hit,
                    const index::Query& query);

}  // namespace sibyl::engine
