// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/rules/docker_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/ascii.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/docker_shipped.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

bool IsDnf(std::string_view program) {
  return program == "dnf" || program == "yum" || program == "microdnf";
}

// "-f", "-fsSL", "--fail", "--fail-with-body"
bool FailsOnError(const ShellCommand& curl) {
  return std::ranges::any_of(curl, [](const std::string& word) {
    if (word.starts_with("--fail")) return true;
    return word.size() > 1 && word[0] == '-' && word[1] != '-' && Contains(word, "f");
  });
}

// Saves what it gets: "-o x", "-O", "-fsSLo x", "> x".
bool SavesDownload(const ShellCommand& curl) {
  return std::ranges::any_of(curl, [](const std::string& word) {
    if (word == "--output" || word == "--remote-name" || word == ">") return true;
    return word.size() > 1 && word[0] == '-' && word[1] != '-' &&
           word.find_first_of("oO") != std::string::npos;
  });
}

bool HasAddress(const ShellCommand& command) {
  return std::ranges::any_of(command, [](const std::string& word) {
    const bool is_local = Contains(word, "://localhost") || Contains(word, "://127.0.0.1");
    return (word.starts_with("http://") || word.starts_with("https://")) && !is_local;
  });
}

// The first of these names that a value refers to: "$NAME" or "${NAME".
std::string FirstUsed(std::string_view value, const std::set<std::string, std::less<>>& names) {
  for (std::size_t at = value.find('$'); at != value.npos; at = value.find('$', at + 1)) {
    std::size_t begin = at + 1;
    if (begin < value.size() && value[begin] == '{') ++begin;
    std::size_t end = begin;
    while (end < value.size() && IsNameByte(value[end])) ++end;
    const auto found = names.find(value.substr(begin, end - begin));
    if (found != names.end()) return *found;
  }
  return {};
}

class Commands {
 public:
  Commands(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    const std::set<std::size_t> shipped = ShippedStages(file_);
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      is_shipped_ = shipped.contains(i);
      about_ = DescribeImage(file_.Root(i).image);
      for (const DockerInstruction& at : file_.stages[i].instructions) {
        const std::string script = ExecutedScript(at);
        if (!budget_.Spend(2 * script.size())) return;
        said_.clear();
        if (at.keyword == "ENV") CheckVariables(at);
        if (at.keyword == "RUN") CheckRun(at, script);
      }
    }
  }

 private:
  // Nullptr if the instruction has such a finding already: one of each code is enough, and a script
  // may have the same command many times.
  Finding* Add(const DockerInstruction& at, Severity severity, const std::string& code,
               std::string message) {
    if (!said_.insert(code).second) return nullptr;
    return &AddDockerFinding(artifact_, at, severity, code, std::move(message));
  }

  // "ENV CUDA_HOME=/usr/local/cuda PATH=$CUDA_HOME/bin:$PATH": all values are read before any is
  // set.
  void CheckVariables(const DockerInstruction& env) {
    const std::vector<std::string> words = ShellWords(env.arguments);
    std::set<std::string, std::less<>> names;
    for (const std::string& word : words) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos || equals == 0) return;  // "ENV NAME VALUE"
      const std::string used = FirstUsed(std::string_view(word).substr(equals + 1), names);
      if (!used.empty()) {
        Add(env, Severity::kWarning, "docker/env-same-line",
            fmt::format("${} has its old value here, or none: a value of an ENV does not see "
                        "variables of the same ENV",
                        used));
        SplitVariables(env, word.substr(0, equals));
        return;
      }
      names.insert(word.substr(0, equals));
    }
  }

  // Begins another ENV before the variable, where that is possible without reading quotes.
  void SplitVariables(const DockerInstruction& env, const std::string& name) {
    artifact_.findings.back().hint = fmt::format("set {} in an ENV of its own, below", name);
    if (env.lines.size() != 1) return;
    const std::size_t at = env.text.find(" " + name + "=");
    if (at == std::string::npos) return;
    CorrectDockerLine(artifact_, env, {env.text.substr(0, at), "ENV" + env.text.substr(at)});
  }

  void CheckRun(const DockerInstruction& run, std::string_view script) {
    const std::vector<ShellCommand> commands = CommandsOf(script);
    for (const ShellCommand& command : commands) {
      const std::string program = ProgramOf(command);
      if (program == "apt-get" || program == "apt") CheckApt(run, command);
      if (IsDnf(program)) CheckDnf(run, command, program, script);
      if (program == "curl" || program == "wget") CheckDownload(run, command, program);
      if (program == "service" || program == "systemctl") CheckService(run, command, program);
      if (program == "useradd") CheckUser(run, command);
      // ["ln", ...]: an image without a shell gets one.
      const bool is_list = run.arguments.starts_with('[');
      if (program == "ln" && command.back() == "/bin/sh" && !is_list)
        CheckLink(run, commands.size() == 1);
    }
  }

  void CheckLink(const DockerInstruction& run, bool is_whole) {
    Finding* const finding =
        Add(run, Severity::kNote, "docker/shell-link", "/bin/sh is replaced for every program");
    if (finding == nullptr) return;
    finding->hint = R"(write SHELL ["/bin/bash", "-c"] instead)";
    if (is_whole && run.lines.size() == 1) {
      CorrectDockerLine(artifact_, run, {R"(SHELL ["/bin/bash", "-c"])"});
    }
  }

  void CheckApt(const DockerInstruction& run, const ShellCommand& command) {
    const std::string_view verb = AptVerb(command);
    const bool is_upgrade = verb == "upgrade" || verb == "dist-upgrade" || verb == "full-upgrade";
    if (is_upgrade && about_.major != 0) {
      Finding* const finding =
          Add(run, Severity::kWarning, "docker/apt-upgrade",
              fmt::format("{} also replaces CUDA's libraries, and every build gets another image",
                          verb));
      if (finding != nullptr) {
        finding->hint = "take a newer base image; upgrade single packages by installing them";
      }
    }
    if (verb != "install") return;
    for (const std::string& word : command) {
      const bool is_any = word == "cuda" || word == "cuda-toolkit" || word == "cudnn" ||
                          word == "libnccl2" || word == "libnccl-dev" || word == "tensorrt" ||
                          word == "libcudnn8" || word == "libcudnn8-dev";
      if (!is_any) continue;
      Finding* const finding =
          Add(run, Severity::kNote, "docker/unpinned-package",
              fmt::format("{} has no version: the next build may get one for another CUDA", word));
      if (finding == nullptr) return;
      finding->hint = !word.starts_with("cuda") ? fmt::format("write {}=VERSION", word)
                      : about_.major == 0 ? fmt::format("name the release: {}-MAJOR-MINOR", word)
                                          : fmt::format("name the release of the image: {}-{}-{}",
                                                        word, about_.major, about_.minor);
      return;
    }
  }

  void CheckDnf(const DockerInstruction& run, const ShellCommand& command,
                const std::string& program, std::string_view script) {
    if (!HasWord(command, "install")) return;
    const bool answers = std::ranges::any_of(command, [](const std::string& word) {
      return word == "--assumeyes" || word == "-y" || word == "-yq" || word == "-qy";
    });
    if (!answers &&
        Add(run, Severity::kError, "docker/apt-asks",
            fmt::format("{} install without -y waits for an answer, and the build fails",
                        program)) != nullptr) {
      CorrectDockerText(artifact_, run, program + " install", program + " install -y");
    }
    if (!is_shipped_) return;
    const bool has_mount = std::ranges::any_of(
        run.flags, [](const std::string& flag) { return Contains(flag, "type=cache"); });
    if (has_mount || Contains(script, "clean all") || Contains(script, "/var/cache/")) return;
    if (Add(run, Severity::kNote, "docker/dnf-cache",
            fmt::format("the package lists and downloads of {} stay in this layer", program)) ==
        nullptr) {
      return;
    }
    const std::string cleaning = program + " clean all";
    if (!CorrectDockerEnd(artifact_, run, cleaning)) {
      artifact_.findings.back().hint = fmt::format("end with '{}'", cleaning);
    }
  }

  void CheckDownload(const DockerInstruction& run, const ShellCommand& command,
                     const std::string& program) {
    for (const std::string_view option : {"--no-check-certificate", "-k", "--insecure"}) {
      // "wget -k" converts links.
      if (!HasWord(command, option) || (option == "-k" && program == "wget")) continue;
      if (Add(run, Severity::kWarning, "docker/certificate-unchecked",
              fmt::format("{} {} takes the file from anybody who answers", program, option)) !=
          nullptr) {
        CorrectDockerText(artifact_, run, fmt::format(" {}", option), "");
      }
    }
    if (program != "curl" || !HasAddress(command)) return;
    if (FailsOnError(command) || !SavesDownload(command)) return;
    if (Add(run, Severity::kWarning, "docker/curl-no-fail",
            "without -f, curl saves an error page as the file, and the build goes on") != nullptr) {
      for (const DockerLine& line : run.AllLines()) CorrectCalls(line);
    }
  }

  // Each call of curl on a line that has no -f yet.
  void CorrectCalls(const DockerLine& line) {
    constexpr std::string_view kCall = "curl ";
    std::string text = line.text;
    for (std::size_t at = text.find(kCall); at != text.npos; at = text.find(kCall, at + 1)) {
      const std::string_view before = Trim(std::string_view(text).substr(0, at));
      const bool begins = before.empty() || before.ends_with("RUN") || before.ends_with('&') ||
                          before.ends_with(';') || before.ends_with('|') || before.ends_with('(') ||
                          before.ends_with("sudo") || before.ends_with("then") ||
                          before.ends_with("do") ||
                          Contains(before.substr(before.rfind(' ') + 1), "--mount=");
      const std::string_view rest = std::string_view(text).substr(at);
      const std::string call(rest.substr(0, rest.find_first_of("&|;")));
      const std::vector<ShellCommand> commands = CommandsOf(call);
      if (!begins || commands.empty() || FailsOnError(commands[0])) continue;
      text.insert(at + kCall.size(), "-f ");
    }
    if (text != line.text && !Trim(text).starts_with('#')) {
      CorrectDockerLine(artifact_, {.line = line.number}, {text});
    }
  }

  void CheckService(const DockerInstruction& run, const ShellCommand& command,
                    const std::string& program) {
    if (!HasWord(command, "start") && !HasWord(command, "restart") && !HasWord(command, "enable")) {
      return;
    }
    Finding* const finding =
        Add(run, Severity::kWarning, "docker/lost-after-run",
            fmt::format("what {} starts ends with this RUN: a container has no init", program));
    if (finding != nullptr) {
      finding->hint = "start it in the ENTRYPOINT, or in a container of its own";
    }
  }

  // lastlog and faillog grow with the number, though most of them is empty.
  void CheckUser(const DockerInstruction& run, const ShellCommand& command) {
    if (HasWord(command, "-l") || HasWord(command, "--no-log-init")) return;
    for (std::size_t i = 0; i + 1 < command.size(); ++i) {
      if (command[i] != "-u" && command[i] != "--uid") continue;
      const auto number = ParseNumber<std::uint64_t>(command[i + 1]);
      constexpr std::uint64_t kLarge = 1'000'000;
      if (!number || *number < kLarge) continue;
      if (Add(run, Severity::kWarning, "docker/large-user",
              fmt::format("user {} makes log files of hundreds of megabytes in this layer",
                          *number)) != nullptr) {
        CorrectDockerText(artifact_, run, "useradd ", "useradd -l ");
      }
      return;
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
  // Of the stage that is checked.
  bool is_shipped_ = false;
  CudaImage about_;
  std::set<std::string> said_;  ///< Codes, of the instruction that is checked.
};

}  // namespace

void CheckCommands(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Commands(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
