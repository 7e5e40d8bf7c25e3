// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/store/store_operations.h"
#include "engine/text/render.h"
#include "evidence/shared/store_upkeep.h"
#include "oracle/shared_store.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunStoreGc(const oracle::Context& context, const Arguments& arguments) {
  const evidence::SharedStore store = SIBYL_TRY(oracle::OpenSharedStore(context));
  const bool is_dry_run = arguments.Has("dry-run");
  const auto days = static_cast<std::uint32_t>(arguments.Integer("older-than").value_or(30));
  const evidence::Collected collected =
      SIBYL_TRY(evidence::CollectStore(store, {.days = days, .dry_run = is_dry_run}));
  return Outcome{.data = {{"store", store.folder().string()},
                          {"dry_run", is_dry_run},
                          {"older_than_days", days},
                          {"removed",
                           {{"records", collected.records},
                            {"files", collected.files},
                            {"bytes", collected.bytes}}},
                          {"kept",
                           {{"sources", collected.kept.sources},
                            {"indexes", collected.kept.indexes},
                            {"files", collected.kept.files},
                            {"bytes", collected.kept.bytes}}}}};
}

constexpr Parameter kStoreGcParameters[] = {
    {.name = "older-than",
     .value_name = "DAYS",
     .help = "remove what no machine stored or copied for so many days",
     .type = ValueType::kInteger,
     .default_text = "30",
     .minimum = 1,
     .maximum = 36500},
    {.name = "dry-run", .short_name = 'n', .help = "remove nothing", .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kStoreGc = {
    .name = "store gc",
    .summary = "remove what nobody uses from the shared store",
    .description =
        R"(Removes sources and indexes that no machine stored or copied for some time from the store that
`SIBYL_STORE` names, then the files that nothing refers to, and what interrupted copies left. It may
run while other machines work. Nothing is lost: what is needed again is fetched or built again.

Ages are measured by the clock of the file server, so machines whose clocks differ agree.)",
    .parameters = kStoreGcParameters,
    .effects = {.reads = true, .writes = true},
    .tool = {.is_refused = true},
    .run = RunStoreGc,
    .render = RenderStoreGc,
};

}  // namespace sibyl::engine
