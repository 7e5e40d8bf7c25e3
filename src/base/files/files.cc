// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/files/file_bytes.h"
#include "base/files/file_descriptor.h"
#include "base/os_error.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

Result<FileDescriptor> Open(const fs::path& path, int flags) {
  int number = -1;
  do {
    number = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY);
  } while (number < 0 && errno == EINTR);
  if (number < 0) return OsError(fmt::format("opening {}", path.string()), errno);
  return FileDescriptor(number);
}

// Passed by the shell on purpose: standard input and process substitution.
bool IsOwnDescriptor(const fs::path& path) {
  const std::string name = path.lexically_normal().string();
  return name == "/dev/stdin" || name == "/dev/null" || name.starts_with("/dev/fd/") ||
         name.starts_with("/proc/self/fd/");
}

}  // namespace

Result<std::string> ReadFile(const fs::path& path, const ReadFileOptions& options) {
  // Without O_NONBLOCK, opening a named pipe waits for a writer.
  const FileDescriptor file = SIBYL_TRY(Open(path, O_RDONLY | O_NONBLOCK));
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) {
    return OsError(fmt::format("reading {}", path.string()), errno);
  }
  if (!S_ISREG(about.st_mode)) {
    if (S_ISDIR(about.st_mode) || !IsOwnDescriptor(path)) {
      return NotRegular("reading", path, about.st_mode);
    }
    const int flags = ::fcntl(file.number(), F_GETFL);
    if (flags < 0 || ::fcntl(file.number(), F_SETFL, flags & ~O_NONBLOCK) != 0) {
      return OsError(fmt::format("reading {}", path.string()), errno);
    }
  }
  return ReadToEnd(file, path, options);
}

Status WriteFileAtomically(const fs::path& path, std::string_view bytes) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const FileDescriptor opened = SIBYL_TRY(Open(folder, O_RDONLY | O_DIRECTORY));
  return ReplaceIn(opened, path.filename().string(), path, bytes, 0666);
}

Status CreateFolders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return OsError(fmt::format("creating the folder {}", path.string()), error.value());
  return {};
}

}  // namespace sibyl
