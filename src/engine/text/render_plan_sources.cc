// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "engine/text/columns.h"
#include "engine/text/render.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

std::string LineNumbersOf(const Json& source) {
  std::vector<std::string> lines;
  for (const Json& line : source["lines"]) lines.push_back(std::to_string(line.get<std::size_t>()));
  return (lines.size() == 1 ? "line " : "lines ") + Join(lines, ", ");
}

std::string StateOf(const Json& source) {
  if (source.value("pinned", false)) {
    return (source.value("added", false) ? "added as " : "pinned as ") +
           Harmless(source.value("source", ""));
  }
  const std::string add = Harmless(source.value("add", ""));
  return add.empty() ? "not pinned; the plan does not name its owner" : "not pinned: " + add;
}

}  // namespace

Rendered RenderPlanSources(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  std::size_t pinned = 0;
  const Json& sources = outcome.data["sources"];
  for (const Json& source : sources) {
    const bool is_pinned = source.value("pinned", false);
    pinned += is_pinned ? 1 : 0;
    rendered.results += fmt::format(
        "{}  {}  {}\n", Styled(Harmless(source.value("name", "")), Style::kBold, options.terminal),
        Styled(LineNumbersOf(source), Style::kDim, options.terminal), StateOf(source));
  }
  if (sources.empty()) {
    rendered.talk += "sibyl: the plan names no repository and no page\n";
  } else {
    rendered.talk +=
        fmt::format("sibyl: {} of {} pinned\n", pinned, Count(sources.size(), "source"));
  }
  return rendered;
}

}  // namespace sibyl::engine
