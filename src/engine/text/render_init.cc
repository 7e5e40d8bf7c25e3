// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/text/render.h"
#include "engine/text/render_findings.h"

namespace sibyl::engine {

Rendered RenderInit(const Outcome& outcome, const RenderOptions& options) {
  const std::string oracle = outcome.data.value("oracle", "");
  Rendered rendered{.results = Harmless(oracle) + '\n'};
  for (const Finding& finding : outcome.findings) {
    rendered.talk += RenderFinding(finding, options.terminal);
  }
  rendered.talk +=
      fmt::format("sibyl: created an oracle; pin its sources with 'sibyl source add ORIGIN'\n");
  return rendered;
}

}  // namespace sibyl::engine
