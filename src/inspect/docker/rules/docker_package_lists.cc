// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/rules/docker_package_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/one_of.h"
#include "base/strings.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// Programs that neither download nor remove lists. Others may do both.
constexpr std::string_view kLeaveLists =
    " [ apt apt-cache apt-get apt-mark cat cd chmod chown cmake conda cp curl dpkg"
    " echo env export find git grep groupadd install ldconfig ln locale-gen ls make"
    " mkdir mv ninja npm nvcc pip pip3 printf rm sed set tar tee test touch true"
    " unzip update-alternatives useradd usermod wget ";

bool LeavesLists(std::string_view program) {
  return Contains(kLeaveLists, fmt::format(" {} ", program));
}

bool RemovesLists(const ShellCommand& command) {
  if (HasPhrase(command, "apt-get dist-clean") || HasPhrase(command, "apt-get distclean")) {
    return true;
  }
  if (ProgramOf(command) != "rm") return false;
  return std::ranges::any_of(command, [](std::string_view word) {
    while (word.ends_with('*') || word.ends_with('/')) word.remove_suffix(1);
    return word == "/var/lib/apt/lists" || word == "/var/lib/apt";
  });
}

// "bash setup.sh", "./setup.sh", ". /setup"
bool RunsScript(const ShellCommand& command) {
  const std::string program = ProgramOf(command);
  if (program == "bash" || program == "sh" || program == "source" || program == ".") {
    return command.size() > 1 && !HasWord(command, "-c");
  }
  const auto word = std::ranges::find_if(
      command, [&](const std::string& each) { return each.ends_with(program); });
  return program.ends_with(".sh") || (word != command.end() && word->starts_with("./"));
}

bool CallsApt(const ShellCommand& command) {
  return AptVerb(command) == "install" || HasPhrase(command, "apt-get build-dep") ||
         HasPhrase(command, "aptitude install") || HasPhrase(command, "rosdep install") ||
         ProgramOf(command) == "mk-build-deps" || ProgramOf(command) == "gdebi";
}

// Packages by name: files and variables may need no list.
std::vector<std::string> NamedPackages(const ShellCommand& command) {
  std::vector<std::string> packages;
  bool is_after = false;
  for (const std::string& word : command) {
    const bool is_name = !word.empty() && word.find_first_of("/$*=<>-") != 0 &&
                         word.find_first_of("/$*<>") == std::string::npos;
    if (is_after && is_name) packages.push_back(word);
    is_after = is_after || word == "install";
  }
  return packages;
}

struct Lists {
  bool are_gone = false;
  std::size_t removed_at = 0;
  const DockerInstruction* source = nullptr;  ///< The RUN that downloaded them.
  std::size_t source_stage = 0;
  std::set<std::string> installed;
};

class Follower {
 public:
  Follower(const Dockerfile& file, ScriptBudget& budget) : file_(file), budget_(budget) {}

  PackageListUse Find() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      const DockerStage& stage = file_.stages[i];
      stage_ = i;
      lists_ = stage.base_stage && *stage.base_stage < i ? at_end_[*stage.base_stage] : Lists();
      for (const DockerInstruction& at : stage.instructions) {
        if (at.keyword != "RUN" || at.is_trigger) continue;
        const std::string script = ExecutedScript(at);
        if (!budget_.Spend(script.size())) return {};
        FollowRun(at, script);
      }
      at_end_.push_back(lists_);
    }
    return std::move(use_);
  }

 private:
  void FollowRun(const DockerInstruction& run, std::string_view script) {
    // A cache mount has lists of its own, which are not in the layer.
    const bool has_mount = std::ranges::any_of(run.flags, [](const std::string& flag) {
      return flag.starts_with("--mount=") && Contains(flag, "/var/lib/apt");
    });
    std::vector<ShellCommand> commands = CommandsOf(script);
    constexpr auto kControl = std::to_array<std::string_view>(
        {"if", "then", "elif", "else", "while", "do", "!", "{", "for", "case"});
    bool is_certain = !Contains(script, "||");
    for (ShellCommand& command : commands) {
      while (!command.empty() && IsOneOf(command.front(), kControl)) {
        command.erase(command.begin());
        is_certain = false;
      }
    }
    is_fresh_ = has_mount;
    for (const ShellCommand& command : commands) {
      if (ProgramOf(command).empty()) continue;
      if (AptVerb(command) == "update") {
        is_fresh_ = true;
        if (!has_mount) TakeLists(run);
      } else if (RemovesLists(command)) {
        is_fresh_ = has_mount;
        if (!has_mount && is_certain) {
          lists_.source = nullptr;
          lists_.are_gone = true;
          lists_.removed_at = run.line;
        }
      } else if (CallsApt(command)) {
        FollowInstall(run, command, is_certain);
      } else if (!LeavesLists(ProgramOf(command)) && !IsPipInstall(command)) {
        if (RunsScript(command) && !is_fresh_) NeedLists(run, /*is_script=*/true);
        lists_.are_gone = false;
      }
    }
  }

  void TakeLists(const DockerInstruction& run) {
    lists_.are_gone = false;
    lists_.source = &run;
    lists_.source_stage = stage_;
  }

  void FollowInstall(const DockerInstruction& run, const ShellCommand& command, bool is_certain) {
    const std::vector<std::string> packages = NamedPackages(command);
    if (!is_fresh_) {
      NeedLists(run, /*is_script=*/false);
      const bool is_new = std::ranges::any_of(packages, [&](const std::string& package) {
        return !lists_.installed.contains(package);
      });
      const bool is_said = !use_.lacking.empty() && use_.lacking.back().run == &run;
      if (lists_.are_gone && is_certain && is_new && !is_said && AptVerb(command) == "install") {
        use_.lacking.push_back({.run = &run, .removed_at = lists_.removed_at});
      }
    }
    lists_.installed.insert(packages.begin(), packages.end());
  }

  void NeedLists(const DockerInstruction& run, bool is_script) {
    if (lists_.source == nullptr || lists_.source == &run) return;
    use_.later.insert({lists_.source->line, {.line = run.line, .is_script = is_script}});
    if (lists_.source_stage != stage_) use_.stages_with_lists_of_base.insert(stage_);
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  PackageListUse use_;
  std::vector<Lists> at_end_;  ///< Of each stage.
  // Of the stage and the RUN that are followed.
  std::size_t stage_ = 0;
  Lists lists_;
  bool is_fresh_ = false;  ///< Downloaded by this RUN.
};

}  // namespace

PackageListUse FindPackageListUse(const Dockerfile& file, ScriptBudget& budget) {
  return Follower(file, budget).Find();
}

}  // namespace sibyl::inspect
