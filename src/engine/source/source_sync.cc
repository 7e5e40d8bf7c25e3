// SPDX-License-Identifier: Apache-2.0
#include "engine/source/source_sync.h"

#include <fmt/format.h>

#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/source/source_json.h"
#include "engine/source/source_pages.h"
#include "engine/text/render.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/source_failures.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunSourceSync(const oracle::Context& context, const Arguments& arguments) {
  return SyncSources(context, arguments.All("name"));
}

constexpr Parameter kSourceSyncParameters[] = {
    {.name = "name",
     .value_name = "NAME",
     .help = "the source to update [all]",
     .kind = ParameterKind::kPositional,
     .repeated = true},
};

std::vector<Rule> SyncRules() {
  return {{.code = "source/unreachable",
           .meaning = "a source could not be fetched; its pin did not move"},
          {.code = "page/kept", .meaning = "a page is no longer available; its snapshot is kept"},
          {.code = "page/refused",
           .meaning = "a page could not be fetched, or cannot be used as evidence"}};
}

}  // namespace

Finding Unreachable(const std::vector<oracle::SourceFailure>& same, std::size_t sources) {
  const Error& error = same[0].error;
  const bool is_one = same.size() == 1;
  const Place file{.file = std::string(evidence::kConfigFile)};
  return {.severity = Severity::kError,
          .code = "source/unreachable",
          .message = is_one ? fmt::format("{} was not updated: {}", same[0].name, error.message)
                            : fmt::format("{} of {} sources were not updated: {} ({})", same.size(),
                                          sources, error.message, oracle::SomeNames(same)),
          .hint = error.hint,
          .place = is_one ? error.place.value_or(file) : file};
}

Result<Outcome> SyncSources(const oracle::Context& context, const std::vector<std::string>& names) {
  evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const std::vector<evidence::SourceSpec> specs = SIBYL_TRY(evidence::SourcesToSync(names, around));
  const std::unique_ptr<expansion::Web> web = SIBYL_TRY(ReachWeb(context, around));
  Outcome outcome{.data = {{"sources", Json::array()}}};
  std::vector<oracle::SourceFailure> failures;
  for (const evidence::SourceSpec& spec : specs) {
    Result<evidence::SourceChange> change = evidence::SyncSource(spec, around);
    if (!change.ok()) {
      const Error& error = change.error();
      if (error.kind == ErrorKind::kUsage || error.kind == ErrorKind::kCancelled) return error;
      failures.push_back({.name = spec.name, .error = error});
      continue;
    }
    outcome.data["sources"].push_back(ChangeAsJson(*change));
    for (Finding& finding : change->findings) {
      outcome.holds = outcome.holds && finding.severity != Severity::kError;
      outcome.findings.push_back(std::move(finding));
    }
  }
  outcome.holds = outcome.holds && failures.empty();
  for (const auto& same : oracle::SameReasons(std::move(failures))) {
    outcome.findings.push_back(Unreachable(same, specs.size()));
  }
  return outcome;
}

constexpr Operation kSourceSync = {
    .name = "source sync",
    .summary = "update pins to where their refs are now",
    .description =
        R"(Fetches sources again, moves their pins in `sibyl.lock` to where their refs are now, and reports
what changed. This is the only operation that moves pins.

Pages are downloaded only if they changed, and their changes are reported by heading. A page that no
longer exists keeps its snapshot, with a warning.

A source that cannot be reached keeps its pin, is reported, and makes the exit status 1; the other
sources are still updated. An unknown name is an error, and nothing is fetched.)",
    .parameters = kSourceSyncParameters,
    .effects = {.reads = true, .writes = true, .network = NetworkUse::kAlways},
    .rules = SyncRules,
    .run = RunSourceSync,
    .render = RenderSourceSync,
};

}  // namespace sibyl::engine
