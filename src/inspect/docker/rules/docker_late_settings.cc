// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/strings.h"
#include "base/whole_word.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/rules/docker_rules.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// Variables that only builds of extensions read. Lists of architectures are docker/arch-unset.
constexpr std::array<std::string_view, 8> kOfBuilds = {
    "FORCE_CUDA",       "MMCV_WITH_OPS",     "FLASH_ATTENTION_FORCE_BUILD",
    "TORCH_NVCC_FLAGS", "NVCC_APPEND_FLAGS", "TCNN_CUDA_ARCHITECTURES",
    "BUILD_CUDA_EXT",   "CMAKE_ARGS"};

class LateSettings {
 public:
  LateSettings(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      for (const DockerInstruction& env : file_.stages[i].instructions) {
        if (env.keyword != "ENV" || env.is_trigger) continue;
        for (const std::string_view name : kOfBuilds) {
          if (FindWholeWord(env.arguments, name)) CheckVariable(i, env, name);
          if (budget_.is_spent()) return;
        }
      }
    }
  }

 private:
  void CheckVariable(std::size_t number, const DockerInstruction& env, std::string_view name) {
    const DockerStage& stage = file_.stages[number];
    const DockerInstruction* needs = nullptr;
    for (const DockerInstruction& at : stage.instructions) {
      if (at.keyword == "FROM") continue;
      const std::string script = ExecutedScript(at);
      if (!budget_.Spend(2 * script.size())) return;
      if (at.line < env.line && FindWholeWord(script, name)) return;  // set already
      const bool builds =
          at.keyword == "RUN" && std::ranges::any_of(CommandsOf(script), CompilesCuda);
      if (builds && at.line > env.line) return;  // for this one
      if (builds && needs == nullptr) needs = &at;
    }
    if (needs == nullptr) return;
    const bool is_base = std::ranges::any_of(
        file_.stages, [&](const DockerStage& other) { return other.base_stage == number; });
    if (is_base) return;
    AddDockerFinding(
        artifact_, env, Severity::kWarning, "docker/set-too-late",
        fmt::format("{} is for builds of extensions, and the one in line {} is done before it is "
                    "set",
                    name, needs->line));
    if (env.lines.size() == 1) {
      CorrectDockerLine(artifact_, *needs, {env.text, needs->text});
    } else {
      artifact_.findings.back().hint = fmt::format("set it above line {}", needs->line);
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

}  // namespace

void CheckLateSettings(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  LateSettings(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
