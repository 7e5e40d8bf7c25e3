// SPDX-License-Identifier: Apache-2.0
// Step 1 of a part on the web: its queries are sent to the providers, the best
// results are fetched, checked and pinned in the source `web`. A repeated run
// sends no requests: it uses the cache and the snapshots.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "evidence/pages/page_outcome.h"
#include "expansion/web.h"
#include "oracle/context.h"
#include "plan/plan.h"
#include "research/page_filter.h"
#include "research/search.h"

namespace sibyl::expansion {

/// The source that collects what research found.
inline constexpr std::string_view kWebSource = "web";

/// The queries of a part: its own or, if it has none, one for each section.
std::vector<research::Query> WebQueriesOf(const plan::Plan& plan, const plan::Part& part,
                                          std::size_t limit);

struct ResearchedPage {
  std::string url;
  evidence::PageFate fate = evidence::PageFate::kRefused;
  std::string reason;  ///< Why it was refused; may be empty otherwise.
};

struct ResearchedPart {
  int number = 0;
  std::size_t queries = 0;
  std::vector<std::string> only;  ///< The plan's restrictions on pages.
  std::size_t excluded = 0;       ///< Results that the plan excludes.
  std::vector<ResearchedPage> pages;
};

struct WebResearch {
  std::vector<ResearchedPart> parts;
  WebSpent spent;
  std::vector<Finding> findings;
};

struct WebResearchRequest {
  const plan::Plan& plan;
  std::vector<const plan::Part*> parts;
  std::string file;  ///< The plan's name in findings.
  WebOptions options = {};
  std::stop_token stop = {};
};

/// Problems with providers and pages are in the report. An error means a lock
/// that cannot be written, a [web] table that cannot be read, or a cancelled
/// run.
Result<WebResearch> ResearchOnWeb(const oracle::Context& context,
                                  const WebResearchRequest& request);

/// Whether a run may use the web, and within which limits.
struct WebPermission {
  enum class Use {
    kAsConfigured,  ///< If the [web] table has `expand = true`.
    kAllowed,       ///< --web
  };
  Use use = Use::kAsConfigured;
  WebOptions limits = {};
};

/// Never without the network.
Result<bool> IsWebAllowed(const oracle::Context& context, const WebPermission& permission);

/// An error if only the [web] table enables the web and the user has not agreed
/// to that.
Status CheckWebConsent(const oracle::Context& context, const WebPermission& permission);

struct PlannedQuery {
  int part = 0;
  std::string text;
  bool is_known = false;  ///< Already cached; it would not be sent again.
};

struct WebPreview {
  std::vector<PlannedQuery> queries;
  std::size_t most_pages = 0;
};

/// Lists the requests of ResearchOnWeb without sending them.
Result<WebPreview> PreviewWebResearch(const oracle::Context& context,
                                      const WebResearchRequest& request);

}  // namespace sibyl::expansion
