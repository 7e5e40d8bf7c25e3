// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "base/process/subprocess.h"
#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/lab/lab_conditions.h"
#include "engine/lab/lab_json.h"
#include "engine/lab/lab_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "inspect/machine/diagnosis.h"
#include "lab/plot.h"
#include "oracle/argument_file.h"
#include "oracle/lab_programs.h"
#include "oracle/lab_runs.h"

namespace sibyl::engine {
namespace {

std::vector<std::string> LabArguments(const Arguments& arguments) {
  std::vector<std::string> passed;
  for (const char* flag : {"quick", "check"}) {
    if (arguments.Has(flag)) passed.push_back("--" + std::string(flag));
  }
  for (const char* option : {"variant", "seed"}) {
    if (!arguments.Has(option)) continue;
    passed.push_back("--" + std::string(option));
    passed.emplace_back(arguments.Text(option));
  }
  return passed;
}

constexpr std::size_t kLongestScript = std::size_t{16} << 20;

// PyTorch's own implementation, in the same run.
Status AddAnchors(const oracle::Context& context, const Arguments& arguments, lab::Run& run) {
  const oracle::ArgumentFile script =
      SIBYL_TRY(oracle::ArgumentFile::Find(context, arguments.Text("anchors")));
  // Python would wait for a named pipe.
  SIBYL_TRY(script.Read({.max_bytes = kLongestScript}));
  const std::filesystem::path path = SIBYL_TRY(script.CheckedPath());
  std::vector<std::string> words = {path.string()};
  for (const std::string& name : arguments.All("name")) words.push_back(name);
  if (context.progress) context.progress("measuring PyTorch");
  const auto outcome = SIBYL_TRY(RunProgram({.program = "python3",
                                             .arguments = words,
                                             .folder = context.working_folder,
                                             .limits = {.time = std::chrono::minutes(20)}}));
  if (outcome.succeeded()) return lab::AddLines(outcome.output, run);
  const std::vector<std::string_view> lines = SplitLines(Trim(outcome.errors));
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("measuring PyTorch: {}{}", Describe(outcome),
                                      lines.empty() ? "" : ": " + std::string(lines.back()))};
}

bool IsBuilt(const oracle::Labs& labs, std::string_view name) {
  return std::ranges::find(labs.programs, name, &lab::Program::name) != labs.programs.end();
}

bool IsBuiltFromSources(const oracle::Labs& labs, std::string_view name) {
  if (!labs.sources) return false;
  return std::ranges::any_of(labs.sources->labs, [name](const lab::SourceLab& lab) {
    return lab.name == name && lab.script.empty();
  });
}

// Before a minute of building: labs that are built say it themselves.
Status CheckGpu(const oracle::Labs& labs, const std::vector<std::string>& names) {
  const bool builds = std::ranges::any_of(names, [&](const std::string& name) {
    return !IsBuilt(labs, name) && IsBuiltFromSources(labs, name);
  });
  if (!builds) return {};
  const std::optional<Finding> why =
      inspect::WhyNoGpu(inspect::InspectMachine(inspect::ThisMachine()));
  if (!why) return {};
  const std::string build_only = "--build-only builds the lab without running it";
  const bool has_none = why->code == "machine/no-gpu";
  return Error{
      .kind = ErrorKind::kUnavailable,
      .message = has_none ? "labs measure on a GPU, and this machine has no NVIDIA GPU or driver"
                          : "labs measure on a GPU: " + why->message,
      .hint = why->hint.empty() ? "run it on a machine with one; " + build_only
                                : fmt::format("{}; {}", why->hint, build_only)};
}

Outcome BuiltLabs(const std::vector<lab::Program>& programs) {
  Json built = Json::array();
  for (const lab::Program& program : programs) {
    built.push_back({{"lab", program.name}, {"path", program.path.string()}});
  }
  return Outcome{.data = {{"built", std::move(built)}}};
}

Result<Outcome> RunLabRun(const oracle::Context& context, const Arguments& arguments) {
  const oracle::Labs labs = SIBYL_TRY(oracle::FindLabs());
  const bool is_run = !arguments.Has("build-only");
  if (is_run) SIBYL_TRY(CheckGpu(labs, arguments.All("name")));
  const std::vector<std::string> passed = LabArguments(arguments);
  lab::Run run{.command = "sibyl lab run " + Join(arguments.All("name"), " "),
               .time = FormatDateTime(context.clock.WrittenNow())};
  for (const std::string& word : passed) run.command += ' ' + word;
  std::vector<lab::Program> chosen;
  for (const std::string& name : arguments.All("name")) {
    chosen.push_back(SIBYL_TRY(oracle::OpenLab(context, labs, name)));
  }
  if (!is_run) return BuiltLabs(chosen);
  bool had_failures = false;
  std::vector<std::string> stopped;
  const std::stop_token stop =
      context.catch_interrupt ? context.catch_interrupt() : std::stop_token();
  for (const lab::Program& program : chosen) {
    if (context.progress) context.progress("measuring " + program.name);
    const lab::LabOutput output = SIBYL_TRY(lab::RunLab(
        program, {.arguments = passed,
                  .time = std::chrono::minutes(arguments.Integer("max-minutes").value_or(10)),
                  .stop = stop}));
    SIBYL_TRY(lab::AddLines(output.lines, run));
    had_failures = had_failures || output.had_failures;
    if (output.ran_out_of_time) stopped.push_back(program.name);
  }
  if (arguments.Has("anchors")) SIBYL_TRY(AddAnchors(context, arguments, run));
  oracle::KeptRun kept{.run = std::move(run)};
  const bool is_wanted =
      context.oracle && !arguments.Has("forget") && !kept.run.measurements.empty();
  std::vector<Finding> unfit = JudgeConditions(kept.run, arguments, is_wanted);
  const bool is_refused = is_wanted && !unfit.empty();
  if (!stopped.empty()) unfit.push_back(StoppedFinding(stopped));
  if (is_wanted && !is_refused) {
    kept = SIBYL_TRY(oracle::KeepRun(context, std::move(kept.run), oracle::MeasuredWhere::kHere));
  }
  if (arguments.Has("svg")) {
    const oracle::ArgumentFile drawing =
        SIBYL_TRY(oracle::ArgumentFile::ToWrite(context, arguments.Text("svg")));
    SIBYL_TRY(drawing.Write(lab::PlotRun(kept.run)));
  }
  return Outcome{.data = RunAsJson(kept),
                 .findings = std::move(unfit),
                 .holds = !had_failures && !is_refused && stopped.empty()};
}

constexpr Parameter kLabRunParameters[] = {
    {.name = "name",
     .value_name = "LAB",
     .help = "the lab to run",
     .kind = ParameterKind::kPositional,
     .required = true,
     .repeated = true},
    {.name = "quick", .help = "run small cases only", .kind = ParameterKind::kFlag},
    {.name = "check",
     .help = "compare with float64 only; measure no times",
     .kind = ParameterKind::kFlag},
    {.name = "variant", .value_name = "NAME", .help = "run only this variant"},
    {.name = "seed",
     .value_name = "N",
     .help = "the seed of an earlier run, to repeat its random inputs"},
    {.name = "anchors",
     .value_name = "SCRIPT",
     .help = "also measure PyTorch with this script: labs/torch_anchor.py",
     .type = ValueType::kPath},
    {.name = "svg", .value_name = "FILE", .help = "draw the run as SVG", .type = ValueType::kPath},
    {.name = "max-minutes",
     .value_name = "N",
     .help = "stop a lab after this many minutes",
     .type = ValueType::kInteger,
     .default_text = "10",
     .minimum = 1,
     .maximum = 10'000},
    {.name = "accept-throttled",
     .help = "keep the run although the GPU reduced its clocks",
     .kind = ParameterKind::kFlag},
    {.name = "max-noise",
     .value_name = "PERCENT",
     .help = "do not keep a run with a noisier measurement",
     .type = ValueType::kInteger,
     .default_text = "5",
     .minimum = 0,
     .maximum = 100},
    {.name = "forget", .help = "do not keep the run", .kind = ParameterKind::kFlag},
    {.name = "build-only",
     .help = "build the labs and do not run them: needs nvcc, but no GPU",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kLabRun = {
    .name = "lab run",
    .summary = "measure on this machine's GPU",
    .description =
        R"(Runs labs one after the other. Every variant is checked on fresh random inputs against float64
before it is timed. Beside each time it shows the distance from the floor, the best that the
hardware allows. In an oracle the run is kept in `_labs/`, named by its content, and each
measurement has a citation: a page may say "1.1x the floor on an H200", and `sibyl verify` checks
that against the run.

The sources of the labs are installed with sibyl. The first run of a lab builds it with CMake and
nvcc (CUDA 12.4 or newer) in the user's cache; later runs use that program, until sibyl or the
toolkit changes. Labs about PyTorch are Python programs and run with the `python3` in PATH. Without a GPU or its driver nothing is built, unless `--build-only` is given. Labs
that you built yourself are found through `SIBYL_LABS`.

A run is shown but not kept if the GPU reduced its clocks (power limit, heat) or if a measurement is
noisier than 5 %: such figures would be cited as the machine's. `--accept-throttled` and
`--max-noise` allow it, for work that reaches the power limit by itself, as large matrix products do;
the reduced clocks stay in the run and in its citations.

A lab that runs out of time (`--max-minutes`) is stopped; what it has measured until then is kept.

Exit status 1 means that some variant gave a wrong answer, that a lab was stopped or that the run was
not kept; 2 means that there is no GPU, with the reason.

  sibyl lab run texture topk
  sibyl lab run texture --anchors labs/torch_anchor.py --svg texture.svg)",
    .parameters = kLabRunParameters,
    .effects = {.reads = true, .writes = true, .changes_oracle = true},
    .rules = ConditionRules,
    .run = RunLabRun,
    .render = RenderLabRun,
};

}  // namespace sibyl::engine
