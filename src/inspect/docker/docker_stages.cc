// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/ascii.h"
#include "base/nearest_name.h"
#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// "root", "0:0", "root:video"
bool IsRoot(std::string_view user) {
  const std::string_view name = user.substr(0, user.find(':'));
  return name == "root" || name == "0";
}

// The name that useradd or adduser creates: its last word that is not an option's value.
std::string CreatedUser(std::string_view script) {
  for (const ShellCommand& command : CommandsOf(script)) {
    const std::string program = ProgramOf(command);
    if (program != "useradd" && program != "adduser") continue;
    const std::string& last = command.back();
    const bool is_name =
        !last.empty() && IsLetter(last[0]) &&
        std::ranges::all_of(last, [](char c) { return IsNameByte(c) || c == '-'; });
    if (is_name) return last;
  }
  return {};
}

class Stages {
 public:
  Stages(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    if (!file_.before.empty()) CheckBeforeFrom(file_.before.front());
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      CheckName(i);
      CheckBase(i);
      // Images that are not known may have set one.
      const CudaImage image = DescribeImage(file_.Root(i).image);
      bool has_folder = !image.is_known || file_.stages[i].base_stage;
      folders_ = FoldersBefore(i);
      for (const DockerInstruction& at : file_.stages[i].instructions) {
        if (at.keyword == "WORKDIR") has_folder = true;
        if (at.keyword == "COPY") CheckSource(at, i, at.Flag("from"));
        if (at.keyword == "COPY" || at.keyword == "ADD") {
          has_folder = CheckDestination(at, has_folder) || has_folder;  // said once for a stage
        }
        if (at.keyword == "RUN") CheckMounts(at, i);
        AddFolders(at, folders_);
      }
    }
    CheckUser();
  }

 private:
  Finding& Add(const DockerInstruction& at, Severity severity, std::string code,
               std::string message) {
    return AddDockerFinding(artifact_, at, severity, std::move(code), std::move(message));
  }

  // What an instruction makes a folder.
  void AddFolders(const DockerInstruction& at, std::set<std::string>& folders) {
    if (!budget_.Spend(at.arguments.size())) return;
    const auto add = [&](std::string_view folder) {
      while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
      folders.emplace(folder);
    };
    if (at.keyword == "WORKDIR") add(Trim(at.arguments));
    if (at.keyword == "COPY" || at.keyword == "ADD") {
      const std::vector<std::string> words = ShellWords(at.arguments);
      if (words.size() < 2) return;
      const bool is_folder = words.back().ends_with('/') || words[0].ends_with('/') ||
                             words[0] == "." || words.size() > 2;
      if (is_folder) add(words.back());
    }
    if (at.keyword != "RUN" || !Contains(at.arguments, "mkdir")) return;
    for (const ShellCommand& command : CommandsOf(ExecutedScript(at))) {
      if (ProgramOf(command) != "mkdir") continue;
      for (const std::string& word : command) add(word);
    }
  }

  // Those of every system, and those of the stages that a stage is built on.
  std::set<std::string> FoldersBefore(std::size_t stage) {
    std::set<std::string> folders = {"/usr/local/bin", "/usr/bin",  "/usr/local/lib", "/usr/lib",
                                     "/usr/local",     "/bin",      "/lib",           "/opt",
                                     "/usr/include",   "/tmp",      "/etc",           "/root",
                                     "/usr/share",     "/usr/sbin", "/home",          "/var"};
    for (std::optional<std::size_t> at = file_.stages[stage].base_stage; at;
         at = file_.stages[*at].base_stage) {
      if (!budget_.Spend(file_.stages[*at].instructions.size())) return folders;
      for (const DockerInstruction& each : file_.stages[*at].instructions) {
        AddFolders(each, folders);
      }
    }
    return folders;
  }

  void CheckBeforeFrom(const DockerInstruction& at) {
    Add(at, Severity::kError, "docker/before-from",
        fmt::format("only ARG may come before the first FROM: the build fails at {}", at.keyword))
        .hint = "move it below a FROM";
  }

  void CheckName(std::size_t number) {
    const DockerStage& stage = file_.stages[number];
    if (stage.name.empty() || !budget_.Spend(number * stage.name.size())) return;
    const std::optional<std::size_t> first = file_.FindStage(stage.name);
    if (!first || *first >= number) return;
    Add(stage.instructions[0], Severity::kError, "docker/stage-twice",
        fmt::format("line {} begins a stage named '{}' too",
                    file_.stages[*first].instructions[0].line, stage.name))
        .hint = "give each stage its own name";
  }

  // For suggestions. Comparing with every stage of a file with thousands would take
  // quadratic time.
  std::vector<std::string> NamesBefore(std::size_t stage) const {
    constexpr std::size_t kMostNames = 64;
    std::vector<std::string> names;
    for (std::size_t i = stage > kMostNames ? stage - kMostNames : 0; i < stage; ++i) {
      if (!file_.stages[i].name.empty()) names.push_back(file_.stages[i].name);
    }
    return names;
  }

  // "FROM buidler": taken for an image of that name.
  void CheckBase(std::size_t number) {
    const DockerStage& stage = file_.stages[number];
    if (stage.base_stage || !stage.is_resolved || number == 0) return;
    if (stage.image.find_first_of("/:@$") != std::string::npos || stage.image == "scratch") return;
    if (DescribeImage(stage.image).is_known || !budget_.Spend(number * stage.image.size())) return;
    const auto nearest = NearestName(stage.image, NamesBefore(number));
    if (!nearest) return;
    const DockerInstruction& from = stage.instructions[0];
    Add(from, Severity::kError, "docker/unknown-stage",
        fmt::format("no stage is named '{}': it is taken for an image, and the build fails",
                    stage.image));
    CorrectDockerText(artifact_, from, stage.image, *nearest);
  }

  // Stops at the first that is wrong.
  void CheckMounts(const DockerInstruction& run, std::size_t stage) {
    const std::size_t before = artifact_.findings.size();
    for (const std::string& flag : run.flags) {
      if (artifact_.findings.size() > before) return;
      if (!flag.starts_with("--mount=")) continue;
      for (const std::string_view setting : {",from=", "=from="}) {
        const std::size_t at = flag.find(setting);
        if (at == std::string::npos) continue;
        const std::string_view rest = std::string_view(flag).substr(at + setting.size());
        CheckSource(run, stage, std::string(rest.substr(0, rest.find(','))));
      }
    }
  }

  void CheckImageVersion(const DockerInstruction& at, std::string_view image) {
    const std::string_view name = image.substr(image.rfind('/') + 1);
    const bool is_image = image.find_first_of("/:") != image.npos && !Contains(image, "$");
    if (!is_image || Contains(image, "@")) return;
    if (Contains(name, ":") && !name.ends_with(":latest")) return;
    Add(at, Severity::kNote, "docker/unpinned-image",
        fmt::format(
            "{} has no version, or the tag latest: the next build may copy from another one",
            image))
        .hint = "name a version";
  }

  // "COPY --from=buidler": taken for an image of that name, and not found.
  void CheckSource(const DockerInstruction& at, std::size_t stage,
                   const std::optional<std::string>& from) {
    if (!from || from->empty() || at.is_trigger) return;
    CheckImageVersion(at, *from);
    if (from->find_first_of("/:@$") != std::string::npos) return;
    if (!budget_.Spend(stage * from->size())) return;  // every stage is looked at
    const std::optional<std::size_t> found = file_.FindStage(*from);
    if (found && *found < stage) return;
    const bool is_number = std::ranges::all_of(*from, [](char c) { return IsDigit(c); });
    if (is_number || found) {
      Add(at, Severity::kError, "docker/unknown-stage",
          fmt::format("no earlier stage is '{}': the build fails", *from))
          .hint =
          is_number ? "stages are counted from 0" : "only earlier stages can be copied from";
      return;
    }
    if (DescribeImage(*from).is_known) {
      Add(at, Severity::kNote, "docker/unpinned-image",
          fmt::format("{} has no version: the next build may copy from another one", *from))
          .hint = fmt::format("name a version, such as --from={}:VERSION", *from);
      return;
    }
    const auto nearest = NearestName(*from, NamesBefore(stage));
    Finding& finding =
        Add(at, nearest ? Severity::kError : Severity::kWarning, "docker/unknown-stage",
            fmt::format("no stage is named '{}': it is taken for an image{}", *from,
                        nearest ? ", and the build fails" : ""));
    if (nearest) {
      CorrectDockerText(artifact_, at, "from=" + *from, "from=" + *nearest);
    } else {
      finding.hint = fmt::format(
          "name a stage with AS {0}; if the image is meant, write its version: {0}:VERSION", *from);
    }
  }

  // True if it said that a path is relative.
  bool CheckDestination(const DockerInstruction& copy, bool has_folder) {
    if (!copy.here.empty() || copy.arguments.starts_with('[')) return false;
    const std::vector<std::string> words = ShellWords(copy.arguments);
    if (words.size() < 2) return false;
    const std::string& destination = words.back();
    if (words.size() > 2 && !destination.ends_with('/') && destination != "." &&
        destination.find('$') == std::string::npos && !destination.ends_with("/.")) {
      if (folders_.contains(destination)) {
        Add(copy, Severity::kNote, "docker/copy-destination",
            fmt::format("several files are copied, so '{}' should end with /: only BuildKit finds "
                        "out that it is a folder",
                        destination));
      } else {
        Add(copy, Severity::kError, "docker/copy-destination",
            fmt::format("several files are copied, so '{}' must end with /: the build fails, or "
                        "BuildKit writes them all to one file",
                        destination));
      }
      const std::string& last = copy.lines.back();
      if (last.ends_with(destination)) {
        CorrectDockerLine(artifact_, {.line = copy.line + copy.lines.size() - 1}, {last + "/"});
      } else {
        artifact_.findings.back().hint = fmt::format("write {}/", destination);
      }
      return false;
    }
    const bool is_relative = destination[0] != '/' && destination[0] != '$' &&
                             !(destination.size() > 1 && destination[1] == ':');
    if (has_folder || !is_relative) return false;
    Add(copy, Severity::kNote, "docker/copy-relative",
        fmt::format("'{}' is relative, and no WORKDIR says to what", destination))
        .hint = "set a WORKDIR above it, or write the whole path";
    return true;
  }

  // The last USER of the shipped stages decides.
  void CheckUser() {
    if (file_.stages.empty()) return;
    std::optional<std::size_t> at = file_.stages.size() - 1;
    std::string other;  // a user that exists
    while (at) {
      const std::vector<DockerInstruction>& all = file_.stages[*at].instructions;
      for (auto each = all.rbegin(); each != all.rend(); ++each) {
        if (each->keyword == "RUN" && other.empty()) other = CreatedUser(ExecutedScript(*each));
        if (each->keyword != "USER") continue;
        if (IsRoot(Trim(each->arguments))) SayRoot(*each, other, std::next(each), all.rend());
        return;
      }
      at = file_.stages[*at].base_stage;
    }
  }

  template <typename Iterator>
  void SayRoot(const DockerInstruction& user, std::string other, Iterator before, Iterator end) {
    for (; before != end && other.empty(); ++before) {
      const std::string_view name = Trim(before->arguments);
      if (before->keyword == "USER" && !IsRoot(name)) other = name;
      if (before->keyword == "RUN") other = CreatedUser(ExecutedScript(*before));
    }
    Add(user, Severity::kWarning, "docker/user-root", "the container runs as root").hint =
        "end with the USER that the program needs; GPUs do not need root";
    if (other.empty()) return;
    // Where the program starts, everything that needs root is done.
    for (const DockerInstruction& last : file_.stages.back().instructions) {
      const bool starts = last.keyword == "CMD" || last.keyword == "ENTRYPOINT";
      if (!starts || last.line < user.line) continue;
      CorrectDockerLine(artifact_, last, {"USER " + other, last.text});
      return;
    }
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
  std::set<std::string> folders_;  ///< That exist in the stage that is checked.
};

}  // namespace

void CheckStages(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Stages(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
