// SPDX-License-Identifier: Apache-2.0
#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "oracle/context.h"
#include "oracle/oracle.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunSourceRemove(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  Outcome outcome{.data = {{"removed", Json::array()}}};
  for (const std::string& name : arguments.All("name")) {
    SIBYL_TRY(evidence::ForgetSource(name, around));
    outcome.data["removed"].push_back(name);
  }
  return outcome;
}

constexpr Parameter kSourceRemoveParameters[] = {
    {.name = "name",
     .value_name = "NAME",
     .help = "the source to remove",
     .kind = ParameterKind::kPositional,
     .required = true,
     .repeated = true},
};

}  // namespace

constexpr Operation kSourceRemove = {
    .name = "source remove",
    .summary = "remove a source",
    .description =
        R"(Removes sources from `sibyl.toml` and `sibyl.lock`; comments are kept. Their bytes stay in the
object store, because other oracles may use them and old citations must still resolve.)",
    .parameters = kSourceRemoveParameters,
    .effects = {.reads = true, .writes = true, .changes_oracle = true},
    .run = RunSourceRemove,
    .render = RenderSourceRemove,
};

}  // namespace sibyl::engine
