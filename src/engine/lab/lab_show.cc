// SPDX-License-Identifier: Apache-2.0
#include "engine/arguments.h"
#include "engine/lab/lab_json.h"
#include "engine/lab/lab_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "lab/plot.h"
#include "oracle/argument_file.h"
#include "oracle/lab_runs.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunLabShow(const oracle::Context& context, const Arguments& arguments) {
  const oracle::KeptRun kept = SIBYL_TRY(oracle::ReadKeptRun(context, arguments.Text("run")));
  if (arguments.Has("svg")) {
    const oracle::ArgumentFile drawing =
        SIBYL_TRY(oracle::ArgumentFile::ToWrite(context, arguments.Text("svg")));
    SIBYL_TRY(drawing.Write(lab::PlotRun(kept.run)));
  }
  return Outcome{.data = RunAsJson(kept)};
}

constexpr Parameter kLabShowParameters[] = {
    {.name = "run",
     .value_name = "RUN",
     .help = "the id of a kept run, the start of it, or a file",
     .kind = ParameterKind::kPositional,
     .required = true},
    {.name = "svg", .value_name = "FILE", .help = "draw the run as SVG", .type = ValueType::kPath},
};

}  // namespace

constexpr Operation kLabShow = {
    .name = "lab show",
    .summary = "show a run again, or draw it",
    .description =
        R"(Shows a kept run, with bars against the floor; with `--svg`, draws it. Needs no GPU.)",
    .parameters = kLabShowParameters,
    .effects = {.reads = true, .writes = true},
    .run = RunLabShow,
    .render = RenderLabRun,
};

}  // namespace sibyl::engine
