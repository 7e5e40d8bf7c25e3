// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/rules/docker_habits.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/rules/docker_users.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

bool IsDownloader(const ShellToken& token) {
  return !token.is_operator && token.raw == token.text &&
         (token.text == "curl" || token.text == "wget");
}

// "curl … | bash": a pipe whose first command downloads.
bool PipesADownload(std::string_view script) {
  bool downloads = false;
  for (const ShellToken& token : ShellTokens(script)) {
    if (token.is_operator && token.raw == "|" && downloads) return true;
    if (token.is_operator) downloads = false;
    downloads = downloads || IsDownloader(token);
  }
  return false;
}

// Compares a file with a checksum or a signature.
bool ComparesDownloads(std::string_view script) {
  for (const std::string_view tool :
       {"sha256sum", "sha512sum", "sha384sum", "sha1sum", "md5sum", "shasum", "b2sum", "--verify",
        "cosign", "minisign", "openssl dgst"}) {
    if (Contains(script, tool)) return true;
  }
  return false;
}

// Keys of package repositories are what later downloads are compared with; a server on this
// machine is no download.
bool IsComparedWith(std::string_view url) {
  for (const std::string_view part :
       {".gpg", ".asc", ".key", ".pub", "keyring", "://localhost", "://127.0.0.1", "://0.0.0.0"}) {
    if (Contains(url, part)) return true;
  }
  return false;
}

struct Download {
  std::string url;  ///< Empty: none.
  bool is_run = false;
};

// The first address that curl or wget fetches, and whether a shell runs what comes.
Download FindDownload(std::string_view script) {
  Download found;
  bool fetches = false;
  bool after_pipe = false;
  for (const ShellToken& token : ShellTokens(script)) {
    if (token.is_operator) {
      after_pipe = token.raw == "|";
      if (!after_pipe && !found.url.empty()) return found;
      fetches = fetches && after_pipe;
      continue;
    }
    if (after_pipe && !found.url.empty()) {
      const std::string program = token.text.substr(token.text.rfind('/') + 1);
      if (program == "sudo") continue;
      if (program == "gpg" || program == "apt-key" || program == "jq") return {};
      found.is_run = program == "sh" || program == "bash" || program.starts_with("python");
      return found;
    }
    if (IsDownloader(token)) fetches = true;
    if (token.text == "--spider" || token.text == "-I" || token.text == "--head") fetches = false;
    const bool is_address = token.text.starts_with("http://") || token.text.starts_with("https://");
    if (fetches && is_address && found.url.empty() && !IsComparedWith(token.text)) {
      found.url = token.text;
    }
  }
  return found;
}

bool RunsSudo(const ShellCommand& command) {
  constexpr std::string_view kBefore[] = {"if", "then", "else", "do", "!", "{", "env", "time"};
  for (const std::string& word : command) {
    if (std::ranges::find(kBefore, word) != std::end(kBefore)) continue;
    if (word.find('=') == std::string::npos) return word == "sudo";
  }
  return false;
}

// The first package that pip may take in any version; tools that only build are left out.
std::string UnpinnedPackageIn(std::string_view script) {
  constexpr std::string_view kTools[] = {"pip",    "setuptools", "wheel",     "build",  "ninja",
                                         "cmake",  "packaging",  "uv",        "poetry", "twine",
                                         "cython", "pybind11",   "virtualenv"};
  for (const ShellCommand& command : CommandsOf(script)) {
    if (!IsPipInstall(command) || HasWord(command, "-c") || HasWord(command, "--constraint")) {
      continue;
    }
    for (const std::string& package : PythonPackagesIn(command)) {
      const bool is_name = package.find_first_of("=<>~!@/$.{*") == std::string::npos;
      std::string name = PackageName(package);
      if (is_name && std::ranges::find(kTools, name) == std::end(kTools)) return name;
    }
  }
  return {};
}

class Habits {
 public:
  Habits(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    const std::vector<bool> starts_as_root = StartsAsRoot(file_);
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      is_root_ = starts_as_root[i];
      CheckRepeated(file_.stages[i]);
      const std::optional<std::size_t> base = file_.stages[i].base_stage;
      bool has_pipefail = base && *base < i && ends_with_pipefail_[*base];
      root_view_ = file_.Root(i).image;
      bool has_folder = base.has_value();
      for (const DockerInstruction& at : file_.stages[i].instructions) {
        const std::string script = ExecutedScript(at);
        if (!budget_.Spend(script.size())) return;
        is_root_ = MakesRoot(at).value_or(is_root_);
        if (at.keyword == "SHELL") has_pipefail = Contains(script, "pipefail");
        if (at.keyword == "RUN") CheckRun(at, script, has_pipefail);
        if (at.keyword == "ADD") CheckDownload(at);
        if (at.keyword == "MAINTAINER") CheckMaintainer(at);
        if (at.keyword == "WORKDIR") has_folder = CheckFolder(at, has_folder);
      }
      ends_with_pipefail_.push_back(has_pipefail);
    }
  }

 private:
  void Add(const DockerInstruction& at, Severity severity, std::string code, std::string message) {
    AddDockerFinding(artifact_, at, severity, std::move(code), std::move(message));
  }
  void Correct(const DockerInstruction& at, const std::vector<std::string>& lines) {
    if (!lines.empty() && !lines[0].empty()) CorrectDockerLine(artifact_, at, lines);
  }
  // Every line of the instruction and its here-documents that has it.
  void CorrectLines(const DockerInstruction& at, std::string_view from, std::string_view to) {
    for (const DockerLine& line : at.AllLines()) {
      Correct({.line = line.number}, {ReplacedText(line.text, from, to)});
    }
  }
  // Another program, where a line begins with it or a blank is before it.
  void CorrectCalls(const DockerInstruction& at, const std::string& from, const std::string& to) {
    for (const DockerLine& line : at.AllLines()) {
      std::string text = ReplacedText(line.text, " " + from + " ", " " + to + " ");
      if (line.text.starts_with(from + " ")) text = to + line.text.substr(from.size());
      Correct({.line = line.number}, {text});
    }
  }
  void Hint(std::string hint) { artifact_.findings.back().hint = std::move(hint); }

  void CheckRun(const DockerInstruction& run, std::string_view script, bool has_pipefail) {
    CheckSudo(run, script);
    const std::vector<ShellCommand> commands = CommandsOf(script);
    const bool is_for_people = std::ranges::any_of(commands, [](const ShellCommand& command) {
      return ProgramOf(command) == "apt" && !AptVerb(command).empty();
    });
    if (is_for_people) {
      Add(run, Severity::kNote, "docker/apt-for-people",
          "apt is meant for interactive use, and its options and output may change; use apt-get in "
          "scripts");
      CorrectCalls(run, "apt", "apt-get");
    }
    if (!has_pipefail && !Contains(script, "pipefail") && PipesADownload(script)) {
      Add(run, Severity::kWarning, "docker/pipefail",
          "a failed download goes unnoticed: a pipeline's exit status is that of its last command");
      Correct(run, {ShellWithPipefail(), run.text});
    }
    CheckFetched(run, script);
    CheckWheelVersion(run, script);
  }

  // Alpine and Busybox have no bash, and their shell knows the option.
  std::string ShellWithPipefail() const {
    const bool is_small = Contains(root_view_, "alpine") || Contains(root_view_, "busybox");
    return fmt::format(R"(SHELL ["{}", "-o", "pipefail", "-c"])",
                       is_small ? "/bin/ash" : "/bin/bash");
  }

  void CheckSudo(const DockerInstruction& run, std::string_view script) {
    // Installing it, or setting it up for a user, is something else.
    const std::vector<ShellCommand> commands = CommandsOf(script);
    if (!is_root_ || std::ranges::none_of(commands, RunsSudo)) return;
    Add(run, Severity::kWarning, "docker/sudo",
        "a build runs as root already, and base images do not have sudo");
    if (Contains(script, "sudo -")) {
      Hint("leave it out, with its options");
    } else {
      CorrectLines(run, "sudo ", "");
    }
  }

  void CheckFetched(const DockerInstruction& run, std::string_view script) {
    if (ComparesDownloads(script)) return;
    const Download download = FindDownload(script);
    if (download.url.empty()) return;
    Add(run, Severity::kNote, "docker/download-unchecked",
        download.is_run
            ? fmt::format("{} is run without being compared with a checksum", download.url)
            : fmt::format("{} is not compared with anything", download.url));
    Hint(download.is_run ? "save it, compare it ('sha256sum -c'), then run it"
                         : "compare it in the same RUN: echo \"DIGEST  FILE\" | sha256sum -c");
  }

  void CheckWheelVersion(const DockerInstruction& run, std::string_view script) {
    const std::string wheel = CudaWheelIn(script);
    const std::vector<std::string> words = ShellWords(script);
    if (!wheel.empty() && std::ranges::find(words, wheel) != words.end()) {
      Add(run, Severity::kNote, "docker/unpinned-wheel",
          fmt::format("{} has no version: the next build may get one for another CUDA", wheel));
      Hint(fmt::format("write {}==VERSION, or a constraints file", wheel));
      return;
    }
    const std::string other = UnpinnedPackageIn(script);
    if (other.empty()) return;
    Add(run, Severity::kNote, "docker/unpinned-wheel",
        fmt::format("{} has no version: the next build may get another release", other));
    Hint(fmt::format("write {}==VERSION, or a constraints file", other));
  }

  void CheckDownload(const DockerInstruction& add) {
    const std::vector<std::string> words = ShellWords(add.arguments);
    const bool is_download =
        !words.empty() && words[0].starts_with("http") && !words[0].ends_with(".git");
    if (!is_download || add.Flag("checksum")) return;
    Add(add, Severity::kNote, "docker/add-unchecked",
        "what is downloaded is not compared with a checksum");
    Correct(add, {ReplacedText(add.text, "ADD ", "ADD --checksum=sha256:DIGEST ")});
  }

  void CheckMaintainer(const DockerInstruction& at) {
    Add(at, Severity::kNote, "docker/maintainer", "MAINTAINER is deprecated");
    Correct(at, {fmt::format("LABEL org.opencontainers.image.authors=\"{}\"", at.arguments)});
  }

  // True: a later relative WORKDIR starts at a folder that is known.
  bool CheckFolder(const DockerInstruction& at, bool has_folder) {
    const std::string_view folder = Trim(at.arguments);
    if (folder.empty() || folder[0] == '/' || folder[0] == '$' || folder[0] == '"') return true;
    if (has_folder) return true;
    Add(at, Severity::kWarning, "docker/workdir-relative",
        "a relative WORKDIR is relative to the base image's working directory, which may change");
    Hint("write the whole path");
    return true;
  }

  // Docker takes the last one of a stage and says nothing.
  void CheckRepeated(const DockerStage& stage) {
    for (const std::string_view keyword : {"CMD", "ENTRYPOINT", "HEALTHCHECK"}) {
      const DockerInstruction* before = nullptr;
      for (const DockerInstruction& at : stage.instructions) {
        if (at.keyword != keyword) continue;
        if (before != nullptr) {
          Add(*before, Severity::kWarning, "docker/no-effect",
              fmt::format("line {} has another {}: this one has no effect", at.line, keyword));
          Hint("remove this line");
        }
        before = &at;
      }
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
  std::vector<bool> ends_with_pipefail_;  ///< By stage.
  bool is_root_ = true;                   ///< Of the instruction that is checked.
  std::string_view root_view_;            ///< The image of the stage that is checked; of file_.
};

}  // namespace

void CheckHabits(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Habits(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
