// SPDX-License-Identifier: Apache-2.0
// An array of jobs. Slurm sends SIGTERM when it preempts or cancels a job, and
// SIGKILL after the grace of the site; the worker puts its parts back meanwhile.
// Before the time limit of a job it sends SIGUSR1, and the job is queued again.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "launch/quote.h"
#include "launch/targets.h"

namespace sibyl::launch {
namespace {

// Before the end of the time limit, for the parts in hand.
constexpr int kSecondsBeforeLimit = 120;
// Slurm's default MaxArraySize is 1001.
constexpr std::size_t kMostOfArray = 1000;

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

// Pending, running, suspended and completing jobs, whatever SQUEUE_STATES says; an array
// as one line for each of its tasks.
Step ListSlurm(const Workers& workers) {
  return {.words = {"squeue", "--me", "--noheader", "--array",
                    "--states=PENDING,RUNNING,SUSPENDED,COMPLETING", "--format=%i %T",
                    "--name=" + workers.name}};
}

Listed ReadSlurmList(std::string_view output) {
  Listed listed;
  std::vector<std::string> waiting;
  for (std::string_view line : SplitLines(output)) {
    line = Trim(line);
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view state = Trim(line.substr(end));
    if (end == 0) continue;
    std::vector<std::string>& those = state == "COMPLETING" ? listed.ending
                                      : state == "PENDING"  ? waiting
                                                            : listed.running;
    those.emplace_back(line.substr(0, end));
  }
  listed.running.insert(listed.running.end(), waiting.begin(), waiting.end());
  return listed;
}

Result<std::vector<Step>> SlurmSteps(const Request& request, const Listed& listed) {
  const Workers& workers = request.workers;
  const std::size_t running = listed.running.size();
  std::vector<Step> steps;
  if (workers.count > running && workers.logs.find('\\') != std::string::npos) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("--logs {}: Slurm does not accept a backslash", workers.logs)};
  }
  for (std::size_t left = workers.count - std::min(workers.count, running); left > 0;) {
    const std::size_t size = std::min(left, kMostOfArray);
    steps.push_back({.words = {"sbatch", "--parsable", "--chdir=" + workers.folder,
                               "--output=" + LogPattern(workers.logs)},
                     .input = Script(request, size)});
    left -= size;
  }
  Step cancel{.words = {"scancel"}};
  const auto stop = [&cancel](const std::string& id) -> Status {
    SIBYL_TRY(CheckWord("squeue", id, "_"));
    cancel.words.push_back(id);
    return {};
  };
  for (std::size_t i = workers.count; i < running; ++i) SIBYL_TRY(stop(listed.running[i]));
  if (workers.count == 0) {
    for (const std::string& id : listed.ending) SIBYL_TRY(stop(id));
  }
  if (cancel.words.size() > 1) steps.push_back(std::move(cancel));
  return steps;
}

}  // namespace sibyl::launch
