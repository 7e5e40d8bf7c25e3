// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
      std::vector<Filled> filled;
      std::string folder;  // of WORKDIR; empty: not known
      for (const DockerInstruction& at : file_.stages[i].instructions) {
        const std::string script = ExecutedScript(at);
        if (!budget_.Spend(4 * script.size())) return;
        if (at.keyword == "WORKDIR") folder = at.arguments.starts_with('/') ? at.arguments : "";
        if (at.keyword == "COPY" || at.keyword == "ADD") {
          before = &at;
          if (std::string path = PlaceOf(at, folder);
              !path.empty() && filled.size() < kMostPlaces) {
            filled.push_back({std::move(path), &at});
          }
        }
        if (at.keyword != "RUN") continue;
        const std::vector<ShellCommand> commands = CommandsOf(script);
        const bool is_shipped = shipped.contains(i);
        if (is_shipped && before != nullptr) CheckCleanup(at, commands, *before);
        if (is_shipped) CheckOwner(at, commands, filled);
        for (const ShellCommand& command : commands) CheckConda(at, command, script, is_shipped);
        for (const ShellCommand& command : commands) {
          if (command.empty() || filled.size() >= kMostPlaces) continue;
          if (std::string path = PlaceOfDownload(command); !path.empty()) {
            filled.push_back({std::move(path), &at});
          }
        }
        before = &at;
      }
    }
  }

 private:
  // More are not compared: time would grow with the square of the lines.
  static constexpr std::size_t kMostPlaces = 64;

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

  // A place that a line filled.
  struct Filled {
    std::string path;
    const DockerInstruction* by = nullptr;
  };

  // The whole path of the place that a COPY fills; empty if it is not known.
  static std::string PlaceOf(const DockerInstruction& copy, const std::string& folder) {
    const std::vector<std::string> words = ShellWords(copy.arguments);
    if (words.size() < 2 || words.back().empty() || Contains(words.back(), "$")) return {};
    const std::string& to = words.back();
    if (to[0] == '/') return to;
    if (folder.empty()) return {};
    const std::string rest = to == "." || to == "./" ? ""
                             : to.starts_with("./")  ? to.substr(2)
                                                     : to;
    return rest.empty() ? folder : fmt::format("{}/{}", folder, rest);
  }

  // Where a command puts what it downloads, if that is a whole path.
  static std::string PlaceOfDownload(const ShellCommand& command) {
    const std::string program = ProgramOf(command);
    if (program == "git" && HasWord(command, "clone") && command.back().starts_with('/')) {
      return command.back();
    }
    for (std::size_t i = 0; i + 1 < command.size(); ++i) {
      const bool is_hub =
          (program == "huggingface-cli" || program == "hf") && command[i] == "--local-dir";
      if (is_hub && command[i + 1].starts_with('/')) return command[i + 1];
    }
    return {};
  }

  // Every file is stored again, with its new owner.
  void CheckOwner(const DockerInstruction& run, const std::vector<ShellCommand>& commands,
                  const std::vector<Filled>& filled) {
    for (const ShellCommand& command : commands) {
      const std::string program = ProgramOf(command);
      const bool is_whole = HasWord(command, "-R") || HasWord(command, "--recursive");
      if ((program != "chown" && program != "chmod") || !is_whole) continue;
      for (auto at = filled.rbegin(); at != filled.rend(); ++at) {
        const Filled& each = *at;
        const bool is_it = std::ranges::any_of(command, [&](const std::string& word) {
          return word.starts_with('/') && word != "/" && IsUnder(each.path, word);
        });
        if (!is_it) continue;
        const bool copies = each.by->keyword != "RUN";
        Add(run, Severity::kNote, "docker/stored-twice",
            fmt::format("{} -R stores every file again that line {} {}", program, each.by->line,
                        copies ? "copied" : "downloaded"))
            .hint = !copies ? fmt::format("do it in the RUN of line {}", each.by->line)
                    : each.by->Flag(program)
                        ? fmt::format("leave it out: line {} has --{}", each.by->line, program)
                        : fmt::format("write {} --{}=... in line {}", each.by->keyword, program,
                                      each.by->line);
        return;
      }
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
