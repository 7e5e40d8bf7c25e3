// SPDX-License-Identifier: Apache-2.0
#include "launch/launch.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/one_line.h"
#include "base/process/git_command.h"
#include "base/process/subprocess.h"
#include "base/strings.h"
#include "base/terminal.h"
#include "engine/arguments.h"
#include "engine/expand_operations.h"
#include "engine/outcome.h"
#include "engine/runs/launch_request.h"
#include "engine/text/render.h"
#include "expansion/ledger/open_ledger.h"
#include "oracle/context.h"
#include "oracle/oracle.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;
using launch::Target;

constexpr std::int64_t kMostWorkers = 10'000;
constexpr std::int64_t kMostPartsAtOnce = 256;
constexpr std::size_t kShownDigits = 10;
// Longer than the grace of most sites, after which Slurm kills a job.
constexpr std::chrono::seconds kMostEnding{40};
constexpr std::chrono::milliseconds kBetweenLists{500};
constexpr std::string_view kTargets[] = {"slurm", "kubernetes", "ssh", "systemd"};

Error Refused(const launch::Step& step, const sibyl::Outcome& outcome) {
  std::string said(Trim(outcome.errors));
  if (said.empty()) said = Trim(outcome.output);
  return {.kind = ErrorKind::kUnavailable,
          .message = fmt::format("{}: {}", step.words.front(),
                                 said.empty() ? Describe(outcome) : Harmless(OneLine(said))),
          .hint = "see what would be run: sibyl launch … --dry-run"};
}

// Its output.
Result<std::string> RunStep(const launch::Step& step) {
  const Command command{.program = step.words.front(),
                        .arguments = {step.words.begin() + 1, step.words.end()},
                        .input = step.input};
  const Result<sibyl::Outcome> outcome = RunProgram(command);
  if (!outcome.ok()) return While("launching", outcome.error());
  if (!outcome->succeeded()) return Refused(step, *outcome);
  return outcome->output;
}

// Which workers run. Those that are ending may be queued again: waits until that is
// known, unless none shall run.
Result<launch::Listed> List(const oracle::Context& context, const launch::Request& request) {
  const std::optional<launch::Step> step = launch::ListStep(request);
  if (!step) return launch::Listed();
  const auto until = std::chrono::steady_clock::now() + kMostEnding;
  for (bool is_told = false;; is_told = true) {
    launch::Listed listed = launch::ReadList(request, SIBYL_TRY(RunStep(*step)));
    const bool is_known = listed.ending.empty() || request.workers.count == 0;
    if (is_known || std::chrono::steady_clock::now() > until) return listed;
    if (!is_told && context.progress) {
      context.progress("waiting for workers that are ending");
    }
    std::this_thread::sleep_for(kBetweenLists);
  }
}

// Workers that find no run end at once, unless they are to stay.
Result<std::vector<Finding>> FindNoRun(const oracle::Context& context,
                                       const launch::Workers& workers) {
  std::vector<Finding> findings;
  if (!workers.until_idle || workers.count == 0) return findings;
  const auto run = expansion::ReadOpenRun(context, workers.plan);
  if (!run.ok() && run.error().kind != ErrorKind::kNotFound) return run.error();
  if (run.ok() && *run) return findings;
  findings.push_back(
      {.severity = Severity::kNote,
       .code = "launch/no-run",
       .message =
           fmt::format("no run of {} is open; workers that find nothing to do end", workers.plan),
       .hint = fmt::format("begin it with: sibyl expand {}", workers.plan)});
  return findings;
}

// Pods clone what others can reach. What the remote has is known as of the last fetch or push.
Result<std::vector<Finding>> FindNotPushed(const launch::Request& request, const fs::path& oracle) {
  std::vector<Finding> findings;
  const auto commit = request.settings.find("commit");
  if (request.target != Target::kKubernetes || commit == request.settings.end()) return findings;
  const auto repository = SIBYL_TRY(FindGitRepository(oracle));
  if (!repository) return findings;
  const sibyl::Outcome known = SIBYL_TRY(RunProgram(
      GitCommand(*repository, repository->work_tree,
                 {"for-each-ref", "--count=1", "--contains=" + commit->second, "refs/remotes"})));
  // A commit that is not here may well be there.
  if (!known.succeeded() || !Trim(known.output).empty()) return findings;
  findings.push_back({.severity = Severity::kWarning,
                      .code = "launch/not-pushed",
                      .message = fmt::format("no branch of a remote has commit {}, which pods "
                                             "check out",
                                             commit->second.substr(0, kShownDigits)),
                      .hint = "push it before the pods start"});
  return findings;
}

// A cluster always has a host that is down: the others are served, and it is named.
Status RunSteps(const std::vector<launch::Step>& steps, Outcome& outcome) {
  Json output = Json::array();
  std::size_t missing = 0;
  for (const launch::Step& step : steps) {
    Result<std::string> said = RunStep(step);
    if (!said.ok() && step.host.empty()) return std::move(said).error();
    if (said.ok()) {
      output.push_back(*std::move(said));
      continue;
    }
    outcome.holds = false;
    missing += step.workers;
    outcome.findings.push_back({.severity = Severity::kError,
                                .code = "launch/host",
                                .message = fmt::format("{}: {}", step.host, said.error().message),
                                .hint = "the other hosts were served; repeat the command for it"});
  }
  outcome.data["output"] = std::move(output);
  outcome.data["workers"] = outcome.data["workers"].get<std::size_t>() - missing;
  return {};
}

Json StepsAsJson(const std::vector<launch::Step>& steps) {
  Json list = Json::array();
  for (const launch::Step& step : steps) {
    list.push_back({{"command", step.words}, {"input", step.input}});
  }
  return list;
}

Result<Outcome> RunLaunch(const oracle::Context& context, const Arguments& arguments) {
  const launch::Request request = SIBYL_TRY(ReadLaunchRequest(context, arguments));
  const bool is_dry = arguments.Has("dry-run");
  Outcome outcome{.data = {{"target", arguments.Text("target")},
                           {"name", request.workers.name},
                           {"plan", request.workers.plan},
                           {"workers", request.workers.count},
                           {"wanted", request.workers.count},
                           {"dry_run", is_dry},
                           {"logs", request.workers.logs}}};
  launch::Listed listed;
  const bool uses_network = request.target == Target::kKubernetes || request.target == Target::kSsh;
  if (!is_dry && uses_network && context.network == Network::kForbidden) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = "launching needs the network, which --offline or SIBYL_OFFLINE forbids"};
  }
  if (!is_dry) listed = SIBYL_TRY(List(context, request));
  const std::vector<launch::Step> steps = SIBYL_TRY(launch::StepsFor(request, listed));
  outcome.data["running_before"] = listed.running;
  outcome.data["steps"] = StepsAsJson(steps);
  outcome.data["script"] = launch::ShellScript(steps);
  const auto folder = SIBYL_TRY(oracle::RequireOracle(context));
  outcome.findings = SIBYL_TRY(FindNotPushed(request, folder));
  if (is_dry) return outcome;
  for (Finding& finding : SIBYL_TRY(FindNoRun(context, request.workers))) {
    outcome.findings.push_back(std::move(finding));
  }
  if (!request.workers.logs.empty() && request.target != Target::kKubernetes &&
      request.target != Target::kSsh) {
    std::error_code error;
    fs::create_directories(request.workers.logs, error);
    if (error) {
      return Error{.kind = ErrorKind::kUnavailable,
                   .message = fmt::format("making the folder of logs {}: {}", request.workers.logs,
                                          error.message())};
    }
  }
  SIBYL_TRY(RunSteps(steps, outcome));
  return outcome;
}

std::vector<Rule> LaunchRules() {
  return {{.code = "launch/host",
           .meaning = "a host could not be reached, or refused; the other hosts were served"},
          {.code = "launch/no-run",
           .meaning = "no run of the plan is open yet, so workers would find nothing to do"},
          {.code = "launch/not-pushed",
           .meaning = "pods check out a commit that no branch of a remote is known to have"}};
}

constexpr Parameter kLaunchParameters[] = {
    {.name = "target",
     .value_name = "TARGET",
     .help = "what starts the workers",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kChoice,
     .required = true,
     .choices = kTargets},
    {.name = "plan",
     .value_name = "PLAN",
     .help = "the plan whose parts they write",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true},
    {.name = "workers",
     .value_name = "N",
     .help = "how many shall run; more are started or some are stopped",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = kMostWorkers},
    {.name = "cancel", .help = "stop all of them", .kind = ParameterKind::kFlag},
    {.name = "jobs",
     .short_name = 'j',
     .value_name = "N",
     .help = "parts that each writes in parallel",
     .type = ValueType::kInteger,
     .default_text = "1",
     .minimum = 1,
     .maximum = kMostPartsAtOnce},
    {.name = "set",
     .value_name = "NAME=VALUE",
     .help = "a setting of the target, such as partition=short",
     .repeated = true},
    {.name = "name", .value_name = "NAME", .help = "the name of the group [from the plan]"},
    {.name = "logs",
     .value_name = "FOLDER",
     .help = "where the workers keep a log of each part [in your state folder]",
     .type = ValueType::kPath},
    {.name = "stay",
     .help = "workers wait for more work when nothing is left",
     .kind = ParameterKind::kFlag},
    {.name = "dry-run",
     .short_name = 'n',
     .help = "print what would be submitted; submit nothing",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kLaunch = {
    .name = "launch",
    .summary = "start workers with Slurm, Kubernetes, ssh or systemd",
    .description =
        R"(Starts `sibyl worker` for a plan on other machines, with what the site has: an array of Slurm
(`sbatch`), an indexed Job of Kubernetes (`kubectl`), plain hosts (`ssh`), or units of your systemd
(`systemd-run --user`). The workers share the ledger that `SIBYL_LEDGER` names; with systemd, the
journal suffices. `sibyl expand PLAN` begins the run and publishes it.

The number of workers is what shall run afterwards: repeat the command with another one to start more
or to stop some; `--cancel` stops all. A worker that is stopped or preempted puts its parts back, and
they are written by others; it is started again if its target does that. `--dry-run` prints what
would be submitted: the batch script, the manifest, or a shell script with the commands.

Settings of slurm: account, constraint, cpus, gres, mem, nice, partition, qos, time. Of kubernetes:
image and repository (needed), commit, path, namespace, ledger-secret, model-secret, git-secret,
store-claim, service-account, user, cpu, memory. Of ssh: hosts (needed), as HOST,HOST. Of systemd:
memory. Also `program`, and, except for kubernetes, `folder`: the oracle on those machines.
docs/launch.md describes each.

  sibyl launch slurm plans/cupti.md --workers 40 --set partition=short --dry-run
  sibyl launch ssh plans/cupti.md --workers 8 --set hosts=node1,node2
  sibyl launch ssh plans/cupti.md --cancel --set hosts=node1,node2)",
    .parameters = kLaunchParameters,
    .effects = {.reads = true,
                .writes = true,
                .changes_oracle = true,
                .network = NetworkUse::kAlways},
    .rules = LaunchRules,
    .tool = {.is_refused = true},
    .run = RunLaunch,
    .render = RenderLaunch,
};

}  // namespace sibyl::engine
