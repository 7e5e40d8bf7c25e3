// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "engine/citations/changing_commits.h"
#include "engine/text/render.h"
#include "engine/text/render_findings.h"

namespace sibyl::engine {

Rendered RenderRefresh(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered;
  const Json& data = outcome.data;
  for (const Json& one : data["renewed"]) {
    rendered.results +=
        fmt::format("{}:{}: [^{}] {}\n", Harmless(one["file"].get<std::string>()),
                    one["line"].get<std::size_t>(), Harmless(one["label"].get<std::string>()),
                    one["how"].get<std::string>());
    if (one.contains("commits")) {
      rendered.results += fmt::format("  changed by {}\n", Harmless(CommitsText(one["commits"])));
    }
  }
  for (const Finding& finding : outcome.findings) {
    rendered.results += RenderFinding(finding, options.terminal);
  }
  rendered.talk = fmt::format("sibyl: {} {}, {} not renewed, in {}\n",
                              Count(data["renewed"].size(), "citation"),
                              data["dry_run"].get<bool>() ? "would be renewed" : "renewed",
                              data["left"].size(), Count(data["written"].size(), "file"));
  return rendered;
}

}  // namespace sibyl::engine
