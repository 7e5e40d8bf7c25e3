// SPDX-License-Identifier: Apache-2.0
// An array of jobs. Slurm sends SIGTERM when it preempts or cancels a job, and
// SIGKILL after the grace of the site; the worker puts its parts back meanwhile.
// Before the time limit of a job it sends SIGUSR1, and the job is queued again.
#include <fmt/format.h>

#include <utility>

#include "launch/quote.h"
#include "launch/targets.h"

namespace sibyl::launch {
namespace {

// Before the end of the time limit, for the parts in hand.
constexpr int kSecondsBeforeLimit = 120;

std::string Directives(const Request& request, std::size_t count) {
  std::string text = fmt::format(
      "#SBATCH --job-name={}\n#SBATCH --array=0-{}\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n"
      "#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --signal=B:USR1@{}\n",
      request.workers.name, count - 1, kSecondsBeforeLimit);
  const std::string cpus =
      SettingOr(request.settings, "cpus", std::to_string(request.workers.jobs));
  text += fmt::format("#SBATCH --cpus-per-task={}\n", cpus);
  for (const std::string_view name :
       {"account", "constraint", "gres", "mem", "nice", "partition", "qos", "time"}) {
    const std::string value = SettingOr(request.settings, name, "");
    if (!value.empty()) text += fmt::format("#SBATCH --{}={}\n", name, value);
  }
  return text;
}

std::string Script(const Request& request, std::size_t count) {
  const Workers& workers = request.workers;
  return fmt::format(
      "#!/bin/sh\n{}"
      "{}"
      "cd {} || exit 2\n"
      "is_over_time=no\n"
      "{}"
      "if [ \"$is_over_time\" = yes ]; then\n"
      "  exec scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}\"\n"
      "fi\n"
      "exit \"$status\"\n",
      Directives(request, count), ExportLines(workers), ShellWord(workers.folder),
      "trap 'is_over_time=yes; stop' USR1\n" + WorkerLoop(ShellLine(WorkerCommand(workers))));
}

// Slurm replaces %A and %a in the names of logs; "%%" is a per cent sign.
std::string LogPattern(std::string_view folder) {
  std::string pattern;
  for (const char c : folder) pattern += c == '%' ? std::string("%%") : std::string(1, c);
  return pattern + "/%A_%a.log";
}

}  // namespace

Result<std::vector<Step>> SlurmSteps(const Request& request,
                                     const std::vector<std::string>& running) {
  const Workers& workers = request.workers;
  std::vector<Step> steps;
  if (workers.count > running.size()) {
    if (workers.logs.find('\\') != std::string::npos) {
      return Error{
          .kind = ErrorKind::kUsage,
          .message = fmt::format("--logs {}: Slurm does not accept a backslash", workers.logs)};
    }
    steps.push_back({.words = {"sbatch", "--parsable", "--chdir=" + workers.folder,
                               "--output=" + LogPattern(workers.logs)},
                     .input = Script(request, workers.count - running.size())});
  }
  if (workers.count < running.size()) {
    Step cancel{.words = {"scancel"}};
    for (std::size_t i = workers.count; i < running.size(); ++i) {
      SIBYL_TRY(CheckWord("squeue", running[i], "_"));
      cancel.words.push_back(running[i]);
    }
    steps.push_back(std::move(cancel));
  }
  return steps;
}

}  // namespace sibyl::launch
