// SPDX-License-Identifier: Apache-2.0
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/plan/plan_findings.h"
#include "engine/plan/plan_json.h"
#include "engine/plan/plan_operations.h"
#include "engine/text/render.h"
#include "oracle/context.h"
#include "oracle/plan_file.h"
#include "plan/plan.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunPlanShow(const oracle::Context& context, const Arguments& arguments) {
  const oracle::PlanFile file = SIBYL_TRY(oracle::ReadPlan(context, arguments.Text("plan")));
  const plan::LoadedPlan loaded = plan::Parse(file.name, file.text);
  Outcome outcome{.data = PlanAsJson(loaded.plan), .findings = FindMistakes(context, file, loaded)};
  outcome.data["file"] = file.name;
  return outcome;
}

constexpr Parameter kPlanShowParameters[] = {
    {.name = "plan",
     .value_name = "PLAN",
     .help = "the plan, or a folder with an ingestion.md",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true},
    {.name = "verbose",
     .short_name = 'v',
     .help = "also show steps, queries, sections and points; text output only",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kPlanShow = {
    .name = "plan show",
    .summary = "show how a plan is understood, part by part",
    .description =
        R"(Reads a Markdown expansion plan and shows how it was understood: its parts with their status, target
file, line budget, sections, points and queries. Several dialects of plans are supported; a line
that fits none of them is kept and reported. `sibyl plan new` writes a commented example.

A part is open, done, failed, disabled (under a DISABLED heading) or tbd. `lines` is the budget in
the plan; `sec/pts` counts sections and their points.

With `--json`, prints everything that was found, each item with its line: `title`, `topic`, `date`,
`parts[]` (`number`, `title`, `status`, `target`, `line_budget`, `steps[]`, `queries[]`, `urls[]`,
`repositories[]`, `reads[]`, `sections[]`, `drop`, `line`), `criteria[]` and `findings[]`:

  sibyl plan show --json plans/cuda.md | jq '.parts[].target')",
    .parameters = kPlanShowParameters,
    .effects = {.reads = true},
    .tool = {.name = "plan_show", .is_read_only = true, .is_idempotent = true},
    .run = RunPlanShow,
    .render = RenderPlanShow,
};

}  // namespace sibyl::engine
