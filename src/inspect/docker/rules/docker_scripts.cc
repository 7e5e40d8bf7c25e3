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

// "-e", "-ex", "-o errexit" in a SHELL, a set or the first line of a script.
bool StopsAtErrors(std::string_view text) {
  if (Contains(text, "errexit")) return true;
  for (const std::string& word : ShellWords(text)) {
    const std::string option = word.substr(0, word.find_last_not_of("\",]") + 1);
    if (option.size() > 1 && option[0] == '-' && option[1] != '-' && Contains(option, "e") &&
        option.size() < 8) {
      return true;
    }
  }
  return false;
}

class Scripts {
 public:
  Scripts(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (const DockerStage& stage : file_.stages) {
      std::string shell;
      for (const DockerInstruction& at : stage.instructions) {
        const std::string script = ExecutedScript(at);
        if (!budget_.Spend(2 * script.size())) return;
        if (at.keyword == "SHELL") shell = at.arguments;
        if (at.keyword != "RUN") continue;
        CheckHere(at, shell);
        CheckActivate(at, script, shell);
      }
    }
  }

 private:
  // A here-document is one script, and its exit status is that of its last command.
  void CheckHere(const DockerInstruction& run, std::string_view shell) {
    const bool is_script = Trim(run.arguments).starts_with("<<") && run.here.size() == 1 &&
                           !Contains(run.arguments, " ");
    if (!is_script || run.here_lines.empty() || StopsAtErrors(shell)) return;
    const std::string& body = run.here[0];
    if (Contains(body, "errexit")) return;
    std::size_t commands = 0;
    for (const ShellCommand& command : CommandsOf(body)) {
      if (ProgramOf(command) == "set" && StopsAtErrors(Join(command, " "))) return;
      if (!command.empty()) ++commands;
    }
    const std::string& first = run.here_lines[0].text;
    if (first.starts_with("#!") && (StopsAtErrors(first) || !Contains(first, "sh"))) return;
    // With && between them, the first that fails is the last that runs.
    const bool is_chain = std::ranges::count(body, '\n') == 1 || !Contains(Trim(body), "\n");
    if (commands < 2 || is_chain) return;
    AddDockerFinding(artifact_, run, Severity::kWarning, "docker/script-errors",
                     "without 'set -e', a command of the here-document that fails goes unnoticed: "
                     "only the exit status of the last one counts");
    const bool has_shebang = first.starts_with("#!");
    CorrectDockerLine(artifact_, {.line = run.here_lines[0].number},
                      has_shebang ? std::vector<std::string>{first, "set -e"}
                                  : std::vector<std::string>{"set -e", first});
  }

  void CheckActivate(const DockerInstruction& run, std::string_view script,
                     std::string_view shell) {
    const bool is_prepared = Contains(script, "conda.sh") || Contains(script, "hook") ||
                             Contains(script, "source activate") || Contains(script, ".bashrc") ||
                             Contains(shell, "conda") || Contains(shell, "-l") ||
                             Contains(shell, "--login") || Contains(shell, "-i");
    if (is_prepared) return;
    for (const ShellCommand& command : CommandsOf(script)) {
      if (!HasPhrase(command, "conda activate") || ProgramOf(command) != "conda") continue;
      AddDockerFinding(artifact_, run, Severity::kError, "docker/conda-activate",
                       "conda activate needs a shell that conda init has prepared: it fails in a "
                       "RUN, and would end with it")
          .hint = fmt::format(
          "use 'conda run -n {0}', or put its folder first: ENV "
          "PATH=/opt/conda/envs/{0}/bin:$PATH",
          command.back());
      return;
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

}  // namespace

void CheckScripts(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Scripts(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
