// SPDX-License-Identifier: Apache-2.0
#include "library/disk.h"

#include <chrono>

namespace sibyl::library {

namespace fs = std::filesystem;

Status Disk::MakeFolders(const Root& oracle, const fs::path& path) {
  return oracle.MakeFolders(path);
}

Status Disk::Write(const Root& oracle, const fs::path& path, std::string_view bytes) {
  return oracle.Write(path, bytes);
}

Status Disk::MoveFile(const Root& oracle, const fs::path& from, const fs::path& to) {
  return oracle.MoveFile(from, to);
}

Status Disk::MoveFolder(const Root& oracle, const fs::path& from, const fs::path& to) {
  return oracle.MoveNew(from, to);
}

Status Disk::Remove(const Root& oracle, const fs::path& path) { return oracle.Remove(path); }

Result<Outcome> Disk::RunGit(const GitRepository& repository, const Root& oracle,
                             const std::vector<std::string>& arguments,
                             const std::map<std::string, std::string>& environment) {
  Command command = GitCommand(repository, oracle.path(), arguments);
  for (const auto& [name, value] : environment) command.environment[name] = value;
  // A program that we run is killed with us, but not what it started itself.
  command.program = "sh";
  command.arguments.insert(command.arguments.begin(), {"-c", "git \"$@\" & wait \"$!\"", "git"});
  command.limits = {.time = std::chrono::minutes(10)};
  return RunProgram(command);
}

}  // namespace sibyl::library
