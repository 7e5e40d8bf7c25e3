// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/rules/docker_rules.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// "cu128" of "https://download.pytorch.org/whl/cu128"; empty for nightly builds, whose releases
// come and go.
std::string IndexIn(const ShellCommand& command) {
  constexpr std::string_view kAddress = "download.pytorch.org/whl/cu";
  for (const std::string& word : command) {
    const std::size_t at = word.find(kAddress);
    if (at == word.npos) continue;
    const std::string_view digits = std::string_view(word).substr(at + kAddress.size());
    const std::size_t end = std::min(digits.find('/'), digits.size());
    const bool is_number =
        end == 3 && std::ranges::all_of(digits.substr(0, end), [](char c) { return IsDigit(c); });
    if (is_number) return fmt::format("cu{}", digits.substr(0, end));
  }
  return {};
}

// "2.9.0" of "torch==2.9.0"; empty without a full version.
std::string TorchVersion(const ShellCommand& command) {
  constexpr std::string_view kTorch = "torch==";
  for (const std::string& package : PythonPackagesIn(command)) {
    if (!package.starts_with(kTorch)) continue;
    std::string version = package.substr(kTorch.size());
    version = version.substr(0, version.find('+'));
    const bool is_full = std::ranges::count(version, '.') == 2 &&
                         version.find_first_not_of("0123456789.") == version.npos;
    return is_full ? version : std::string();
  }
  return {};
}

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
  const std::string name = IndexIn(command);
  const auto all = field::WheelIndexes();
  if (name.empty() || all.empty() || name < all.front().name || name > all.back().name) return;
  const std::string version = TorchVersion(command);
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
