// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "interface/cli/render.h"
#include "interface/cli/render_findings.h"

namespace sibyl::interface {

Rendered RenderAudit(const engine::Outcome& outcome, const RenderOptions& options) {
  Rendered rendered;
  for (const Finding& finding : outcome.findings) {
    rendered.results += RenderFinding(finding, options.terminal);
  }
  const Json& counts = outcome.data["counts"];
  rendered.talk =
      fmt::format("sibyl: {}: {} contradicted, {} absent; {} supported, {} not checked\n",
                  Count(outcome.data["files"].size(), "file"),
                  counts["contradicted"].get<std::size_t>(), counts["absent"].get<std::size_t>(),
                  counts["supported"].get<std::size_t>(), counts["undecidable"].get<std::size_t>());
  return rendered;
}

}  // namespace sibyl::interface
