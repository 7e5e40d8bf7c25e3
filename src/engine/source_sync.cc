// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/nearest_name.h"
#include "engine/arguments.h"
#include "engine/context.h"
#include "engine/evidence_operations.h"
#include "engine/oracle.h"
#include "engine/outcome.h"
#include "engine/source_json.h"

namespace sibyl::engine {
namespace {

// One source that cannot be reached must not keep the others where they are.
Result<Outcome> RunSourceSync(const Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(EvidenceAround(context));
  std::vector<std::string> names = arguments.All("name");
  if (names.empty()) {
    const evidence::SourceList list = SIBYL_TRY(evidence::ListSources(around));
    for (const evidence::SourceState& state : list.sources) names.push_back(state.spec.name);
  }
  Outcome outcome{.data = {{"sources", Json::array()}}};
  for (const std::string& name : names) {
    Result<evidence::SourceChange> change = evidence::SyncSource(name, around);
    if (!change.ok()) {
      const Error& error = change.error();
      if (error.kind == ErrorKind::kUsage || error.kind == ErrorKind::kCancelled) return error;
      outcome.holds = false;
      outcome.findings.push_back(
          {.severity = Severity::kError,
           .code = "source/unreachable",
           .message = fmt::format("{} stays where it was: {}", name, error.message),
           .hint = error.hint,
           .place = {.file = std::string(evidence::kConfigFile)}});
      continue;
    }
    outcome.data["sources"].push_back(ChangeAsJson(*change));
    for (Finding& finding : change->findings) outcome.findings.push_back(std::move(finding));
  }
  return outcome;
}

constexpr Parameter kParameters[] = {
    {.name = "name",
     .value_name = "NAME",
     .help = "a source; all of them when none is named",
     .kind = ParameterKind::kPositional,
     .repeated = true},
};

std::vector<Rule> SyncRules() {
  return {{.code = "source/unreachable",
           .meaning = "a source could not be fetched; its pin did not move"}};
}

}  // namespace

constexpr Operation kSourceSync = {
    .name = "source sync",
    .summary = "move pins to where their refs are now",
    .description =
        R"(Fetches sources again, moves their pins in `sibyl.lock` to where their refs are now, and says what
changed. Pins never move by themselves: this is the operation that moves them.

A source that cannot be reached keeps its pin, is reported, and makes the exit status 1; the others
are moved all the same.)",
    .parameters = kParameters,
    .effects = {.reads = true, .writes = true, .network = true},
    .rules = SyncRules,
    .run = RunSourceSync,
};

}  // namespace sibyl::engine
