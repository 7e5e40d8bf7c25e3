// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "field/field.h"
#include "inspect/docker/cuda/docker_torch_wheel.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/rules/docker_rules.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

bool HasRelease(const field::WheelIndex& index, std::string_view version) {
  return field::CompareVersions(version, index.first) >= 0 &&
         (index.last.empty() || field::CompareVersions(version, index.last) <= 0);
}

// The newest one before `wanted` that has the release; any of them without a version.
const field::WheelIndex* NearestIndex(std::string_view wanted, std::string_view version) {
  const field::WheelIndex* nearest = nullptr;
  for (const field::WheelIndex& index : field::WheelIndexes()) {
    if (!version.empty() && !HasRelease(index, version)) continue;
    if (nearest == nullptr || index.name <= wanted) nearest = &index;
  }
  return nearest;
}

void CheckCommand(const DockerInstruction& run, const ShellCommand& command, Artifact& artifact) {
  const std::string name = WheelIndexIn(command);
  const auto all = field::WheelIndexes();
  if (name.empty() || all.empty() || name < all.front().name || name > all.back().name) return;
  const std::string version = TorchVersionIn(command);
  const auto index = std::ranges::find(all, name, &field::WheelIndex::name);
  if (index != all.end() && (version.empty() || HasRelease(*index, version))) return;
  const bool exists = index != all.end();
  const bool is_sure = !exists || index->receipts.is_confirmed;
  AddDockerFinding(
      artifact, run, is_sure ? Severity::kError : Severity::kWarning, "docker/wheel-index",
      exists ? fmt::format(
                   "{} has no torch {}: it has {} {}", name, version,
                   field::CompareVersions(version, index->first) < 0 ? "the releases from"
                                                                     : "those up to",
                   field::CompareVersions(version, index->first) < 0 ? index->first : index->last)
             : fmt::format("download.pytorch.org has no index {}: the build fails", name));
  const field::WheelIndex* nearest = NearestIndex(name, version);
  if (nearest == nullptr ||
      !CorrectDockerText(artifact, run, "/whl/" + name, fmt::format("/whl/{}", nearest->name))) {
    artifact.findings.back().hint = "pytorch.org/get-started/previous-versions lists the indexes";
  }
}

}  // namespace

void CheckWheelIndexes(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  for (const DockerStage& stage : file.stages) {
    for (const DockerInstruction& run : stage.instructions) {
      if (run.keyword != "RUN") continue;
      const std::string script = ExecutedScript(run);
      if (!budget.Spend(2 * script.size())) return;
      for (const ShellCommand& command : CommandsOf(script)) CheckCommand(run, command, artifact);
    }
  }
}

}  // namespace sibyl::inspect
