// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/rules/docker_rules.h"

namespace sibyl::inspect {
namespace {

bool IsWholeSystem(std::string_view path) { return path == "/" || path == "/*" || path == "/."; }

class Structure {
 public:
  Structure(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (const DockerStage& stage : file_.stages) {
      CheckFrom(stage);
      for (const DockerInstruction& at : stage.instructions) {
        if (!budget_.Spend(at.arguments.size())) return;
        if (at.keyword == "ONBUILD") CheckTrigger(at);
        if (at.keyword == "COPY") CheckWholeCopy(at);
        CheckVariablesOfFrom(at);
      }
    }
  }

 private:
  Finding& Add(const DockerInstruction& at, Severity severity, std::string code,
               std::string message) {
    return AddDockerFinding(artifact_, at, severity, std::move(code), std::move(message));
  }

  void CheckFrom(const DockerStage& stage) {
    const DockerInstruction& from = stage.instructions[0];
    const std::string name = LowerCase(stage.name);
    if (name == "scratch" || name == "context") {
      Add(from, Severity::kError, "docker/stage-reserved",
          fmt::format("'{}' has a meaning of its own for Docker, so no stage can have that name",
                      stage.name))
          .hint = "give the stage another name";
    }
    const std::string platform = from.Flag("platform").value_or("");
    if (platform != "$TARGETPLATFORM" && platform != "${TARGETPLATFORM}") return;
    Add(from, Severity::kNote, "docker/platform-redundant",
        "FROM takes the image of the target platform anyway");
    CorrectDockerText(artifact_, from, fmt::format("--platform={} ", platform), "");
  }

  // Only ONBUILD itself, FROM and MAINTAINER are refused; others are kept as triggers.
  void CheckTrigger(const DockerInstruction& at) {
    const std::vector<std::string> words = ShellWords(at.arguments);
    const std::string trigger = words.empty() ? std::string() : LowerCase(words[0]);
    if (trigger != "onbuild" && trigger != "from" && trigger != "maintainer") return;
    Add(at, Severity::kError, "docker/onbuild",
        fmt::format("ONBUILD cannot trigger {}: the build fails", words[0]));
    if (trigger == "onbuild") {
      CorrectDockerText(artifact_, at, words[0] + " ", "");
    } else {
      artifact_.findings.back().hint = "remove it";
    }
  }

  // Takes compilers, caches and logs along, and the layers of the base image once more.
  void CheckWholeCopy(const DockerInstruction& copy) {
    const std::optional<std::string> from = copy.Flag("from");
    const std::vector<std::string> words = ShellWords(copy.arguments);
    if (!from || words.size() != 2 || words[1] != "/" || !IsWholeSystem(words[0])) return;
    Add(copy, Severity::kWarning, "docker/copy-all",
        fmt::format("everything of {} is copied, with its compilers, caches and system files",
                    *from))
        .hint = "copy the folders that the program needs";
  }

  void CheckVariablesOfFrom(const DockerInstruction& at) {
    std::string source = at.keyword == "COPY" ? at.Flag("from").value_or("") : std::string();
    for (const std::string& flag : at.flags) {
      const std::size_t from = flag.find("from=");
      if (at.keyword != "RUN" || !flag.starts_with("--mount=") || from == flag.npos) continue;
      source = flag.substr(from + 5, flag.find(',', from) - from - 5);
    }
    if (!Contains(source, "$")) return;
    Add(at, Severity::kError, "docker/unknown-stage",
        fmt::format("from={}: variables are not expanded there, and the build fails", source))
        .hint =
        fmt::format("begin a stage with 'FROM {} AS source', and take it from there", source);
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

}  // namespace

void CheckStructure(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Structure(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
