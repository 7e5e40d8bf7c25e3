// SPDX-License-Identifier: Apache-2.0
// Web options and results as JSON.
#pragma once

#include "base/json.h"
#include "engine/arguments.h"
#include "expansion/web.h"
#include "expansion/web_research.h"

namespace sibyl::engine {

/// Out of --max-requests, --max-mb and --max-minutes, which the operation must have.
expansion::WebOptions WebOptionsOf(const Arguments& arguments);

/// {"requests": 12, "bytes": 34567}
Json SpentAsJson(const expansion::WebSpent& spent);

/// {"parts": [{"part": 1, "queries": 4, "only": [], "excluded": 0,
/// "pages": [{"url": "…", "fate": "refused", "reason": "…"}, …]}, …], "spent": {…}}
Json ResearchAsJson(const expansion::WebResearch& research);

/// {"queries": 12, "asked_before": 3, "most_pages": 72,
/// "asks": [{"part": 1, "query": "…", "asked_before": false}, …]}
Json PreviewAsJson(const expansion::WebPreview& preview);

}  // namespace sibyl::engine
