// SPDX-License-Identifier: Apache-2.0
#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/lab/lab_json.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "lab/plot.h"
#include "oracle/lab_runs.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunLabResults(const oracle::Context& context, const Arguments& arguments) {
  if (!arguments.Has("run"))
    return Outcome{.data = {{"runs", RunsAsJson(oracle::KeptRuns(context))}}};
  const oracle::KeptRun kept = SIBYL_TRY(oracle::ReadKeptRun(context, arguments.Text("run")));
  Outcome outcome{.data = RunAsJson(kept)};
  if (arguments.Has("plot")) {
    const std::string metric(arguments.Text("metric"));
    outcome.data["svg"] = lab::PlotRun(kept.run, {.metric = metric});
  }
  return outcome;
}

constexpr Parameter kAgentResultsParameters[] = {
    {.name = "run",
     .value_name = "RUN",
     .help = "the id of a kept run, or the start of it [all are listed]",
     .kind = ParameterKind::kPositional},
    {.name = "plot", .help = "with --json, draw the run as SVG too", .kind = ParameterKind::kFlag},
    {.name = "metric",
     .value_name = "VARIANT/PARAMS/METRIC",
     .help = "with --plot, draw only the case of this measurement, as citations name it"},
};

}  // namespace

constexpr Operation kLabResults = {
    .name = "lab results",
    .summary = "show what labs have measured, with citations",
    .description =
        R"(Lists the runs that the oracle keeps, or shows the measurements of one, each with its citation.
Nothing is run, and no lab program is needed.)",
    .parameters = kAgentResultsParameters,
    .effects = {.reads = true},
    .tool = {.name = "lab_results", .is_read_only = true, .is_idempotent = true},
    .run = RunLabResults,
    .render = RenderLabResults,
};

}  // namespace sibyl::engine
