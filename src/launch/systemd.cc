// SPDX-License-Identifier: Apache-2.0
// Transient units of the user's systemd.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "launch/quote.h"
#include "launch/targets.h"

namespace sibyl::launch {
namespace {

Step Start(const Request& request, std::size_t index) {
  const Workers& workers = request.workers;
  Step step{.words = {"systemd-run", "--user", "--collect",
                      fmt::format("--unit={}.service", UnitName(workers, index)),
                      "--working-directory=" + workers.folder, "--property=KillMode=mixed",
                      "--property=TimeoutStopSec=60", "--property=Restart=on-abnormal",
                      "--property=RestartForceExitStatus=75", "--property=RestartSec=2"}};
  if (const std::string memory = SettingOr(request.settings, "memory", ""); !memory.empty()) {
    step.words.push_back("--property=MemoryMax=" + memory);
  }
  for (const auto& [name, value] : workers.environment) {
    step.words.push_back(fmt::format("--setenv={}={}", name, value));
  }
  step.words.emplace_back("--");
  for (const std::string& word : WorkerCommand(workers)) {
    step.words.push_back(WithDoubledDollars(word));
  }
  return step;
}

}  // namespace

Result<std::vector<Step>> SystemdSteps(const Request& request,
                                       const std::vector<std::string>& running) {
  const Workers& workers = request.workers;
  std::vector<Step> steps;
  Step stop{.words = {"systemctl", "--user", "stop"}};
  const std::size_t options = stop.words.size();
  for (const std::string& index : running) {
    const bool is_wanted =
        index.size() < 6 && static_cast<std::size_t>(std::stoul(index)) < workers.count;
    if (!is_wanted) stop.words.push_back(fmt::format("{}-{}.service", workers.name, index));
  }
  if (stop.words.size() > options) steps.push_back(std::move(stop));
  for (std::size_t index = 0; index < workers.count; ++index) {
    const bool is_running =
        std::find(running.begin(), running.end(), std::to_string(index)) != running.end();
    if (!is_running) steps.push_back(Start(request, index));
  }
  return steps;
}

}  // namespace sibyl::launch
