// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_shipped.h"
#include "inspect/docker/rules/docker_rules.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// What is removed to make an image smaller; other files may be removed for what they do.
bool IsBallast(std::string_view path) {
  for (const std::string_view part : {"/var/lib/apt/lists", "/var/cache/", "/.cache", "/tmp/",
                                      "/opt/conda/pkgs", "/.git", "__pycache__"}) {
    if (Contains(path, part)) return true;
  }
  for (const std::string_view end :
       {".run", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".zip", ".deb", ".whl", ".a"}) {
    if (path.ends_with(end)) return true;
  }
  return path == "/tmp";
}

bool IsCleanup(const ShellCommand& command) {
  const std::string program = ProgramOf(command);
  if (program == "rm") {
    const auto path = std::ranges::find_if(
        command, [](const std::string& word) { return !word.starts_with('-') && IsBallast(word); });
    return path != command.end();
  }
  return HasPhrase(command, "apt-get clean") || HasPhrase(command, "apt-get autoremove") ||
         HasPhrase(command, "apt clean") || HasPhrase(command, "pip cache purge") ||
         HasPhrase(command, "conda clean") || HasPhrase(command, "dnf clean") ||
         HasPhrase(command, "yum clean");
}

bool IsConda(std::string_view program) {
  return program == "conda" || program == "mamba" || program == "micromamba";
}

// "/app" of "/app", "/app/", "/app/x".
bool IsUnder(std::string_view path, std::string_view folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
  return path.starts_with(folder) &&
         (path.size() == folder.size() || path[folder.size()] == '/' || folder == "/");
}

class Leftovers {
 public:
  Leftovers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    const std::set<std::size_t> shipped = ShippedStages(file_);
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      const DockerInstruction* before = nullptr;
      const DockerInstruction* copy = nullptr;
      for (const DockerInstruction& at : file_.stages[i].instructions) {
        const std::string script = ExecutedScript(at);
        if (!budget_.Spend(4 * script.size())) return;
        if (at.keyword == "COPY" || at.keyword == "ADD") copy = before = &at;
        if (at.keyword != "RUN") continue;
        const std::vector<ShellCommand> commands = CommandsOf(script);
        const bool is_shipped = shipped.contains(i);
        if (is_shipped && before != nullptr) CheckCleanup(at, commands, *before);
        if (is_shipped && copy != nullptr) CheckOwner(at, commands, *copy);
        for (const ShellCommand& command : commands) CheckConda(at, command, script, is_shipped);
        before = &at;
      }
    }
  }

 private:
  Finding& Add(const DockerInstruction& at, Severity severity, std::string code,
               std::string message) {
    return AddDockerFinding(artifact_, at, severity, std::move(code), std::move(message));
  }

  // Nothing but cleaning: what it removes is in the layers before.
  void CheckCleanup(const DockerInstruction& run, const std::vector<ShellCommand>& commands,
                    const DockerInstruction& before) {
    bool cleans = false;
    for (const ShellCommand& command : commands) {
      if (command.empty()) continue;
      if (!IsCleanup(command)) return;
      cleans = true;
    }
    if (!cleans || !run.flags.empty()) return;
    Add(run, Severity::kWarning, "docker/removed-too-late",
        "this makes the image no smaller: the layers before keep the files")
        .hint = before.keyword == "RUN"
                    ? fmt::format("remove them at the end of the RUN of line {}, which makes them",
                                  before.line)
                    : std::string("do not copy them: a bind mount, or another stage, is enough");
  }

  // Every file is stored again, with its new owner.
  void CheckOwner(const DockerInstruction& run, const std::vector<ShellCommand>& commands,
                  const DockerInstruction& copy) {
    const std::vector<std::string> copied = ShellWords(copy.arguments);
    if (copied.size() < 2 || copied.back().empty() || copied.back()[0] != '/') return;
    for (const ShellCommand& command : commands) {
      const std::string program = ProgramOf(command);
      const bool is_whole = HasWord(command, "-R") || HasWord(command, "--recursive");
      if ((program != "chown" && program != "chmod") || !is_whole) continue;
      const bool is_copied = std::ranges::any_of(command, [&](const std::string& word) {
        return word.starts_with('/') && word != "/" && IsUnder(copied.back(), word);
      });
      if (!is_copied) continue;
      Add(run, Severity::kNote, "docker/stored-twice",
          fmt::format("{} -R stores every file again that line {} copied", program, copy.line))
          .hint = fmt::format("write COPY --{}=... in line {}", program, copy.line);
      return;
    }
  }

  void CheckConda(const DockerInstruction& run, const ShellCommand& command,
                  std::string_view script, bool is_shipped) {
    const std::string program = ProgramOf(command);
    if (!IsConda(program)) return;
    const bool installs =
        HasWord(command, "install") || HasWord(command, "create") || HasWord(command, "update");
    if (!installs) return;
    const bool answers = HasWord(command, "-y") || HasWord(command, "--yes") ||
                         HasWord(command, "env") || HasWord(command, "-qy") ||
                         HasWord(command, "-yq") || Contains(script, "always_yes") ||
                         Contains(script, "ALWAYS_YES");
    if (!answers) {
      // conda takes the end of the input for a yes; not every version and not every one of them
      // does.
      Add(run, Severity::kNote, "docker/apt-asks",
          fmt::format("{} asks before it installs: without -y, its version decides whether the "
                      "build goes on",
                      program));
      for (const std::string_view verb : {"install", "create", "update"}) {
        const std::string call = fmt::format("{} {}", program, verb);
        if (CorrectDockerText(artifact_, run, call, call + " -y")) break;
      }
    }
    const bool has_mount = std::ranges::any_of(
        run.flags, [](const std::string& flag) { return Contains(flag, "type=cache"); });
    if (!is_shipped || has_mount || Contains(script, " clean ") || said_line_ == run.line) return;
    said_line_ = run.line;
    // A mount for the downloads is the better correction.
    const bool is_said = std::ranges::any_of(artifact_.findings, [&](const Finding& finding) {
      return finding.code == "docker/no-cache-mount" && finding.place.line == run.line;
    });
    if (is_said) return;
    Add(run, Severity::kNote, "docker/conda-cache",
        fmt::format("the packages that {} downloads stay in this layer", program));
    CorrectDockerEnd(artifact_, run, program + " clean -afy");
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
  std::size_t said_line_ = 0;  ///< Of the last finding about conda's downloads.
};

}  // namespace

void CheckLeftovers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  if (!file.stages.empty()) Leftovers(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
