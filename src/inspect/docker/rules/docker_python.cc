// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/json.h"
#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/rules/docker_package_lists.h"
#include "inspect/docker/rules/docker_rules.h"
#include "inspect/docker/rules/linux_system.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

struct Program {
  std::string_view name;
  std::string_view package;
  bool is_in_cuda = false;  ///< Not known to be missing in images of nvidia/cuda.
};

// Programs that no image of Ubuntu or Debian has.
constexpr std::array<Program, 9> kPrograms = {{{"pip", "python3-pip"},
                                               {"pip3", "python3-pip"},
                                               {"python", "python-is-python3"},
                                               {"python3", "python3"},
                                               {"git", "git"},
                                               {"cmake", "cmake"},
                                               {"curl", "curl", true},
                                               {"wget", "wget", true},
                                               {"unzip", "unzip"}}};

// Packages that install no Python with them; others may.
constexpr std::string_view kWithoutPython =
    " apt-transport-https apt-utils build-essential bzip2 ca-certificates cmake curl"
    " ffmpeg file g++ gcc git git-lfs gnupg gnupg2 htop jq less libgl1 libglib2.0-0"
    " libgomp1 libsm6 libssl-dev libxext6 libxrender1 locales make nano net-tools"
    " openssh-client patch pkg-config procps sudo tini tmux tree tzdata unzip vim"
    " wget xz-utils zip zlib1g-dev ";

// What a stage has, as far as its lines say it.
struct Installed {
  std::set<std::string> packages;  ///< Of apt.
  bool may_have_all = false;       ///< Something was installed that cannot be seen here.
  bool pip_is_free = false;        ///< A virtual environment, or another Python.
  bool has_python_name = false;    ///< "python" is there, not only "python3".
};

constexpr std::string_view kRemoveLists = " && rm -rf /var/lib/apt/lists/*";

bool IsOption(std::string_view word) { return word.starts_with('-'); }

// "/usr", "/usr/local/bin/": where programs are.
bool IsFolderOfPrograms(std::string_view folder) {
  return folder == "/" || folder.starts_with("/usr") || folder.starts_with("/bin") ||
         folder.starts_with("/opt") || folder.starts_with("/root");
}

bool InstallsUnseen(std::string_view script) {
  for (const std::string_view sign :
       {"conda",     "mamba",      "pyenv", "nix",     "brew",         "spack",     "get-pip",
        "ensurepip", "xargs",      ".deb",  ".sh",     "make install", "--install", "| bash",
        "| sh",      "deadsnakes", "tar ",  "uv sync", "uv venv",      "uv python"}) {
    if (Contains(script, sign)) return true;
  }
  return false;
}

// A PATH with a folder that may have another Python: that of a virtual environment.
bool NamesAnotherFolder(std::string_view settings) {
  const std::size_t at = settings.find("PATH");
  const bool is_path = at == 0 || (at != settings.npos && settings[at - 1] == ' ');
  if (!is_path) return false;
  std::string folder;
  for (const char c : std::string(settings.substr(at + 4)) + ":") {
    if (c != ':' && c != '=' && c != ' ' && c != '"') {
      folder += c;
      continue;
    }
    const bool is_of_system = folder.empty() || folder[0] == '$' || folder.starts_with("/usr/") ||
                              Contains(folder, "/.local/bin") || Contains(folder, "cuda");
    if (!is_of_system) return true;
    folder.clear();
  }
  return false;
}

class Pythons {
 public:
  Pythons(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    const PackageListUse lists = FindPackageListUse(file_, budget_);
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      const DockerStage& stage = file_.stages[i];
      const DockerStage& root = file_.Root(i);
      Installed& has = installed_[i];
      if (stage.base_stage && *stage.base_stage < i) has = installed_[*stage.base_stage];
      system_ = root.is_resolved ? SystemOf(root.image) : LinuxSystem();
      image_view_ = root.image;
      is_last_ = i + 1 == file_.stages.size();
      has_entry_ = false;
      keeps_lists_ = lists.stages_with_lists_of_base.contains(i);
      from_ = &stage.instructions[0];
      said_.clear();
      for (const DockerInstruction& at : stage.instructions) {
        const std::string script = ExecutedScript(at);
        if (!budget_.Spend(20 * script.size())) return;
        if (!system_.name.empty()) CheckInstruction(at, script, has);
        Take(at, script, has);
      }
    }
  }

 private:
  Finding& Add(const DockerInstruction& at, std::string code, std::string message) {
    return AddDockerFinding(artifact_, at, Severity::kError, std::move(code), std::move(message));
  }

  void CheckInstruction(const DockerInstruction& at, std::string_view script, Installed has) {
    if (at.is_trigger) return;
    const bool starts = at.keyword == "CMD" || at.keyword == "ENTRYPOINT";
    if (starts && is_last_) {
      CheckPythonName(at, at.arguments, has);
      CheckStart(at, has);
    }
    if (at.keyword != "RUN") return;
    // A script may install a program and then use it.
    if (InstallsUnseen(script) || Contains(script, "||")) has.may_have_all = true;
    if (Contains(script, "activate") || Contains(script, "EXTERNALLY-MANAGED")) {
      has.pip_is_free = true;
    }
    if (MakesPythonName(script)) has.has_python_name = true;
    bool is_said = false;
    for (const ShellCommand& command : CommandsOf(script)) {
      if (!is_said) is_said = CheckManaged(at, command, has);
      CheckMissing(at, command, has);
      TakePackages(command, has);
    }
    CheckPythonName(at, script, has);
  }

  // What the container starts; a CMD after an ENTRYPOINT may be its arguments.
  void CheckStart(const DockerInstruction& at, const Installed& has) {
    has_entry_ = has_entry_ || at.keyword == "ENTRYPOINT";
    if (at.keyword == "CMD" && has_entry_) return;
    const std::string_view arguments = Trim(at.arguments);
    if (!arguments.starts_with('[')) {
      for (const ShellCommand& command : CommandsOf(arguments)) CheckMissing(at, command, has);
      return;
    }
    const Result<Json> list = ParseJson(arguments);
    if (!list.ok() || !list->is_array()) return;
    ShellCommand command;
    for (const Json& word : *list) {
      if (!word.is_string()) return;
      command.push_back(word.get<std::string>());
    }
    CheckMissing(at, command, has);
  }

  // True if it said something.
  bool CheckManaged(const DockerInstruction& run, const ShellCommand& command,
                    const Installed& has) {
    if (!ManagesPython(system_) || has.pip_is_free || !IsPipInstall(command)) return false;
    const bool is_elsewhere = std::ranges::any_of(command, [](const std::string& word) {
      const bool is_path = word.ends_with("/pip") || word.ends_with("/pip3") ||
                           word.ends_with("/python") || word.ends_with("/python3");
      return word == "--break-system-packages" || word == "-t" || word.starts_with("--target") ||
             word.starts_with("--prefix") || word.starts_with("--root") ||
             word.starts_with("pip3.") || word.starts_with("python3.") ||
             (is_path && !word.starts_with("/usr/bin"));
    });
    if (is_elsewhere) return false;
    Add(run, "docker/pip-managed",
        fmt::format("pip does not install into the Python of {} {}, which apt manages "
                    "(externally-managed-environment): the build fails",
                    system_.name == "ubuntu" ? "Ubuntu" : "Debian", system_.version))
        .hint = "install into a virtual environment, or add --break-system-packages";
    for (const DockerLine& line : run.AllLines()) CorrectManaged(line);
    return true;
  }

  void CorrectManaged(const DockerLine& line) {
    constexpr std::string_view kOption = "--break-system-packages";
    if (Contains(line.text, kOption) || Trim(line.text).starts_with('#')) return;
    std::string text = line.text;
    for (const std::string_view call : {"pip install", "pip3 install"}) {
      for (std::size_t at = text.find(call); at != text.npos; at = text.find(call, at + 1)) {
        if (at >= 3 && text.substr(at - 3, 3) == "uv ") continue;
        text.insert(at + call.size(), fmt::format(" {}", kOption));
      }
    }
    if (text != line.text) CorrectDockerLine(artifact_, {.line = line.number}, {text});
  }

  void CheckMissing(const DockerInstruction& run, const ShellCommand& command,
                    const Installed& has) {
    if (has.may_have_all) return;
    std::string used = ProgramOf(command);
    const bool is_path = std::ranges::any_of(
        command, [&](const std::string& word) { return word.ends_with("/" + used); });
    if (is_path) return;
    for (const std::string& package : PythonPackagesIn(command)) {
      if (package.starts_with("git+") && system_.has_python) used = "git";  // pip calls it
    }
    for (const Program& program : kPrograms) {
      if (program.name != used || (program.is_in_cuda && system_.has_cuda)) continue;
      const bool is_python = used.starts_with("python");
      if (program.package == "python3-pip" || is_python) {
        if (system_.has_python || has.pip_is_free) return;
      }
      if (is_python && (has.has_python_name || Contains(image_view_, "-devel"))) return;
      const bool is_there = std::ranges::any_of(has.packages, [&](const std::string& package) {
        return is_python ? !Contains(kWithoutPython, fmt::format(" {} ", package))
                         : package.starts_with(program.package);
      });
      if (is_there || !said_.insert(std::string(program.package)).second) return;
      Add(run, "docker/program-missing",
          fmt::format("{} does not have {}, and no line before installs it", image_view_, used));
      // Above every COPY, whose changes would install it again.
      CorrectDockerLine(
          artifact_, *from_,
          {from_->text, fmt::format("RUN apt-get update && apt-get install -y "
                                    "--no-install-recommends {}{}",
                                    program.package, keeps_lists_ ? "" : kRemoveLists)});
      return;
    }
  }

  // Since Ubuntu 20.04 and Debian 11, only "python3" is there.
  void CheckPythonName(const DockerInstruction& at, std::string_view script, const Installed& has) {
    if (has.may_have_all || has.pip_is_free || has.has_python_name || system_.has_python) return;
    const bool is_list = Trim(script).starts_with('[');
    const bool uses = is_list ? Contains(script, "\"python\"")
                              : std::ranges::any_of(CommandsOf(script), [](const auto& command) {
                                  return ProgramOf(command) == "python" && command[0] == "python";
                                });
    const bool has_3 = std::ranges::any_of(
        has.packages, [](const std::string& package) { return package.starts_with("python3"); });
    if (!uses || !has_3 || !said_.insert("python").second) return;
    Add(at, "docker/program-missing",
        fmt::format("{} has python3, and no program 'python'", image_view_))
        .hint = "write python3, or install python-is-python3";
    CorrectDockerText(artifact_, at, is_list ? "\"python\"" : "python ",
                      is_list ? "\"python3\"" : "python3 ");
  }

  static bool MakesPythonName(std::string_view script) {
    return Contains(script, "alternatives") || Contains(script, "ln -s");
  }

  static void TakePackages(const ShellCommand& command, Installed& has) {
    for (const std::string& package : PythonPackagesIn(command)) {
      has.packages.insert(PackageName(package));  // cmake, for one
    }
    if (AptVerb(command) != "install") return;
    bool is_package = false;
    for (const std::string& word : command) {
      const bool is_before = !std::exchange(is_package, is_package || word == "install");
      if (is_before || IsOption(word)) continue;
      if (Contains(word, "$") || Contains(word, "*")) has.may_have_all = true;
      has.packages.insert(word);
      if (word == "python" || word == "python-is-python3") has.has_python_name = true;
    }
  }

  void Take(const DockerInstruction& at, std::string_view script, Installed& has) {
    if (at.keyword == "RUN") {
      if (InstallsUnseen(script)) has.may_have_all = true;
      if (Contains(script, "EXTERNALLY-MANAGED") || Contains(script, "pip config") ||
          Contains(script, "deadsnakes") || has.may_have_all) {
        has.pip_is_free = has.pip_is_free || Contains(script, "EXTERNALLY-MANAGED") ||
                          Contains(script, "pip config") || Contains(script, "deadsnakes") ||
                          Contains(script, "conda") || Contains(script, "pyenv") ||
                          Contains(script, "get-pip");
      }
      if (MakesPythonName(script)) has.has_python_name = true;
      for (const ShellCommand& command : CommandsOf(script)) TakePackages(command, has);
    } else if (at.keyword == "ENV" || at.keyword == "ARG") {
      if (Contains(script, "VIRTUAL_ENV") || Contains(script, "PIP_BREAK_SYSTEM_PACKAGES") ||
          Contains(script, "PIP_PREFIX") || Contains(script, "PIP_TARGET")) {
        has.pip_is_free = true;
      }
      if (NamesAnotherFolder(script)) has.pip_is_free = true;
    } else if (at.keyword == "COPY" || at.keyword == "ADD") {
      const std::vector<std::string> words = ShellWords(at.arguments);
      if (words.empty() || !IsFolderOfPrograms(words.back())) return;
      const bool is_small = at.Flag("from") == std::nullopt && at.keyword == "COPY";
      has.may_have_all = has.may_have_all || !is_small;
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
  std::map<std::size_t, Installed> installed_;  ///< At the end of each stage.
  // Of the stage that is checked.
  LinuxSystem system_;
  std::string_view image_view_;  ///< Of file_.
  const DockerInstruction* from_ = nullptr;
  bool is_last_ = false;
  bool has_entry_ = false;    ///< An ENTRYPOINT.
  bool keeps_lists_ = false;  ///< A line installs from the package lists of the base stage.
  std::set<std::string> said_;
};

}  // namespace

void CheckPython(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Pythons(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
