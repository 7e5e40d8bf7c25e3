// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/rules/docker_users.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/rules/docker_rules.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

bool IsRootUser(std::string_view user) {
  const std::string_view name = user.substr(0, user.find(':'));
  return name == "root" || name == "0";
}

// "apt-get" of a command that changes the packages of the system; empty for others.
std::string SystemManagerIn(const ShellCommand& command) {
  std::string program = ProgramOf(command);
  const bool is_manager = program == "apt-get" || program == "apt" || program == "dnf" ||
                          program == "yum" || program == "microdnf" || program == "apk" ||
                          program == "zypper";
  if (!is_manager || HasWord(command, "sudo")) return {};
  for (const std::string_view verb :
       {"install", "update", "upgrade", "add", "remove", "purge", "autoremove"}) {
    if (HasWord(command, verb)) return program;
  }
  return {};
}

class Users {
 public:
  Users(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      const DockerStage& stage = file_.stages[i];
      State& now = at_end_[i];
      if (stage.base_stage && *stage.base_stage < i) now = at_end_[*stage.base_stage];
      for (const DockerInstruction& at : stage.instructions) {
        if (at.is_trigger) continue;
        const std::string script = ExecutedScript(at);
        if (!budget_.Spend(3 * script.size())) return;
        if (at.keyword == "USER") TakeUser(at, now);
        if (at.keyword == "ENV" || at.keyword == "ARG") {
          for (const std::string_view name : {"HOME", "CACHE", "CONDA_PKGS"}) {
            now.names_cache = now.names_cache || Contains(script, name);
          }
        }
        if (at.keyword != "RUN" || now.user.empty()) continue;
        CheckManager(at, script, now);
        CheckMount(at, now);
      }
    }
  }

 private:
  struct State {
    std::string user;  ///< Empty: root, or not known.
    std::size_t line = 0;
    bool names_cache = false;  ///< A variable says where caches are.
  };

  static void TakeUser(const DockerInstruction& at, State& now) {
    const std::string_view user = Trim(at.arguments);
    now.user.clear();
    if (user.empty() || Contains(user, "$") || IsRootUser(user)) return;
    now.user = user;
    now.line = at.line;
  }

  void CheckManager(const DockerInstruction& run, std::string_view script, const State& now) {
    std::string program;
    for (const ShellCommand& command : CommandsOf(script)) {
      program = SystemManagerIn(command);
      if (!program.empty()) break;
    }
    if (program.empty()) return;
    AddDockerFinding(artifact_, run, Severity::kError, "docker/not-root",
                     fmt::format("{} needs root, and line {} made {} the user: the build fails",
                                 program, now.line, now.user));
    if (!run.here.empty() || run.lines.empty()) {
      artifact_.findings.back().hint =
          fmt::format("move it above line {}, or put USER root before it", now.line);
      return;
    }
    const std::string& last = run.lines.back();
    if (run.lines.size() == 1) {
      CorrectDockerLine(artifact_, run, {"USER root", last, fmt::format("USER {}", now.user)});
      return;
    }
    CorrectDockerLine(artifact_, run, {"USER root", run.text});
    CorrectDockerLine(artifact_, {.line = run.line + run.lines.size() - 1},
                      {last, fmt::format("USER {}", now.user)});
  }

  // Programs of another user look in that user's home.
  void CheckMount(const DockerInstruction& run, const State& now) {
    if (now.names_cache) return;
    for (const std::string& flag : run.flags) {
      const bool is_roots =
          flag.starts_with("--mount=") && Contains(flag, "type=cache") && Contains(flag, "=/root/");
      if (!is_roots) continue;
      AddDockerFinding(artifact_, run, Severity::kWarning, "docker/cache-defeated",
                       fmt::format("the cache is mounted in the home of root, and {} (line {}) "
                                   "does not use it",
                                   now.user, now.line))
          .hint = fmt::format("mount it in the home of {}, with uid=", now.user);
      return;
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
  std::map<std::size_t, State> at_end_;  ///< By stage.
};

}  // namespace

std::optional<bool> MakesRoot(const DockerInstruction& at) {
  if (at.keyword != "USER" || at.is_trigger) return std::nullopt;
  return IsRootUser(Trim(at.arguments));
}

std::vector<bool> StartsAsRoot(const Dockerfile& file) {
  std::vector<bool> starts(file.stages.size(), true);
  std::vector<bool> ends = starts;
  for (std::size_t i = 0; i < file.stages.size(); ++i) {
    const std::optional<std::size_t> base = file.stages[i].base_stage;
    if (base && *base < i) starts[i] = ends[*base];
    ends[i] = starts[i];
    for (const DockerInstruction& at : file.stages[i].instructions) {
      if (const std::optional<bool> is_root = MakesRoot(at)) ends[i] = *is_root;
    }
  }
  return starts;
}

void CheckUsers(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Users(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
