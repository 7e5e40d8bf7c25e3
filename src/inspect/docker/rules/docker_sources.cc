// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/rules/docker_rules.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// "git+https://github.com/NVIDIA/apex": without "@COMMIT" after the path.
bool IsUnpinned(std::string_view requirement) {
  const std::size_t at = requirement.find("git+");
  if (at == requirement.npos) return false;
  const std::string_view address = requirement.substr(at);
  const std::size_t host = address.find("://");
  const std::size_t path = host == address.npos ? host : address.find('/', host + 3);
  return path != address.npos && address.find('@', path) == address.npos && !Contains(address, "$");
}

bool ClonesNewest(const ShellCommand& command) {
  if (!HasPhrase(command, "git clone")) return false;
  return std::ranges::none_of(command, [](const std::string& word) {
    return word == "-b" || word.starts_with("--branch") || word.starts_with("--revision") ||
           Contains(word, "$");
  });
}

// "hf download ORG/MODEL" without --revision.
bool DownloadsNewestModel(const ShellCommand& command) {
  const bool downloads =
      HasPhrase(command, "huggingface-cli download") || HasPhrase(command, "hf download");
  return downloads && std::ranges::none_of(command, [](const std::string& word) {
           return word.starts_with("--revision");
         });
}

}  // namespace

void CheckSources(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  for (const DockerStage& stage : file.stages) {
    for (const DockerInstruction& run : stage.instructions) {
      if (run.keyword != "RUN") continue;
      const std::string script = ExecutedScript(run);
      if (!budget.Spend(2 * script.size())) return;
      const std::vector<ShellCommand> commands = CommandsOf(script);
      const bool chooses = std::ranges::any_of(commands, [](const ShellCommand& command) {
        return HasWord(command, "checkout") || HasWord(command, "reset") ||
               HasWord(command, "switch") || HasWord(command, "fetch");
      });
      std::string what;
      for (const ShellCommand& command : commands) {
        if (!chooses && ClonesNewest(command)) what = "git clone takes";
        if (DownloadsNewestModel(command)) what = "the model is";
        for (const std::string& package : PythonPackagesIn(command)) {
          if (IsUnpinned(package)) what = fmt::format("{} is", PackageName(package));
        }
      }
      if (what.empty()) continue;
      AddDockerFinding(
          artifact, run, Severity::kNote, "docker/unpinned-source",
          fmt::format("{} the newest commit: the next build may get another one", what))
          .hint = what.starts_with("git")   ? "name a tag or commit: git clone --branch TAG"
                  : what.starts_with("the") ? "pin it: --revision COMMIT"
                                            : "name a tag or commit after the address: @COMMIT";
    }
  }
}

}  // namespace sibyl::inspect
