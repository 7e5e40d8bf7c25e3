// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/lab/lab_json.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "lab/plot.h"
#include "oracle/lab_programs.h"
#include "oracle/lab_runs.h"

namespace sibyl::engine {
namespace {

// What the labs of these runs measure, by their names, as far as they are installed.
Json QuestionsOf(const Json& runs) {
  Json questions = Json::object();
  const Result<oracle::Labs> installed = oracle::FindLabs();
  if (!installed.ok() || !installed->sources) return questions;
  for (const Json& run : runs) {
    if (!run.contains("labs")) continue;
    for (const lab::SourceLab& lab : installed->sources->labs) {
      const bool is_of_run =
          std::find(run["labs"].begin(), run["labs"].end(), Json(lab.name)) != run["labs"].end();
      if (is_of_run && !lab.question.empty()) questions[lab.name] = lab.question;
    }
  }
  return questions;
}

Result<Outcome> RunLabResults(const oracle::Context& context, const Arguments& arguments) {
  if (!arguments.Has("run")) {
    Json runs = RunsAsJson(oracle::KeptRuns(context));
    Json questions = QuestionsOf(runs);
    return Outcome{.data = {{"runs", std::move(runs)}, {"questions", std::move(questions)}}};
  }
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
