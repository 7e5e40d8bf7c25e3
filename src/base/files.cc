// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/file_descriptor.h"
#include "base/os_error.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

Result<FileDescriptor> Open(const fs::path& path, int flags) {
  int number = -1;
  do {
    number = ::open(path.c_str(), flags | O_CLOEXEC);
  } while (number < 0 && errno == EINTR);
  if (number < 0) return OsError(fmt::format("opening {}", path.string()), errno);
  return FileDescriptor(number);
}

Error TooLong(const fs::path& path, std::size_t max_bytes) {
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("reading {}: longer than the limit of {} bytes",
                                      path.string(), max_bytes)};
}

// The temporary file of a replacement: removed unless the rename took place.
class TemporaryFile {
 public:
  /// `mode` is subject to the umask, as for any file a program creates.
  static Result<TemporaryFile> CreateBeside(const fs::path& target, mode_t mode) {
    static std::atomic<unsigned> counter = 0;
    // A name of 255 bytes is legal for the target and must stay so for us.
    const std::string stem = target.filename().string().substr(0, 200);
    for (int tries = 0; tries < 100; ++tries) {
      const fs::path path =
          target.parent_path() / fmt::format(".{}.{}-{}.tmp", stem, ::getpid(), ++counter);
      const int number = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      if (number >= 0) return TemporaryFile(FileDescriptor(number), path.string());
      if (errno != EEXIST && errno != EINTR) {
        return OsError(fmt::format("creating {}", path.string()), errno);
      }
    }
    return OsError(fmt::format("creating a temporary file beside {}", target.string()), EEXIST);
  }

  TemporaryFile(TemporaryFile&& other) noexcept
      : file_(std::move(other.file_)), name_(std::exchange(other.name_, {})) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  Status Write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t wrote = ::write(file_.number(), bytes.data(), bytes.size());
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) return OsError(fmt::format("writing {}", name_), errno);
      bytes.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return {};
  }

  Status SetMode(mode_t mode) {
    if (::fchmod(file_.number(), mode) == 0) return {};
    return OsError(fmt::format("setting the mode of {}", name_), errno);
  }

  Status Sync() {
    if (::fsync(file_.number()) == 0) return {};
    return OsError(fmt::format("syncing {}", name_), errno);
  }

  Status RenameTo(const fs::path& target) {
    if (::rename(name_.c_str(), target.c_str()) != 0) {
      return OsError(fmt::format("replacing {}", target.string()), errno);
    }
    name_.clear();
    return {};
  }

 private:
  TemporaryFile(FileDescriptor file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {}

  FileDescriptor file_;
  std::string name_;
};

Status SyncFolder(const fs::path& folder) {
  const FileDescriptor opened = SIBYL_TRY(Open(folder, O_RDONLY | O_DIRECTORY));
  // Some network file systems cannot sync a folder and say EINVAL; the rename
  // is then as durable as that file system makes it.
  if (::fsync(opened.number()) != 0 && errno != EINVAL) {
    return OsError(fmt::format("syncing the folder {}", folder.string()), errno);
  }
  return {};
}

// What a symbolic link points to in the end; the path itself if it is none.
Result<fs::path> ResolveLinks(fs::path path) {
  for (int hops = 0; hops < 40; ++hops) {
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
    const fs::path points_to = fs::read_symlink(path, error);
    if (error) return OsError(fmt::format("reading the link {}", path.string()), error.value());
    path = path.parent_path() / points_to;  // an absolute one replaces all of it
  }
  return OsError(fmt::format("resolving {}", path.string()), ELOOP);
}

}  // namespace

Result<std::string> ReadFile(const fs::path& path, const ReadFileOptions& options) {
  const FileDescriptor file = SIBYL_TRY(Open(path, O_RDONLY));
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) {
    return OsError(fmt::format("reading {}", path.string()), errno);
  }
  const bool is_regular = S_ISREG(about.st_mode);
  std::string bytes;
  if (is_regular) {
    const auto size = static_cast<std::size_t>(about.st_size);
    if (size > options.max_bytes) return TooLong(path, options.max_bytes);
    bytes.reserve(size + 1);
  }
  // The size is a hint only: files under /proc say 0 and a file may grow.
  std::array<char, 65'536> chunk;
  while (true) {
    const ssize_t got = ::read(file.number(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return OsError(fmt::format("reading {}", path.string()), errno);
    if (got == 0) return bytes;
    if (bytes.size() + static_cast<std::size_t>(got) > options.max_bytes) {
      return TooLong(path, options.max_bytes);
    }
    bytes.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

Status WriteFileAtomically(const fs::path& path, std::string_view bytes) {
  const fs::path target = SIBYL_TRY(ResolveLinks(path));
  struct stat about {};
  const bool exists = ::stat(target.c_str(), &about) == 0;
  if (exists && !S_ISREG(about.st_mode)) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("replacing {}: not a regular file", target.string())};
  }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  // The bytes of a private file must not be readable for a moment either.
  TemporaryFile temporary = SIBYL_TRY(
      TemporaryFile::CreateBeside(folder / target.filename(), exists ? S_IRUSR | S_IWUSR : 0666));
  SIBYL_TRY(temporary.Write(bytes));
  if (exists) SIBYL_TRY(temporary.SetMode(about.st_mode & 07777));
  SIBYL_TRY(temporary.Sync());
  SIBYL_TRY(temporary.RenameTo(target));
  return SyncFolder(folder);
}

Status CreateFolders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return OsError(fmt::format("creating the folder {}", path.string()), error.value());
  return {};
}

}  // namespace sibyl
