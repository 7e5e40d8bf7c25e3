// SPDX-License-Identifier: Apache-2.0
#include "engine/source_sync.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest_name.h"
#include "engine/arguments.h"
#include "engine/context.h"
#include "engine/evidence_operations.h"
#include "engine/oracle.h"
#include "engine/outcome.h"
#include "engine/source_json.h"
#include "engine/source_pages.h"

namespace sibyl::engine {
namespace {

// All of them, less those that wait for their first page.
Result<std::vector<std::string>> NamesOfAll(const evidence::Surroundings& around) {
  const evidence::SourceList list = SIBYL_TRY(evidence::ListSources(around));
  std::vector<std::string> names;
  for (const evidence::SourceState& state : list.sources) {
    const bool is_collector =
        state.spec.kind == evidence::SourceKind::kPage && state.spec.urls.empty();
    if (!is_collector || state.pin) names.push_back(state.spec.name);
  }
  return names;
}

// A name that is not declared is a mistake of the caller: nothing is fetched.
Status CheckNames(const std::vector<std::string>& names, const evidence::Surroundings& around) {
  const evidence::SourceList list = SIBYL_TRY(evidence::ListSources(around));
  std::vector<std::string> declared;
  for (const evidence::SourceState& state : list.sources) declared.push_back(state.spec.name);
  for (const std::string& name : names) {
    if (std::find(declared.begin(), declared.end(), name) != declared.end()) continue;
    const auto near = NearestName(name, declared);
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("no source is named '{}'", name),
                 .hint = near ? fmt::format("did you mean '{}'?", *near)
                              : "'sibyl source list' shows the names"};
  }
  return {};
}

Result<Outcome> RunSourceSync(const Context& context, const Arguments& arguments) {
  return SyncSources(context, arguments.All("name"));
}

constexpr Parameter kSourceSyncParameters[] = {
    {.name = "name",
     .value_name = "NAME",
     .help = "a source; all of them when none is named",
     .kind = ParameterKind::kPositional,
     .repeated = true},
};

std::vector<Rule> SyncRules() {
  return {{.code = "source/unreachable",
           .meaning = "a source could not be fetched; its pin did not move"},
          {.code = "page/kept", .meaning = "a page cannot be had any more; its snapshot is kept"},
          {.code = "page/refused", .meaning = "a page could not be fetched, or cannot be cited"}};
}

}  // namespace

Result<Outcome> SyncSources(const Context& context, std::vector<std::string> names) {
  evidence::Surroundings around = SIBYL_TRY(EvidenceAround(context));
  const std::unique_ptr<Web> web = SIBYL_TRY(ReachWeb(context, around));
  if (names.empty()) {
    names = SIBYL_TRY(NamesOfAll(around));
  } else {
    SIBYL_TRY(CheckNames(names, around));
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
           .place = error.place.value_or(Place{.file = std::string(evidence::kConfigFile)})});
      continue;
    }
    outcome.data["sources"].push_back(ChangeAsJson(*change));
    for (Finding& finding : change->findings) {
      outcome.holds = outcome.holds && finding.severity != Severity::kError;
      outcome.findings.push_back(std::move(finding));
    }
  }
  return outcome;
}

constexpr Operation kSourceSync = {
    .name = "source sync",
    .summary = "move pins to where their refs are now",
    .description =
        R"(Fetches sources again, moves their pins in `sibyl.lock` to where their refs are now, and says what
changed. Pins never move by themselves: this is the operation that moves them.

Pages are asked for only if they changed, and what changed is said by their headings. A page that is
gone keeps its snapshot, with a word.

A source that cannot be reached keeps its pin, is reported, and makes the exit status 1; the others
are moved all the same.)",
    .parameters = kSourceSyncParameters,
    .effects = {.reads = true, .writes = true, .network = NetworkUse::kAlways},
    .rules = SyncRules,
    .run = RunSourceSync,
};

}  // namespace sibyl::engine
