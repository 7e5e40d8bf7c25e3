// SPDX-License-Identifier: Apache-2.0
// One function per target, and what they share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "launch/launch.h"

namespace sibyl::launch {

Step ListSlurm(const Workers& workers);
Listed ReadSlurmList(std::string_view output);
Result<std::vector<Step>> SlurmSteps(const Request& request, const Listed& listed);
Result<std::vector<Step>> KubernetesSteps(const Request& request);
Result<std::vector<Step>> SshSteps(const Request& request);
Result<std::vector<Step>> SystemdSteps(const Request& request,
                                       const std::vector<std::string>& running);

/// The command of every worker.
std::vector<std::string> WorkerCommand(const Workers& workers);
/// "export NAME='VALUE'" lines.
std::string ExportLines(const Workers& workers);
/// Lines of POSIX shell that run the worker until it ends, pass on SIGTERM, and
/// start it again after a crash. They set `status`, and `is_leaving` to yes if
/// it was told to stop. `start` is the command.
std::string WorkerLoop(std::string_view start);

/// The setting, or `otherwise`.
std::string SettingOr(const Settings& settings, std::string_view name, std::string_view otherwise);
/// "a,b" as words, without empty ones.
std::vector<std::string> SplitCommas(std::string_view text);
/// "sibyl-x-3": of worker 3.
std::string UnitName(const Workers& workers, std::size_t index);

}  // namespace sibyl::launch
