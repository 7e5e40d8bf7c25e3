// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/store/store_operations.h"
#include "engine/text/render.h"
#include "evidence/shared/store_upkeep.h"
#include "oracle/shared_store.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunStoreCheck(const oracle::Context& context, const Arguments& arguments) {
  const evidence::SharedStore store = SIBYL_TRY(oracle::OpenSharedStore(context));
  if (context.progress) context.progress("reading all files of the store");
  evidence::StoreCheck check =
      SIBYL_TRY(evidence::CheckStore(store, {.repair = arguments.Has("repair")}));
  Outcome outcome;
  outcome.data = {{"store", store.folder().string()},
                  {"sources", check.content.sources},
                  {"indexes", check.content.indexes},
                  {"files", check.content.files},
                  {"bytes", check.content.bytes}};
  outcome.findings = std::move(check.findings);
  outcome.holds = outcome.findings.empty();
  return outcome;
}

constexpr Parameter kStoreCheckParameters[] = {
    {.name = "repair",
     .help = "remove what is damaged; machines that need it store it again",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kStoreCheck = {
    .name = "store check",
    .summary = "verify every file of the shared store",
    .description =
        R"(Reads every file of the store that `SIBYL_STORE` names and compares its bytes with its name. Exits
with 1 if a file is damaged, or a record names a file that is missing. Machines never use a damaged
file: they compare when they copy, and fetch or build it themselves.)",
    .parameters = kStoreCheckParameters,
    .effects = {.reads = true, .writes = true},
    .rules = evidence::StoreRules,
    .tool = {.is_refused = true},
    .run = RunStoreCheck,
    .render = RenderStoreCheck,
};

}  // namespace sibyl::engine
