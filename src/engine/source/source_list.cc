// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/source/source_json.h"
#include "engine/text/render.h"
#include "oracle/context.h"
#include "oracle/oracle.h"

namespace sibyl::engine {
namespace {

std::string_view StateOf(const evidence::SourceState& state) {
  if (!state.pin) return "not pinned";
  if (!state.agrees) return "declaration differs from pin";
  return state.present ? "pinned" : "missing from the store";
}

// Reads every file to tell what is skipped and why.
Result<Json> Details(const evidence::Pin& pin, const evidence::Surroundings& around) {
  const evidence::Snapshot snapshot = SIBYL_TRY(evidence::OpenSnapshot(pin, around));
  const evidence::ScanReport report = snapshot.Scan({}, [](const evidence::ScannedFile&) {});
  Json skipped = Json::array();
  constexpr std::size_t kMostShown = 200;
  for (std::size_t i = 0; i < report.skips.size() && skipped.size() < kMostShown; ++i) {
    if (report.skips[i] == evidence::SkipReason::kNone) continue;
    skipped.push_back({{"path", snapshot.files()[i].path},
                       {"reason", evidence::SkipReasonText(report.skips[i])}});
  }
  return Json{{"files", snapshot.files().size()},
              {"read", report.counts[0]},
              {"text_bytes", report.text_bytes},
              {"skips", SkipsAsJson(report)},
              {"skipped", std::move(skipped)}};
}

Result<Outcome> RunSourceList(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  evidence::SourceList list = SIBYL_TRY(evidence::ListSources(around));
  Outcome outcome{.data = {{"sources", Json::array()}, {"orphans", Json::array()}},
                  .findings = std::move(list.findings)};
  for (const evidence::SourceState& state : list.sources) {
    Json source = {{"name", state.spec.name},
                   {"kind", evidence::SourceKindName(state.spec.kind)},
                   {"origin", state.spec.origin},
                   {"state", StateOf(state)},
                   {"pin", state.pin ? PinAsJson(*state.pin) : Json(nullptr)}};
    if (arguments.Has("verbose") && state.pin && state.present) {
      Result<Json> details = Details(*state.pin, around);
      if (!details.ok()) return std::move(details).error();
      source["details"] = std::move(*details);
    }
    outcome.data["sources"].push_back(std::move(source));
  }
  for (const evidence::Pin& orphan : list.orphans) {
    outcome.data["orphans"].push_back(PinAsJson(orphan));
  }
  return outcome;
}

constexpr Parameter kSourceListParameters[] = {
    {.name = "verbose",
     .short_name = 'v',
     .help = "read every file and count those skipped, by reason",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kSourceList = {
    .name = "source list",
    .summary = "show the sources and their pins",
    .description =
        R"(Shows the sources that `sibyl.toml` declares with their pins from `sibyl.lock`, and pins that no
source declares any more.

With `--verbose` every file is read, and skipped files are counted by reason: missing from a partial
clone, binary, too large, symlink, submodule, Git LFS pointer, excluded.)",
    .parameters = kSourceListParameters,
    .effects = {.reads = true},
    .tool = {.name = "source_list", .is_read_only = true, .is_idempotent = true},
    .run = RunSourceList,
    .render = RenderSourceList,
};

}  // namespace sibyl::engine
