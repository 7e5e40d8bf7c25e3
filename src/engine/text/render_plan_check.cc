// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "engine/text/render.h"
#include "engine/text/render_findings.h"

namespace sibyl::engine {

Rendered RenderPlanCheck(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered;
  for (const Finding& finding : outcome.findings) {
    rendered.results += RenderFinding(finding, options.terminal);
  }
  const Json& files = outcome.data["files"];
  const std::string where =
      files.size() == 1 ? Harmless(files.front().get<std::string>()) : Count(files.size(), "plan");
  rendered.talk = fmt::format("sibyl: {}: {}\n", where, SummariseFindings(outcome.findings));
  return rendered;
}

}  // namespace sibyl::engine
