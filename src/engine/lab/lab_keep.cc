// SPDX-License-Identifier: Apache-2.0
// Measurements that were made without an oracle at hand, such as on a cluster's node.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/lab/lab_json.h"
#include "engine/lab/lab_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "oracle/argument_file.h"
#include "oracle/lab_runs.h"

namespace sibyl::engine {
namespace {

// A run for each lab: in one run, measurements of two labs may have the same name.
std::vector<lab::Run> RunOfEachLab(lab::Run all) {
  std::vector<lab::Run> runs;
  for (std::size_t i = 0; i < all.measurements.size(); ++i) {
    lab::Measurement& measurement = all.measurements[i];
    auto run = std::find_if(runs.begin(), runs.end(), [&measurement](const lab::Run& known) {
      return known.measurements.front().lab == measurement.lab;
    });
    if (run == runs.end()) {
      runs.push_back({.command = "sibyl lab run " + measurement.lab, .time = all.time});
      run = runs.end() - 1;
    }
    run->lines.push_back(std::move(all.lines[i]));
    run->measurements.push_back(std::move(measurement));
  }
  return runs;
}

Result<std::vector<lab::Run>> RunsIn(std::string_view text, const Arguments& arguments) {
  const std::string_view first = text.substr(0, text.find('\n'));
  if (first.find("\"sibyl-lab\"") != std::string_view::npos) {  // a run that an oracle keeps
    if (arguments.Has("measured")) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = "the file says itself when it was measured",
                   .hint = "leave out --measured"};
    }
    lab::Run run = SIBYL_TRY(lab::ParseRun(text));
    return std::vector{std::move(run)};
  }
  lab::Run all{.time = std::string(arguments.Text("measured"))};
  SIBYL_TRY(lab::AddLines(text, all));
  if (!ParseDate(all.time)) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = all.time.empty()
                                ? "the lines do not say when they were measured"
                                : fmt::format("'{}' is not a day that exists", all.time),
                 .hint = "give the day: --measured 2026-11-15"};
  }
  return RunOfEachLab(std::move(all));
}

Result<Outcome> RunLabKeep(const oracle::Context& context, const Arguments& arguments) {
  const std::string_view name = arguments.Text("file");
  const std::string text =
      SIBYL_TRY(oracle::ReadInput(context, name, {.max_bytes = lab::kMaxRunBytes}));
  Result<std::vector<lab::Run>> runs = RunsIn(text, arguments);
  if (!runs.ok()) return While(fmt::format("keeping {}", name), std::move(runs).error());
  std::vector<oracle::RunFile> kept;
  for (lab::Run& run : *runs) {
    if (run.measurements.empty()) continue;
    oracle::KeptRun done = SIBYL_TRY(
        oracle::KeepRun(context, std::move(run), oracle::MeasuredWhere::kPossiblyElsewhere));
    std::string id = done.id;
    kept.push_back({.id = std::move(id), .kept = std::move(done)});
  }
  if (!kept.empty()) return Outcome{.data = {{"runs", RunsAsJson(kept)}}};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("keeping {}: no measurement in it", name),
               .hint = "a lab's output has one JSON object in each line; see docs/formats/lab.md"};
}

constexpr Parameter kLabKeepParameters[] = {
    {.name = "file",
     .value_name = "FILE",
     .help = "what labs printed, or a run that another oracle keeps; - is standard input",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true},
    {.name = "measured",
     .value_name = "DATE",
     .help = "the day of the measurement, as in 2026-11-15; a kept run has its own"},
};

}  // namespace

constexpr Operation kLabKeep = {
    .name = "lab keep",
    .summary = "keep what labs printed on another machine",
    .description =
        R"(Keeps measurements in the oracle that were made where the oracle is not, such as on a node of a
cluster: `lab_texture > h200.jsonl` there, `sibyl lab keep h200.jsonl --measured 2026-11-15` here.
Each lab becomes a run in `_labs/`, named by its content, which pages may cite. A file from the
`_labs/` of another oracle keeps its name.

The lines are kept as they were printed. Sibyl cannot know that they were measured: such a run is
listed and cited as not made on this machine.)",
    .parameters = kLabKeepParameters,
    .effects = {.reads = true, .writes = true, .changes_oracle = true},
    .run = RunLabKeep,
    .render = RenderLabResults,
};

}  // namespace sibyl::engine
