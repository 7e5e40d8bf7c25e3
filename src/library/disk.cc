// SPDX-License-Identifier: Apache-2.0
#include "library/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/file_descriptor.h"
#include "base/files.h"
#include "base/os_error.h"

namespace sibyl::library {
namespace {

namespace fs = std::filesystem;

// Some network file systems cannot sync a folder and say EINVAL.
Status SyncFolder(const fs::path& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open() || (::fsync(opened.number()) != 0 && errno != EINVAL)) {
    return OsError(fmt::format("syncing the folder {}", folder.string()), errno);
  }
  return {};
}

Status SyncBoth(const fs::path& from, const fs::path& to) {
  SIBYL_TRY(SyncFolder(to.parent_path()));
  if (from.parent_path() == to.parent_path()) return {};
  return SyncFolder(from.parent_path());
}

}  // namespace

Status Disk::MakeFolders(const fs::path& path) { return CreateFolders(path); }

Status Disk::Write(const fs::path& path, std::string_view bytes) {
  return WriteFileAtomically(path, bytes);
}

Status Disk::MoveFile(const fs::path& from, const fs::path& to) {
  struct stat about {};
  if (::stat(to.c_str(), &about) == 0 && ::chmod(from.c_str(), about.st_mode & 07777) != 0) {
    return OsError(fmt::format("setting the mode of {}", from.string()), errno);
  }
  if (::rename(from.c_str(), to.c_str()) == 0) return SyncBoth(from, to);
  if (errno != EXDEV) return OsError(fmt::format("writing {}", to.string()), errno);
  const std::string bytes = SIBYL_TRY(ReadFile(from));
  SIBYL_TRY(WriteFileAtomically(to, bytes));
  return Remove(from);
}

Status Disk::MoveFolder(const fs::path& from, const fs::path& to) {
  // renameat2 so that nothing can appear at `to` between a look and the move.
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
    return SyncBoth(from, to);
  }
  const int code = errno;
  std::error_code ignored;
  // Not every file system knows the flag.
  if (code == EINVAL && !fs::exists(to, ignored) && ::rename(from.c_str(), to.c_str()) == 0) {
    return SyncBoth(from, to);
  }
  return OsError(fmt::format("moving {} to {}", from.string(), to.string()), code);
}

Status Disk::Remove(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) return OsError(fmt::format("removing {}", path.string()), error.value());
  return {};
}

Result<Outcome> Disk::RunGit(const fs::path& folder, const std::vector<std::string>& arguments,
                             const std::map<std::string, std::string>& environment) {
  // A program that we run is killed with us, but not what it started itself.
  Command command{.program = "sh",
                  .arguments = {"-c", "git \"$@\" & wait \"$!\"", "git"},
                  .folder = folder,
                  .environment = environment,
                  .limits = {.time = std::chrono::minutes(10)}};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  return RunProgram(command);
}

}  // namespace sibyl::library
