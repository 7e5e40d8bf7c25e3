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
#include "base/result.h"
#include "evidence/pages/page_outcome.h"
#include "expansion/web.h"
#include "oracle/context.h"
#include "plan/plan.h"
#include "research/search.h"
#include "research/wish.h"

namespace sibyl::expansion {

/// The source that collects what research found.
inline constexpr std::string_view kWebSource = "web";

/// What a part wants to know: its own queries, or, where it has none, one for
/// each section.
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
  std::vector<std::string> only;  ///< What the plan asks pages to be about or from.
  std::size_t excluded = 0;       ///< Answers that the plan does not want.
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
  WebWishes wishes = {};
  std::stop_token stop = {};
};

/// What a provider or a page says is no error: it is in the report. An error is a
/// lock that cannot be written, a [web] table that cannot be read, a cancelled run.
Result<WebResearch> ResearchOnWeb(const oracle::Context& context,
                                  const WebResearchRequest& request);

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
Result<bool> IsWebAllowed(const oracle::Context& context, const WebPermission& permission);

/// An error when only the [web] table asks for the web and the person has not agreed
/// to that.
Status CheckWebConsent(const oracle::Context& context, const WebPermission& permission);

struct PlannedQuery {
  int part = 0;
  std::string text;
  bool is_known = false;  ///< It was asked before, and would not be asked again.
};

struct WebPreview {
  std::vector<PlannedQuery> queries;
  std::size_t most_pages = 0;
};

/// What ResearchOnWeb would ask, and asks nothing.
Result<WebPreview> PreviewWebResearch(const oracle::Context& context,
                                      const WebResearchRequest& request);

}  // namespace sibyl::expansion
