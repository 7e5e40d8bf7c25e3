// SPDX-License-Identifier: Apache-2.0
#include "base/files/file_bytes.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <utility>

#include "base/files/write_all.h"
#include "base/os_error.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

Error TooLong(const fs::path& path, std::size_t max_bytes) {
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("reading {}: longer than the limit of {} bytes",
                                      path.string(), max_bytes)};
}

// The temporary file of a replacement: removed unless it was renamed.
class TemporaryFile {
 public:
  /// `mode` is subject to the umask, as for any file a program creates. Folder
  /// and shown path are borrowed.
  static Result<TemporaryFile> CreateIn(const FileDescriptor& folder, const std::string& target,
                                        const fs::path& shown, mode_t mode) {
    static std::atomic<unsigned> counter = 0;
    // A name of 255 bytes is legal for the target and must stay so for us.
    const std::string stem = target.substr(0, 200);
    for (int tries = 0; tries < 100; ++tries) {
      std::string name = fmt::format(".{}.{}-{}.tmp", stem, ::getpid(), ++counter);
      const int number = ::openat(folder.number(), name.c_str(),
                                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
      if (number >= 0) return TemporaryFile(folder, FileDescriptor(number), std::move(name), shown);
      if (errno != EEXIST && errno != EINTR) {
        return OsError(fmt::format("creating {}", (shown.parent_path() / name).string()), errno);
      }
    }
    return OsError(fmt::format("creating a temporary file beside {}", shown.string()), EEXIST);
  }

  TemporaryFile(TemporaryFile&& other) noexcept
      : folder_(other.folder_),
        file_(std::move(other.file_)),
        name_(std::exchange(other.name_, {})),
        shown_(other.shown_) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile() {
    if (!name_.empty()) ::unlinkat(folder_.number(), name_.c_str(), 0);
  }

  Status Write(std::string_view bytes) {
    if (WriteAll(file_.number(), bytes) != 0) return Failed("writing");
    return {};
  }

  Status SetMode(mode_t mode) {
    if (::fchmod(file_.number(), mode) == 0) return {};
    return Failed("setting the mode of");
  }

  Status Sync() {
    if (::fsync(file_.number()) == 0) return {};
    return Failed("syncing");
  }

  Status RenameTo(const std::string& target) {
    if (::renameat(folder_.number(), name_.c_str(), folder_.number(), target.c_str()) != 0) {
      return OsError(fmt::format("replacing {}", shown_.string()), errno);
    }
    name_.clear();
    return {};
  }

 private:
  TemporaryFile(const FileDescriptor& folder, FileDescriptor file, std::string name,
                const fs::path& shown)
      : folder_(folder), file_(std::move(file)), name_(std::move(name)), shown_(shown) {}

  Error Failed(std::string_view doing) const {
    return OsError(fmt::format("{} {}", doing, (shown_.parent_path() / name_).string()), errno);
  }

  const FileDescriptor& folder_;
  FileDescriptor file_;
  std::string name_;
  const fs::path& shown_;
};

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using FolderStream = std::unique_ptr<DIR, CloseFolder>;

std::uint32_t ModeOf(const dirent& entry, const FileDescriptor& folder) {
  if (entry.d_type != DT_UNKNOWN) return static_cast<std::uint32_t>(DTTOIF(entry.d_type));
  struct stat about {};  // some file systems do not say
  const bool is_known = ::fstatat(folder.number(), entry.d_name, &about, AT_SYMLINK_NOFOLLOW) == 0;
  return is_known ? about.st_mode & S_IFMT : 0;
}

std::string_view KindName(std::uint32_t mode) {
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

}  // namespace

Error NotRegular(std::string_view doing, const fs::path& shown, std::uint32_t mode) {
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("{} {}: it is {}, not a regular file", doing, shown.string(),
                                      KindName(mode))};
}

Result<std::string> ReadToEnd(const FileDescriptor& file, const fs::path& shown,
                              const ReadFileOptions& options) {
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) {
    return OsError(fmt::format("reading {}", shown.string()), errno);
  }
  std::string bytes;
  if (S_ISREG(about.st_mode)) {
    const auto size = static_cast<std::size_t>(about.st_size);
    if (size > options.max_bytes) return TooLong(shown, options.max_bytes);
    bytes.reserve(size + 1);
  }
  // The size is a hint only: files under /proc say 0 and a file may grow.
  std::array<char, 65'536> chunk;
  while (true) {
    const ssize_t got = ::read(file.number(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return OsError(fmt::format("reading {}", shown.string()), errno);
    if (got == 0) return bytes;
    if (bytes.size() + static_cast<std::size_t>(got) > options.max_bytes) {
      return TooLong(shown, options.max_bytes);
    }
    bytes.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

Status ReplaceIn(const FileDescriptor& folder, const std::string& name, const fs::path& shown,
                 std::string_view bytes, std::uint32_t mode) {
  struct stat about {};
  const bool exists = ::fstatat(folder.number(), name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0;
  if (exists && !S_ISREG(about.st_mode)) {
    Error error = NotRegular("replacing", shown, about.st_mode);
    if (S_ISLNK(about.st_mode))
      error.hint = "sibyl never writes through a symbolic link; remove it";
    return error;
  }
  // The bytes of a private file must not be readable for a moment either.
  TemporaryFile temporary =
      SIBYL_TRY(TemporaryFile::CreateIn(folder, name, shown, exists ? S_IRUSR | S_IWUSR : mode));
  SIBYL_TRY(temporary.Write(bytes));
  if (exists) SIBYL_TRY(temporary.SetMode(about.st_mode & 07777));
  SIBYL_TRY(temporary.Sync());
  SIBYL_TRY(temporary.RenameTo(name));
  return SyncFolder(folder, shown.parent_path());
}

Result<std::vector<NamedMode>> ListFolder(const FileDescriptor& folder, const fs::path& shown,
                                          std::size_t max_entries) {
  // A new open file, since a copy of the descriptor would share its position.
  const int again = ::openat(folder.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const FolderStream stream(again >= 0 ? ::fdopendir(again) : nullptr);
  if (!stream) return OsError(fmt::format("listing {}", shown.string()), errno);
  std::vector<NamedMode> names;
  errno = 0;
  // The stream is this function's alone, which is all that readdir asks for.
  while (const dirent* entry = ::readdir(stream.get())) {  // NOLINT(concurrency-mt-unsafe)
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") {
      names.push_back({.name = std::string(name), .mode = ModeOf(*entry, folder)});
      if (names.size() > max_entries) break;
    }
    errno = 0;
  }
  if (errno != 0) return OsError(fmt::format("listing {}", shown.string()), errno);
  std::sort(names.begin(), names.end(),
            [](const NamedMode& a, const NamedMode& b) { return a.name < b.name; });
  return names;
}

Status SyncFolder(const FileDescriptor& folder, const fs::path& shown) {
  // Some network file systems cannot sync a folder and say EINVAL; the rename
  // is then as durable as that file system makes it.
  if (::fsync(folder.number()) == 0 || errno == EINVAL) return {};
  return OsError(fmt::format("syncing the folder {}", shown.string()), errno);
}

}  // namespace sibyl
