// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/pip/image_python.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/docker/rules/linux_system.h"

namespace sibyl::inspect {
namespace {

// "3.10" at the beginning of "3.10.14-slim"; empty without two numbers.
std::string LeadingVersion(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == text.npos || dot == 0 || dot + 1 >= text.size() || !IsDigit(text[dot + 1])) return {};
  if (!std::ranges::all_of(text.substr(0, dot), [](char c) { return IsDigit(c); })) return {};
  std::size_t end = dot + 1;
  while (end < text.size() && IsDigit(text[end])) ++end;
  return std::string(text.substr(0, end));
}

std::string PythonOfImage(std::string_view image) {
  std::string_view name = image.substr(0, image.find('@'));
  for (const std::string_view registry : {"docker.io/", "library/"}) {
    if (name.starts_with(registry)) name.remove_prefix(registry.size());
  }
  constexpr std::string_view kPython = "python:";
  if (name.starts_with(kPython)) return LeadingVersion(name.substr(kPython.size()));
  const LinuxSystem system = SystemOf(image);
  const field::System* row = field::FindSystem(system.name, system.version);
  return row == nullptr ? std::string() : std::string(row->python);
}

// A program that may bring another Python, or "python3.11" in an image with 3.10.
bool MayBringAnother(std::string_view script, std::string_view version) {
  for (const std::string_view sign :
       {"conda", "mamba", "pyenv", "deadsnakes", "pixi", "altinstall", "uv python", "uv venv",
        "uv sync", "alternatives", "Python-3", "python$", "python3$", "python3.$", "nix"}) {
    if (Contains(script, sign)) return true;
  }
  constexpr std::string_view kName = "python3.";
  for (std::size_t at = script.find(kName); at != script.npos; at = script.find(kName, at + 1)) {
    const std::string named = LeadingVersion(script.substr(at + kName.size() - 2));
    if (!named.empty() && named != version) return true;
  }
  return false;
}

std::string_view WithoutEnd(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

// Brings what another image has: perhaps its Python.
bool CopiesPrograms(const DockerInstruction& at) {
  if (!at.Flag("from") || at.keyword != "COPY") return false;
  const std::vector<std::string> words = ShellWords(at.arguments);
  if (words.empty()) return false;
  const std::string& to = words.back();
  return to == "/" || to == "/usr" || to == "/usr/" || to == "/usr/local" || to == "/usr/local/" ||
         WithoutEnd(to) == "/usr/local/bin" || WithoutEnd(to) == "/usr/bin" ||
         to.starts_with("/opt/python");
}

}  // namespace

std::string PythonOfStage(const Dockerfile& file, std::size_t stage, ScriptBudget& budget) {
  const DockerStage& root = file.Root(stage);
  std::string version = root.is_resolved ? PythonOfImage(root.image) : std::string();
  if (version.empty()) return {};
  for (std::optional<std::size_t> at = stage; at; at = file.stages[*at].base_stage) {
    for (const DockerInstruction& each : file.stages[*at].instructions) {
      if (each.keyword == "FROM") continue;
      const std::string script = each.Script();
      const bool is_path = each.keyword == "COPY" && Contains(script, "-packages");
      if (!budget.Spend(8 * script.size()) || CopiesPrograms(each) ||
          (!is_path && MayBringAnother(script, version))) {
        return {};
      }
    }
  }
  return version;
}

std::string PythonOfPip(const ShellCommand& command, std::string_view of_stage) {
  if (!IsPipInstall(command)) return {};  // uv downloads a Python if it likes
  for (const std::string& word : command) {
    if (word == "install") break;
    const std::string_view name = std::string_view(word).substr(word.rfind('/') + 1);
    for (const std::string_view program : {"python", "pip"}) {
      std::string version =
          name.starts_with(program) ? LeadingVersion(name.substr(program.size())) : std::string();
      if (!version.empty()) return version;
    }
  }
  const bool is_elsewhere = std::ranges::any_of(command, [](const std::string& word) {
    return word == "--python-version" || word.starts_with("--python-version=") ||
           word == "--platform" || word == "--python";
  });
  return is_elsewhere ? std::string() : std::string(of_stage);
}

}  // namespace sibyl::inspect
