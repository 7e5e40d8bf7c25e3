// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_shipped.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/rules/docker_package_lists.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

bool HasMount(const DockerInstruction& run, std::string_view target) {
  return std::ranges::any_of(run.flags, [&](const std::string& flag) {
    return flag.starts_with("--mount=") && Contains(flag, "type=cache") && Contains(flag, target);
  });
}

// Where "install" ends in a call of apt, apt-get, pip or pip3; npos if there is none.
std::size_t EndOfInstall(std::string_view line, std::string_view program) {
  for (std::size_t at = line.find(program); at != line.npos; at = line.find(program, at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    const bool is_path = before == '/' && program != "pip";  // /etc/apt
    if (IsNameByte(before) || before == '-' || before == '.' || is_path) continue;
    constexpr std::size_t kFar = 200;  // options before the verb; keeps this linear
    std::string_view rest = line.substr(at + program.size(), kFar);
    if (rest.starts_with("-get")) rest.remove_prefix(4);
    if (rest.starts_with('3')) rest.remove_prefix(1);
    if (!rest.starts_with(' ')) continue;
    constexpr std::string_view kVerb = " install";
    rest = rest.substr(0, rest.find_first_of(";&|"));
    const std::size_t verb = rest.find(kVerb);
    const std::size_t end = verb + kVerb.size();
    if (verb == rest.npos || (end < rest.size() && rest[end] != ' ')) continue;
    return static_cast<std::size_t>(rest.data() - line.data()) + end;
  }
  return line.npos;
}

class Shipped {
 public:
  Shipped(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    shipped_ = ShippedStages(file_);
    lists_ = FindPackageListUse(file_, budget_);
    for (const PackageListUse::Lacking& each : lists_.lacking) CheckLists(each);
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      CheckImage(i);
      CheckCopyOrder(file_.stages[i]);
      for (const DockerInstruction& instruction : file_.stages[i].instructions) {
        const std::string script = ExecutedScript(instruction);
        if (!budget_.Spend(script.size())) return;
        if (instruction.keyword == "RUN") CheckRun(i, instruction, script);
        if (instruction.keyword == "ADD") CheckAdd(instruction);
        if (instruction.keyword == "ENV" && Contains(script, "PIP_NO_CACHE_DIR"))
          no_pip_cache_ = true;
      }
    }
    CheckForm();
  }

 private:
  void Add(const DockerInstruction& at, Severity severity, std::string code, std::string message) {
    AddDockerFinding(artifact_, at, severity, std::move(code), std::move(message));
  }
  void Correct(const DockerInstruction& at, const std::vector<std::string>& lines) {
    if (!lines.empty()) CorrectDockerLine(artifact_, at, lines);
  }

  static constexpr int kMostCalls = 20;             // on one line
  static constexpr std::size_t kStartOfScript = 8;  // enough to find it after the flags

  // Adds an option to the commands, on whichever lines of the instruction they are.
  void CorrectInstall(const DockerInstruction& run, std::string_view program,
                      std::string_view option) {
    for (const DockerLine& each : run.AllLines()) {
      std::string line = each.text;
      if (Trim(line).starts_with('#')) continue;
      std::size_t begin = 0;
      for (int calls = 0; calls < kMostCalls; ++calls) {
        const std::size_t end = EndOfInstall(std::string_view(line).substr(begin), program);
        if (end == line.npos) break;
        begin += end;
        const std::string_view rest = std::string_view(line).substr(begin);
        if (Contains(rest.substr(0, rest.find_first_of(";&|")), option)) continue;
        line.insert(begin, fmt::format(" {}", option));
      }
      if (line != each.text) Correct({.line = each.number, .text = each.text}, {line});
    }
  }

  void CheckImage(std::size_t number) {
    const DockerStage& stage = file_.stages[number];
    if (stage.base_stage || !stage.is_resolved || stage.image == "scratch") return;
    const std::string_view image = stage.image;
    const std::size_t slash = image.rfind('/');
    const std::string_view name = slash == image.npos ? image : image.substr(slash + 1);
    if (Contains(image, "@sha256:")) return;
    // "latest-gpu"; "latest-rust-1.85" has a version of a kind.
    const std::string_view tag = name.substr(std::min(name.find(':'), name.size()));
    const bool moves =
        name.ends_with(":latest") ||
        (tag.starts_with(":latest-") && tag.find_first_of("0123456789") == std::string_view::npos);
    if (Contains(name, ":") && !moves) return;
    // It has no such tag: docker/unknown-tag says so.
    if (Contains(image, "nvidia/cuda") && (name == "cuda" || name == "cuda:latest")) return;
    Add(stage.instructions[0], Severity::kNote, "docker/unpinned-image",
        fmt::format("{} has no version: the next build may get another {}", image,
                    tag.starts_with(":latest-") ? "release" : "system"));
    artifact_.findings.back().hint = "name a version, such as the one that you test with";
  }

  // Sources change with every commit, dependencies do not.
  void CheckCopyOrder(const DockerStage& stage) {
    const DockerInstruction* whole = nullptr;
    for (const DockerInstruction& instruction : stage.instructions) {
      const bool copies = instruction.keyword == "COPY" || instruction.keyword == "ADD";
      if (copies && !instruction.Flag("from")) {
        const std::vector<std::string> words = ShellWords(instruction.arguments);
        if (whole == nullptr && words.size() == 2 && (words[0] == "." || words[0] == "./")) {
          whole = &instruction;
        }
        continue;
      }
      if (whole == nullptr || instruction.keyword != "RUN") continue;
      const std::string script = ExecutedScript(instruction);
      if (!budget_.Spend(script.size())) return;
      const std::string what = DependenciesIn(script);
      if (what.empty()) continue;
      Add(*whole, Severity::kWarning, "docker/copy-before-install",
          fmt::format("every change of the sources runs line {} again, which installs {}",
                      instruction.line, what));
      if (what.ends_with(".txt")) {
        Correct(*whole, {fmt::format("COPY {} ./", what.substr(what.rfind('/') + 1)),
                         fmt::format("# ... line {} here, with that file ...", instruction.line),
                         whole->text});
      } else {
        Correct(*whole, {instruction.text, "# ... then ...", whole->text});
      }
      return;
    }
  }

  // What a script installs that does not depend on the sources.
  static std::string DependenciesIn(std::string_view script) {
    for (const ShellCommand& command : CommandsOf(script)) {
      if (AptVerb(command) == "install") return "packages of the system";
      if (!IsPipInstall(command)) continue;
      for (std::size_t i = 0; i + 1 < command.size(); ++i) {
        if (command[i] == "-r" || command[i] == "--requirement") return command[i + 1];
      }
      const bool is_local = std::ranges::any_of(command, [](const std::string& word) {
        return word == "." || word == "-e" || word.starts_with("./") || word.starts_with(".[") ||
               word.starts_with('/');
      });
      if (!is_local) return "Python packages";
    }
    return {};
  }

  void CheckRun(std::size_t stage, const DockerInstruction& run, std::string_view script) {
    bool updates = false;
    bool installs = false;
    bool asks = false;
    bool recommends = false;
    bool pip = false;
    for (const ShellCommand& command : CommandsOf(script)) {
      const std::string_view verb = AptVerb(command);
      updates = updates || verb == "update";
      if (verb == "install") {
        installs = true;
        asks = asks || (!HasWord(command, "-y") && !HasWord(command, "--yes") &&
                        !HasWord(command, "-yq") && !HasWord(command, "-qy") &&
                        !HasWord(command, "-qqy") && !HasWord(command, "-yqq") &&
                        !HasWord(command, "--assume-yes") && !HasWord(command, "-qq"));
        recommends = recommends || !HasWord(command, "--no-install-recommends");
      }
      pip = pip || (IsPipInstall(command) && !HasWord(command, "--no-cache-dir"));
    }
    if (updates && !installs && !Contains(script, "upgrade")) {
      Add(run, Severity::kWarning, "docker/apt-update-alone",
          "the package list is kept in this layer; a later install uses it when it is outdated");
      Correct(run, {"RUN apt-get update && apt-get install -y --no-install-recommends PACKAGE..."});
    }
    if (installs)
      CheckApt(stage, run, script, {.asks = asks, .recommends = recommends, .updates = updates});
    const bool is_said = std::ranges::any_of(artifact_.findings, [&](const Finding& finding) {
      return finding.code == "docker/no-cache-mount" && finding.place.line == run.line;
    });
    if (pip && shipped_.contains(stage) && !no_pip_cache_ && !is_said && !HasMount(run, "pip") &&
        !HasMount(run, ".cache")) {
      Add(run, Severity::kNote, "docker/pip-cache",
          "pip keeps its downloads in the image: CUDA wheels are gigabytes");
      CorrectInstall(run, "pip", "--no-cache-dir");
    }
  }

  struct AptUse {
    bool asks = false;
    bool recommends = false;
    bool updates = false;  ///< The lists are downloaded in this layer.
  };

  void CheckApt(std::size_t stage, const DockerInstruction& run, std::string_view script,
                AptUse use) {
    if (use.asks) {
      Add(run, Severity::kError, "docker/apt-asks",
          "apt-get install without -y waits for an answer, and the build fails");
      CorrectInstall(run, "apt", "-y");
    }
    if (!shipped_.contains(stage)) return;
    if (use.recommends) {
      Add(run, Severity::kNote, "docker/apt-recommends", "recommended packages are installed too");
      CorrectInstall(run, "apt", "--no-install-recommends");
    }
    const bool removes =
        Contains(script, "/var/lib/apt/lists") || Contains(script, "apt-get dist-clean");
    if (!use.updates || removes || HasMount(run, "/var/lib/apt")) return;
    Add(run, Severity::kNote, "docker/apt-lists", "the package lists of apt stay in this layer");
    const auto later = lists_.later.find(run.line);
    if (later == lists_.later.end()) {
      CorrectDockerEnd(artifact_, run, "rm -rf /var/lib/apt/lists/*");
    } else if (later->second.is_script) {
      artifact_.findings.back().hint = fmt::format(
          "remove them at the end of this line, if the script of line {} runs 'apt-get update' "
          "before it installs",
          later->second.line);
    } else {
      artifact_.findings.back().hint = fmt::format(
          "line {} installs from them: move its packages to this line, then remove the "
          "lists at its end",
          later->second.line);
    }
  }

  void CheckLists(const PackageListUse::Lacking& lacking) {
    const DockerInstruction& run = *lacking.run;
    Add(run, Severity::kError, "docker/apt-no-lists",
        fmt::format("apt-get finds no package to install: {} removed the package lists",
                    lacking.removed_at == run.line ? "a command before it"
                                                   : fmt::format("line {}", lacking.removed_at)));
    const std::string_view begin = Trim(run.arguments).substr(0, kStartOfScript);
    const std::size_t at = begin.empty() ? run.text.npos : run.text.find(begin);
    const bool is_list = begin.starts_with('[') || begin.starts_with('<');
    if (lacking.removed_at == run.line || is_list || at == run.text.npos ||
        Contains(run.text, "sudo")) {
      artifact_.findings.back().hint = "run 'apt-get update' before it";
      return;
    }
    std::string line = run.text;
    Correct(run, {line.insert(at, "apt-get update && ")});
  }

  void CheckAdd(const DockerInstruction& add) {
    const std::vector<std::string> words = ShellWords(add.arguments);
    if (words.size() < 2) return;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const std::string& source = words[i];
      const bool is_fetched = Contains(source, "://") || source.starts_with("git@");
      const bool is_archive = Contains(source, ".tar") || source.ends_with(".tgz") ||
                              source.ends_with(".gz") || source.ends_with(".xz") ||
                              source.ends_with(".bz2") || source.ends_with(".zst");
      if (is_fetched || is_archive || Contains(source, "$")) return;
    }
    Add(add, Severity::kNote, "docker/add-for-copy",
        "ADD also unpacks and downloads; COPY only copies");
    std::string line = add.text;
    if (const std::size_t at = LowerCase(line).find("add"); at != std::string::npos) {
      line.replace(at, 3, "COPY");
      Correct(add, {line});
    }
  }

  // In a shell, the program is not process 1, and does not get the signal to stop.
  void CheckForm() {
    const DockerInstruction* last = nullptr;
    for (const DockerInstruction& instruction : file_.stages.back().instructions) {
      if (instruction.keyword == "CMD" || instruction.keyword == "ENTRYPOINT") last = &instruction;
    }
    if (last == nullptr || last->arguments.empty() || last->arguments.front() == '[') return;
    const std::string& command = last->arguments;
    if (command.starts_with("exec ") || command.find_first_of("&|;$<>*") != std::string::npos)
      return;
    Add(*last, Severity::kNote, "docker/shell-form",
        "shell form: a shell runs the program, so it does not receive signals such as SIGTERM");
    std::vector<std::string> quoted;
    for (const std::string& word : ShellWords(command))
      quoted.push_back(fmt::format("\"{}\"", word));
    Correct(*last, {fmt::format("{} [{}]", last->keyword, Join(quoted, ", "))});
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
  std::set<std::size_t> shipped_;
  PackageListUse lists_;
  bool no_pip_cache_ = false;
};

}  // namespace

std::set<std::size_t> ShippedStages(const Dockerfile& file) {
  std::set<std::size_t> shipped;
  if (file.stages.empty()) return shipped;
  std::optional<std::size_t> at = file.stages.size() - 1;
  while (at) {
    shipped.insert(*at);
    at = file.stages[*at].base_stage;
  }
  return shipped;
}

void CheckShipped(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  if (!file.stages.empty()) Shipped(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
