// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/shell/shell_commands.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "inspect/docker/shell/shell_script.h"

namespace sibyl::inspect {
namespace {

// Options of pip and uv that are followed by a value.
bool TakesValue(std::string_view option) {
  constexpr std::string_view kOptions[] = {"-r",
                                           "--requirement",
                                           "-c",
                                           "--constraint",
                                           "-i",
                                           "--index-url",
                                           "--extra-index-url",
                                           "-f",
                                           "--find-links",
                                           "-t",
                                           "--target",
                                           "--python",
                                           "--prefix",
                                           "--platform",
                                           "-w",
                                           "--wheel-dir",
                                           "-e",
                                           "--editable",
                                           "-p",
                                           "--root",
                                           "--trusted-host",
                                           "--no-binary",
                                           "--only-binary",
                                           "--cache-dir",
                                           "--config-settings",
                                           "--global-option",
                                           "--build-option"};
  return std::ranges::find(kOptions, option) != std::end(kOptions);
}

}  // namespace

std::vector<ShellCommand> CommandsOf(std::string_view script) {
  std::vector<ShellCommand> commands(1);
  for (ShellToken& token : ShellTokens(script)) {
    if (!token.is_operator) {
      commands.back().push_back(std::move(token.text));
    } else if (!commands.back().empty()) {
      commands.emplace_back();
    }
  }
  return commands;
}

bool HasWord(const ShellCommand& command, std::string_view word) {
  return std::ranges::find(command, word) != command.end();
}

bool HasPhrase(const ShellCommand& command, std::string_view words) {
  for (std::size_t begin = 0; begin < command.size(); ++begin) {
    std::string_view left = words;
    std::size_t at = begin;
    while (!left.empty() && at < command.size()) {
      const std::string_view word = left.substr(0, left.find(' '));
      std::string_view there = command[at];
      if (at == begin && !word.starts_with('-')) there.remove_prefix(there.rfind('/') + 1);
      if (there != word) break;
      left.remove_prefix(std::min(word.size() + 1, left.size()));
      ++at;
    }
    if (left.empty()) return true;
  }
  return false;
}

std::string ProgramOf(const ShellCommand& command) {
  for (const std::string& word : command) {
    if (word == "sudo" || word == "env" || word == "exec" || word == "time") continue;
    if (word.starts_with("<<")) continue;
    if (word.find('=') != std::string::npos && !word.starts_with('-')) continue;
    return word.substr(word.rfind('/') + 1);
  }
  return {};
}

bool IsCudaBuildOfCMake(const ShellCommand& command) {
  if (ProgramOf(command) != "cmake") return false;
  return std::ranges::any_of(command, [](const std::string& word) {
    if (!word.starts_with("-D")) return false;
    const std::string lower = LowerCase(word);
    const std::string_view name = std::string_view(lower).substr(0, lower.find('='));
    const bool is_off =
        lower.ends_with("=off") || lower.ends_with("=0") || lower.ends_with("=false");
    return (Contains(name, "cuda") && name != "-dcudatoolkit_root" && !is_off) ||
           lower.ends_with("=cuda");
  });
}

std::string_view AptVerb(const ShellCommand& command) {
  const std::string program = ProgramOf(command);
  if (program != "apt-get" && program != "apt") return {};
  for (const std::string& word : command) {
    for (const std::string_view verb :
         {"install", "update", "upgrade", "dist-upgrade", "full-upgrade"}) {
      if (word == verb) return word;
    }
  }
  return {};
}

bool IsPipInstall(const ShellCommand& command) {
  for (std::size_t i = 0; i + 1 < command.size(); ++i) {
    const std::string_view name = std::string_view(command[i]).substr(command[i].rfind('/') + 1);
    const bool is_pip = name == "pip" || name == "pip3" || name.starts_with("pip3.");
    // uv and a build backend have caches of their own.
    const bool is_of_uv = i > 0 && command[i - 1] == "uv";
    if (is_pip && !is_of_uv && command[i + 1] == "install") return true;
  }
  return false;
}

std::vector<std::string> PythonPackagesIn(const ShellCommand& command) {
  const bool is_uv =
      ProgramOf(command) == "uv" && (HasWord(command, "pip") || HasWord(command, "add"));
  const bool is_poetry = ProgramOf(command) == "poetry" && HasWord(command, "add");
  if (!IsPipInstall(command) && !is_uv && !is_poetry) return {};
  const auto verb = std::ranges::find_if(
      command, [](const std::string& word) { return word == "install" || word == "add"; });
  std::vector<std::string> packages;
  for (auto at = verb == command.end() ? verb : std::next(verb); at != command.end(); ++at) {
    if (TakesValue(*at)) {
      if (++at == command.end()) break;
      continue;
    }
    if (!at->starts_with('-') && *at != ">" && !at->starts_with(">")) packages.push_back(*at);
  }
  return packages;
}

std::string PackageName(std::string_view requirement) {
  const std::size_t at_url = requirement.find("@ ");
  if (at_url != requirement.npos) requirement = requirement.substr(0, at_url);
  const bool is_url = Contains(requirement, "://");
  if (is_url) {
    requirement = requirement.substr(0, requirement.find_first_of("#?"));
    const std::size_t slash = requirement.rfind('/');
    requirement.remove_prefix(slash + 1);
    requirement = requirement.substr(0, requirement.find('@'));
    if (requirement.ends_with(".git")) requirement.remove_suffix(4);
  } else {
    requirement = requirement.substr(0, requirement.find_first_of("=<>~![;@ "));
  }
  std::string name = LowerCase(requirement);
  std::ranges::replace(name, '_', '-');
  return name;
}

}  // namespace sibyl::inspect
