// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "engine/text/json_field.h"
#include "engine/text/render.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

// The text that a person wants in a file: the only input, or everything as a
// shell script.
std::string DryRun(const Outcome& outcome) {
  const Json& steps = outcome.data["steps"];
  const std::string target = outcome.data["target"].get<std::string>();
  const bool is_one = (target == "slurm" || target == "kubernetes") && steps.size() == 1;
  const std::string input = is_one ? steps[0]["input"].get<std::string>() : "";
  return input.empty() ? outcome.data["script"].get<std::string>() : input;
}

std::string Summary(const Outcome& outcome) {
  const auto workers = outcome.data["workers"].get<std::size_t>();
  const std::string name = outcome.data["name"].get<std::string>();
  const auto wanted = outcome.data.value("wanted", workers);
  if (workers < wanted) return fmt::format("{} of {} workers of {}\n", workers, wanted, name);
  if (workers == 0) return fmt::format("no worker of {} runs\n", name);
  return fmt::format("{} of {}\n", Count(workers, "worker"), name);
}

}  // namespace

Rendered RenderLaunch(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  if (outcome.data["dry_run"].get<bool>()) {
    rendered.quoted = DryRun(outcome);
    rendered.talk +=
        fmt::format("sibyl: {}: nothing was submitted\n", outcome.data["name"].get<std::string>());
    return rendered;
  }
  for (const Json& output : outcome.data["output"]) {
    const std::string text = output.get<std::string>();
    for (const std::string_view line : SplitLines(text)) {
      rendered.results += fmt::format("{}\n", Harmless(line));
    }
  }
  rendered.results += Summary(outcome);
  return rendered;
}

}  // namespace sibyl::engine
