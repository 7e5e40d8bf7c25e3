// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/store/store_operations.h"
#include "engine/text/render.h"
#include "evidence/shared/shared_store.h"
#include "oracle/context.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunStoreInit(const oracle::Context& context, const Arguments& arguments) {
  const std::filesystem::path folder =
      (context.working_folder / arguments.Text("folder")).lexically_normal();
  SIBYL_TRY(evidence::SharedStore::Init(folder));
  return Outcome{.data = {{"store", folder.string()}}};
}

constexpr Parameter kStoreInitParameters[] = {
    {.name = "folder",
     .value_name = "DIR",
     .help = "an empty or new folder that all machines can write",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true},
};

}  // namespace

constexpr Operation kStoreInit = {
    .name = "store init",
    .summary = "make a store that several machines share",
    .description =
        R"(Makes a folder (on NFS, Lustre, a persistent volume) a store for the bytes of pinned sources and
for their indexes. Set `SIBYL_STORE` to its path on every machine: what one machine has fetched or
indexed, the others copy from there into their own cache and verify.

Only people whom you trust with your sources should be able to write to the folder.)",
    .parameters = kStoreInitParameters,
    .effects = {.writes = true},
    .tool = {.is_refused = true},
    .run = RunStoreInit,
    .render = RenderStoreInit,
};

}  // namespace sibyl::engine
