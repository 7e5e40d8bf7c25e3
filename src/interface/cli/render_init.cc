// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "interface/cli/render.h"
#include "interface/cli/render_findings.h"

namespace sibyl::interface {

Rendered RenderInit(const engine::Outcome& outcome, const RenderOptions& options) {
  const std::string oracle = outcome.data.value("oracle", "");
  Rendered rendered{.results = Harmless(oracle) + '\n'};
  for (const Finding& finding : outcome.findings) {
    rendered.talk += RenderFinding(finding, options.terminal);
  }
  rendered.talk +=
      fmt::format("sibyl: created an oracle; pin its sources with 'sibyl source add ORIGIN'\n");
  return rendered;
}

}  // namespace sibyl::interface
