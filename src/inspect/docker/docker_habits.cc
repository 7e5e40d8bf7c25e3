// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_habits.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// "curl … | bash": a pipe whose first command downloads.
bool PipesADownload(std::string_view script) {
  bool downloads = false;
  for (const std::string& word : ShellWords(script)) {
    if (word == "&&" || word == ";" || word == "||") downloads = false;
    downloads = downloads || word == "curl" || word == "wget";
    if (word == "|" && downloads) return true;
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
  for (const std::string& word : ShellWords(script)) {
    if (after_pipe && !found.url.empty()) {
      const std::string program = word.substr(word.rfind('/') + 1);
      if (program == "gpg" || program == "apt-key" || program == "jq") return {};
      found.is_run = program == "sh" || program == "bash" || program.starts_with("python");
      return found;
    }
    after_pipe = word == "|";
    if (word == "curl" || word == "wget") fetches = true;
    if (word == "--spider" || word == "-I" || word == "--head") fetches = false;
    const bool ends = word == "&&" || word == "||" || word.ends_with(';');
    const bool is_address = word.starts_with("http://") || word.starts_with("https://");
    if (fetches && is_address && found.url.empty() && !IsComparedWith(word)) {
      found.url = word.substr(0, word.size() - (ends ? 1 : 0));
    }
    if (ends && !found.url.empty()) return found;
    fetches = fetches && !ends;
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

// "HF_TOKEN", "API_KEY"; not "TOKENIZERS_PARALLELISM" or "KEYRING".
bool NamesASecret(std::string_view name) {
  if (Contains(name, "_NO_")) return false;  // SCCACHE_S3_NO_CREDENTIALS=1
  for (const std::string_view end : {"TOKEN", "PASSWORD", "PASSWD", "SECRET", "API_KEY",
                                     "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIALS"}) {
    if (!name.ends_with(end)) continue;
    const std::size_t before = name.size() - end.size();
    if (before == 0 || name[before - 1] == '_') return true;
  }
  return false;
}

class Habits {
 public:
  Habits(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      CheckRepeated(file_.stages[i]);
      const std::optional<std::size_t> base = file_.stages[i].base_stage;
      bool has_pipefail = base && *base < i && ends_with_pipefail_[*base];
      bool has_folder = base.has_value();
      for (const DockerInstruction& at : file_.stages[i].instructions) {
        const std::string script = ExecutedScript(at);
        if (!budget_.Spend(script.size())) return;
        if (at.keyword == "SHELL") has_pipefail = Contains(script, "pipefail");
        if (at.keyword == "RUN") CheckRun(at, script, has_pipefail);
        if (at.keyword == "ADD") CheckDownload(at);
        if (at.keyword == "ENV" || at.keyword == "ARG") CheckSecret(at);
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
  // Every line of the instruction that has it.
  void CorrectLines(const DockerInstruction& at, std::string_view from, std::string_view to) {
    for (std::size_t i = 0; i < at.lines.size(); ++i) {
      Correct({.line = at.line + i}, {ReplacedText(at.lines[i], from, to)});
    }
  }
  void Hint(std::string hint) { artifact_.findings.back().hint = std::move(hint); }

  void CheckRun(const DockerInstruction& run, std::string_view script, bool has_pipefail) {
    CheckSudo(run, script);
    for (const std::string_view verb : {"install", "update", "upgrade"}) {
      const std::string call = fmt::format("apt {}", verb);
      if (!Contains(fmt::format(" {}", script), " " + call)) continue;
      Add(run, Severity::kNote, "docker/apt-for-people",
          "apt is meant for interactive use, and its options and output may change; use apt-get in "
          "scripts");
      CorrectLines(run, " apt ", " apt-get ");
      break;
    }
    if (!has_pipefail && !Contains(script, "pipefail") && PipesADownload(script)) {
      Add(run, Severity::kWarning, "docker/pipefail",
          "a failed download goes unnoticed: a pipeline's exit status is that of its last command");
      Correct(run, {R"(SHELL ["/bin/bash", "-o", "pipefail", "-c"])", run.text});
    }
    CheckFetched(run, script);
    CheckWheelVersion(run, script);
  }

  void CheckSudo(const DockerInstruction& run, std::string_view script) {
    // Installing it, or setting it up for a user, is something else.
    const std::vector<ShellCommand> commands = CommandsOf(script);
    if (std::ranges::none_of(commands, RunsSudo)) return;
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
        download.is_run ? fmt::format("{} is run without any check of its contents", download.url)
                        : fmt::format("{} is not compared with anything", download.url));
    Hint(download.is_run ? "save it, compare it ('sha256sum -c'), then run it"
                         : "compare it in the same RUN: echo \"DIGEST  FILE\" | sha256sum -c");
  }

  void CheckWheelVersion(const DockerInstruction& run, std::string_view script) {
    const std::string wheel = CudaWheelIn(script);
    if (wheel.empty()) return;
    const std::vector<std::string> words = ShellWords(script);
    if (std::ranges::find(words, wheel) == words.end()) return;  // torch==2.7.0
    Add(run, Severity::kNote, "docker/unpinned-wheel",
        fmt::format("{} has no version: the next build may get one for another CUDA", wheel));
    Hint(fmt::format("write {}==VERSION, or a constraints file", wheel));
  }

  void CheckDownload(const DockerInstruction& add) {
    const std::vector<std::string> words = ShellWords(add.arguments);
    const bool is_download =
        !words.empty() && words[0].starts_with("http") && !words[0].ends_with(".git");
    if (!is_download || add.Flag("checksum")) return;
    Add(add, Severity::kNote, "docker/add-unchecked",
        "what is downloaded is not compared with anything");
    Correct(add, {ReplacedText(add.text, "ADD ", "ADD --checksum=sha256:DIGEST ")});
  }

  void CheckSecret(const DockerInstruction& at) {
    for (const std::string& word : ShellWords(at.arguments)) {
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const bool has_value = equals != std::string::npos && equals + 1 < word.size();
      if (!NamesASecret(name) || (at.keyword == "ENV" && !has_value)) continue;
      Add(at, Severity::kWarning, "docker/secret",
          fmt::format("{} stays readable in the image's history", name));
      Hint(fmt::format("pass it as RUN --mount=type=secret,id={} where it is needed",
                       LowerCase(name)));
      return;
    }
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
};

}  // namespace

void CheckHabits(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Habits(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
