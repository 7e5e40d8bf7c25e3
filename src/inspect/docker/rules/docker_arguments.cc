// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <functional>
#include <map>
#include <set>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/docker_image.h"
#include "inspect/docker/rules/docker_rules.h"

namespace sibyl::inspect {
namespace {

using NameSet = std::set<std::string, std::less<>>;

// Docker sets these for every FROM.
constexpr std::array<std::string_view, 8> kOfPlatform = {
    "TARGETPLATFORM", "TARGETOS", "TARGETARCH", "TARGETVARIANT",
    "BUILDPLATFORM",  "BUILDOS",  "BUILDARCH",  "BUILDVARIANT"};

struct Use {
  std::string name;
  bool has_default = false;  ///< "${X:-y}"
};

// The variables of a text; those in single quotes stay as they are.
std::vector<Use> UsedVariables(std::string_view text) {
  std::vector<Use> uses;
  char quote = '\0';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;
    } else if (c == '\'' && quote != '"') {
      quote = quote == '\'' ? '\0' : '\'';
    } else if (c == '"' && quote != '\'') {
      quote = quote == '"' ? '\0' : '"';
    } else if (c == '$' && quote != '\'') {
      const bool is_braced = at + 1 < text.size() && text[at + 1] == '{';
      const std::size_t begin = at + (is_braced ? 2 : 1);
      std::size_t end = begin;
      while (end < text.size() && IsNameByte(text[end])) ++end;
      if (end == begin || IsDigit(text[begin])) continue;
      const char after = is_braced && end < text.size() ? text[end] : '}';
      uses.push_back({.name = std::string(text.substr(begin, end - begin)),
                      .has_default = after == ':' || after == '-' || after == '+' || after == '?'});
      at = end - 1;
    }
  }
  return uses;
}

// "A=1 B=2", "A 1", "A": the names that an ENV or ARG sets.
void AddNames(const DockerInstruction& at, NameSet& names) {
  bool is_first = true;
  for (const std::string& word : ShellWords(at.arguments)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos && !is_first && at.keyword == "ENV") return;
    names.insert(word.substr(0, equals));
    is_first = false;
  }
}

// "read X", "for X in", "X=1": set by the script itself.
bool IsSetIn(std::string_view script, std::string_view name) {
  for (std::size_t at = script.find(name); at != script.npos; at = script.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins =
        at == 0 || (!IsNameByte(script[at - 1]) && script[at - 1] != '$' && script[at - 1] != '{');
    if (!begins || (end < script.size() && IsNameByte(script[end]))) continue;
    if (end < script.size() && script[end] == '=') {
      // "X=$X" has the value that it had.
      const std::string_view value = script.substr(end + 1);
      const bool is_itself = value.starts_with(fmt::format("${}", name)) ||
                             value.starts_with(fmt::format("${{{}}}", name)) ||
                             value.starts_with(fmt::format("\"${}", name)) ||
                             value.starts_with(fmt::format("\"${{{}}}", name));
      if (!is_itself) return true;
      continue;
    }
    const std::string_view before = script.substr(0, at);
    if (before.ends_with("for ") || before.ends_with("read ") || before.ends_with("export ")) {
      return true;
    }
  }
  return false;
}

class Scopes {
 public:
  Scopes(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      CheckFrom(file_.stages[i]);
      if (!CheckStage(i)) return;
    }
  }

 private:
  // An ARG of a stage is not there yet.
  void CheckFrom(const DockerStage& stage) {
    const DockerInstruction& from = stage.instructions[0];
    std::string text = from.arguments;
    for (const std::string& flag : from.flags) text += " " + flag;
    for (const Use& use : UsedVariables(text)) {
      if (use.has_default || file_.declared.contains(use.name) || IsOneOf(use.name, kOfPlatform)) {
        continue;
      }
      AddDockerFinding(
          artifact_, from, Severity::kError, "docker/arg-undeclared",
          fmt::format("no ARG above the first FROM declares {}: it is empty here", use.name));
      const DockerInstruction* late = DeclaredIn(use.name);
      if (late != nullptr && Contains(late->arguments, "=") && !file_.stages.empty()) {
        const DockerInstruction& first = file_.stages[0].instructions[0];
        CorrectDockerLine(artifact_, first, {late->text, first.text});
      } else {
        artifact_.findings.back().hint =
            fmt::format("write 'ARG {}=VALUE' above the first FROM", use.name);
      }
      return;
    }
  }

  // The ARG of a stage that has this name, on one line; nullptr if there is none.
  const DockerInstruction* DeclaredIn(std::string_view name) const {
    for (const DockerStage& stage : file_.stages) {
      for (const DockerInstruction& at : stage.instructions) {
        const bool is_it = at.keyword == "ARG" && !at.is_trigger && at.lines.size() == 1 &&
                           at.arguments.starts_with(fmt::format("{}=", name));
        if (is_it) return &at;
      }
    }
    return nullptr;
  }

  // False when the budget is spent.
  bool CheckStage(std::size_t number) {
    const DockerStage& stage = file_.stages[number];
    NameSet& names = names_[number];
    if (stage.base_stage && *stage.base_stage < number) names = names_[*stage.base_stage];
    for (const DockerInstruction& at : stage.instructions) {
      if (at.keyword == "FROM") continue;
      const std::string script = at.Script();
      if (!budget_.Spend(2 * script.size())) return false;
      if (at.keyword == "ARG" || at.keyword == "ENV") {
        if (at.keyword == "ENV") CheckUse(number, at, script, names);
        AddNames(at, names);
      } else if (at.keyword == "RUN" || at.keyword == "COPY" || at.keyword == "ADD" ||
                 at.keyword == "WORKDIR" || at.keyword == "LABEL" || at.keyword == "USER") {
        CheckUse(number, at, script, names);
      }
    }
    return true;
  }

  // An ARG above the first FROM is only for the FROMs, until the stage says that it wants it too.
  void CheckUse(std::size_t number, const DockerInstruction& at, std::string_view script,
                NameSet& names) {
    if (at.arguments.starts_with('[')) return;
    NameSet seen;
    for (const Use& use : UsedVariables(script)) {
      if (use.has_default || !file_.declared.contains(use.name) || names.contains(use.name)) {
        continue;
      }
      if (!seen.insert(use.name).second || !budget_.Spend(script.size())) continue;
      if (at.keyword == "RUN" && IsSetIn(script, use.name)) continue;
      if (MaySet(file_.Root(number).image, use.name)) continue;
      names.insert(use.name);  // said once for a stage
      AddDockerFinding(artifact_, at, Severity::kError, "docker/arg-not-in-stage",
                       fmt::format("{} is empty here: an ARG above the first FROM is only for FROM "
                                   "lines, and a stage that needs it declares it again",
                                   use.name));
      CorrectDockerLine(artifact_, at, {"ARG " + use.name, at.text});
    }
  }

  // Images set the versions of what they contain.
  static bool MaySet(std::string_view image, std::string_view name) {
    if (!name.ends_with("VERSION")) return false;
    const CudaImage about = DescribeImage(image);
    if (!about.is_known || about.has_torch) return true;
    if (about.variant != CudaVariant::kNone) {
      return name.starts_with("CUDA") || name.starts_with("NV") || name.starts_with("NCCL") ||
             name.starts_with("CUDNN");
    }
    return Contains(image, LowerCase(name.substr(0, name.find('_'))));  // PYTHON_VERSION
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
  std::map<std::size_t, NameSet> names_;  ///< At the end of each stage.
};

}  // namespace

void CheckArguments(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  Scopes(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
