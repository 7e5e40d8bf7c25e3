// SPDX-License-Identifier: Apache-2.0
// Step 1 of a part on the web: its queries are put to the providers, the best of
// what they name is fetched, judged and pinned into the source `web`, and from
// then on is a pinned source like any other. Nothing is asked twice: a run that
// is repeated works from memory and snapshots.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/json.h"
#include "base/result.h"
#include "engine/context.h"
#include "engine/web.h"
#include "plan/plan.h"
#include "research/search.h"
#include "research/wish.h"

namespace sibyl::engine {

/// The source that collects what research found.
inline constexpr std::string_view kWebSource = "web";

/// What a part wants to know: its own queries, or, where it has none, one for
/// each section.
std::vector<research::Query> WebQueriesOf(const plan::Plan& plan, const plan::Part& part,
                                          std::size_t limit);

struct WebResearch {
  Json report = Json::object();  ///< Queries, pages taken and refused, what it cost.
  std::vector<Finding> findings;
};

struct WebResearchRequest {
  const plan::Plan& plan;
  std::vector<const plan::Part*> parts;
  std::string file;  ///< The plan's name in findings.
  WebWishes wishes = {};
  std::stop_token stop = {};
};

/// What a provider or a page says is no error: it is in the report. An error is a
/// lock that cannot be written, a [web] table that cannot be read, a cancelled run.
Result<WebResearch> ResearchOnWeb(const Context& context, const WebResearchRequest& request);

/// Whether a run may use the web, and within which limits.
struct WebPermission {
  enum class Use {
    kAsConfigured,  ///< If `expand = true` stands in the [web] table.
    kAllowed,       ///< --web
  };
  Use use = Use::kAsConfigured;
  WebWishes limits = {};
};

/// Never without the network.
Result<bool> IsWebAllowed(const Context& context, const WebPermission& permission);

/// An error when only the [web] table asks for the web and the person has not agreed
/// to that.
Status CheckWebConsent(const Context& context, const WebPermission& permission);

/// What ResearchOnWeb would ask, and asks nothing: {"queries": 12, "asked_before": 3,
/// "most_pages": 72, "asks": [{"part": 1, "query": "…", "asked_before": false}, …]}.
Result<Json> PreviewWebResearch(const Context& context, const WebResearchRequest& request);

}  // namespace sibyl::engine
