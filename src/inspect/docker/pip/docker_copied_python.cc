// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "inspect/docker/docker_finding.h"
#include "inspect/docker/pip/docker_pip.h"
#include "inspect/docker/pip/image_python.h"
#include "inspect/docker/shell/shell_commands.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// "3.11" of "/usr/local/lib/python3.11/site-packages"; empty without a folder of packages.
std::string PythonOfPath(std::string_view path) {
  constexpr std::string_view kFolder = "/lib/python3.";
  const std::size_t at = path.find(kFolder);
  if (at == path.npos || !Contains(path, "-packages")) return {};
  const std::string_view rest = path.substr(at + kFolder.size());
  const std::string_view minor = rest.substr(0, rest.find('/'));
  const bool is_number =
      !minor.empty() && std::ranges::all_of(minor, [](char c) { return IsDigit(c); });
  return is_number ? fmt::format("3.{}", minor) : std::string();
}

std::string_view WithoutSlash(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

bool IsImageOfPython(std::string_view image) {
  return image.starts_with("python:") || image.starts_with("docker.io/python:") ||
         image.starts_with("docker.io/library/python:");
}

class CopiedPython {
 public:
  CopiedPython(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact)
      : file_(file), budget_(budget), artifact_(artifact) {}

  void Check() {
    for (std::size_t i = 0; i < file_.stages.size(); ++i) {
      for (const DockerInstruction& copy : file_.stages[i].instructions) {
        const std::optional<std::string> from = copy.Flag("from");
        if (copy.keyword != "COPY" || !from || copy.is_trigger) continue;
        if (!budget_.Spend(copy.arguments.size() + file_.stages.size())) return;
        const std::optional<std::size_t> source = file_.FindStage(*from);
        if (CheckCopy(i, copy, source && *source < i ? source : std::nullopt)) break;
      }
    }
  }

 private:
  // True if it said something: once is enough for a stage.
  bool CheckCopy(std::size_t stage, const DockerInstruction& copy,
                 std::optional<std::size_t> source) {
    const std::vector<std::string> words = ShellWords(copy.arguments);
    if (words.size() != 2 || !words[0].starts_with('/')) return false;
    const std::string packages = PythonOfPath(words[0]);
    const bool is_environment =
        packages.empty() && source && MakesEnvironment(*source, WithoutSlash(words[0]));
    if (packages.empty() && !is_environment) return false;
    const std::string here = PythonOfStage(file_, stage, budget_);
    const std::string there = packages.empty() ? PythonOfStage(file_, *source, budget_) : packages;
    if (here.empty() || there.empty()) return false;
    const std::string& image = file_.Root(stage).image;
    if (here != there) {
      AddDockerFinding(
          artifact_, copy, Severity::kError, "docker/python-differs",
          fmt::format("what is copied was installed for Python {}, and {} has Python {}", there,
                      image, here))
          .hint = "install and run with one Python, or copy the Python too";
      return true;
    }
    // Its python is a link to /usr/local/bin, which only images of Python have.
    const bool dangles =
        is_environment && IsImageOfPython(file_.Root(*source).image) && !IsImageOfPython(image);
    if (!dangles) return false;
    AddDockerFinding(artifact_, copy, Severity::kError, "docker/python-differs",
                     fmt::format("the virtual environment {} links to /usr/local/bin/python, which "
                                 "{} does not have",
                                 words[0], image))
        .hint = "make the environment on the image that runs it";
    return true;
  }

  // "python3 -m venv /opt/venv", in the stage or one that it is built on.
  bool MakesEnvironment(std::size_t stage, std::string_view path) {
    for (std::optional<std::size_t> at = stage; at; at = file_.stages[*at].base_stage) {
      for (const DockerInstruction& run : file_.stages[*at].instructions) {
        if (run.keyword != "RUN") continue;
        const std::string script = ExecutedScript(run);
        if (!budget_.Spend(2 * script.size())) return false;
        for (const ShellCommand& command : CommandsOf(script)) {
          const bool is_it = HasPhrase(command, "-m venv") && !HasWord(command, "--copies") &&
                             std::ranges::any_of(command, [&](const std::string& word) {
                               return WithoutSlash(word) == path;
                             });
          if (is_it) return true;
        }
      }
    }
    return false;
  }

  const Dockerfile& file_;
  ScriptBudget& budget_;
  Artifact& artifact_;
};

}  // namespace

void CheckCopiedPython(const Dockerfile& file, ScriptBudget& budget, Artifact& artifact) {
  CopiedPython(file, budget, artifact).Check();
}

}  // namespace sibyl::inspect
