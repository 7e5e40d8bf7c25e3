// SPDX-License-Identifier: Apache-2.0
// The half of Root that changes something: no step of it follows a link.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/files/file_bytes.h"
#include "base/files/root.h"
#include "base/os_error.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDeepestRemoval = 512;

Status RemoveIn(const FileDescriptor& folder, const std::string& name, const fs::path& shown,
                std::size_t depth);

Status RemoveFolder(const FileDescriptor& folder, const std::string& name, const fs::path& shown,
                    std::size_t depth) {
  const std::string doing = fmt::format("removing {}", shown.string());
  if (depth > kDeepestRemoval) return OsError(doing, ENAMETOOLONG);
  FileDescriptor below(
      ::openat(folder.number(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!below.is_open()) return OsError(doing, errno);
  const auto entries = SIBYL_TRY(ListFolder(below, shown, SIZE_MAX - 1));
  for (const NamedMode& entry : entries) {
    SIBYL_TRY(RemoveIn(below, entry.name, shown / entry.name, depth + 1));
  }
  if (::unlinkat(folder.number(), name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) return {};
  return OsError(doing, errno);
}

Status RemoveIn(const FileDescriptor& folder, const std::string& name, const fs::path& shown,
                std::size_t depth) {
  if (::unlinkat(folder.number(), name.c_str(), 0) == 0 || errno == ENOENT) return {};
  // Linux says EISDIR for a folder, POSIX allows EPERM.
  if (errno != EISDIR && errno != EPERM) {
    return OsError(fmt::format("removing {}", shown.string()), errno);
  }
  return RemoveFolder(folder, name, shown, depth);
}

}  // namespace

Status Root::Write(const fs::path& relative, std::string_view bytes,
                   const WriteOptions& options) const {
  const FileDescriptor folder = SIBYL_TRY(OpenParent(relative));
  return ReplaceIn(folder, Cleaned(relative).filename().string(), Shown(relative), bytes,
                   options.mode);
}

Status Root::MakeFolders(const fs::path& relative) const {
  fs::path at;
  for (const fs::path& name : Cleaned(relative)) {
    if (name == ".") continue;
    const FileDescriptor folder =
        SIBYL_TRY(OpenBelow(at.empty() ? "." : at, O_RDONLY | O_DIRECTORY, Links::kNone));
    at /= name;
    if (::mkdirat(folder.number(), name.c_str(), 0777) != 0 && errno != EEXIST) {
      return OsError(fmt::format("creating the folder {}", Shown(at).string()), errno);
    }
  }
  // What was there already may be a link or a file.
  const auto made = OpenBelow(relative, O_RDONLY | O_DIRECTORY, Links::kNone);
  if (!made.ok()) return While("creating the folder", made.error());
  return {};
}

Status Root::MoveFile(const fs::path& from, const fs::path& to) const {
  const std::string doing = fmt::format("writing {}", Shown(to).string());
  const FileDescriptor source = SIBYL_TRY(OpenParent(from));
  const FileDescriptor target = SIBYL_TRY(OpenParent(to));
  const std::string old_name = Cleaned(from).filename().string();
  const std::string new_name = Cleaned(to).filename().string();
  struct stat about {};
  if (::fstatat(source.number(), old_name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) {
    return OsError(fmt::format("moving {}", Shown(from).string()), errno);
  }
  if (!S_ISREG(about.st_mode)) return NotRegular("moving", Shown(from), about.st_mode);
  if (::fstatat(target.number(), new_name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0) {
    if (!S_ISREG(about.st_mode)) return NotRegular("replacing", Shown(to), about.st_mode);
    const FileDescriptor file(::openat(source.number(), old_name.c_str(),
                                       O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.is_open() || ::fchmod(file.number(), about.st_mode & 07777) != 0) {
      return OsError(fmt::format("setting the mode of {}", Shown(from).string()), errno);
    }
  }
  if (::renameat(source.number(), old_name.c_str(), target.number(), new_name.c_str()) != 0) {
    if (errno != EXDEV) return OsError(doing, errno);
    // A folder of the oracle may be another file system; the target still
    // changes at one moment.
    const std::string bytes = SIBYL_TRY(Read(from));
    SIBYL_TRY(ReplaceIn(target, new_name, Shown(to), bytes, 0666));
    return Remove(from);
  }
  SIBYL_TRY(SyncFolder(target, Shown(to).parent_path()));
  return SyncFolder(source, Shown(from).parent_path());
}

Status Root::MoveNew(const fs::path& from, const fs::path& to) const {
  const FileDescriptor source = SIBYL_TRY(OpenParent(from));
  const FileDescriptor target = SIBYL_TRY(OpenParent(to));
  const std::string old_name = Cleaned(from).filename().string();
  const std::string new_name = Cleaned(to).filename().string();
  int moved = ::renameat2(source.number(), old_name.c_str(), target.number(), new_name.c_str(),
                          RENAME_NOREPLACE);
  if (moved != 0 && errno == EINVAL && !Exists(to)) {  // not every file system has the flag
    moved = ::renameat(source.number(), old_name.c_str(), target.number(), new_name.c_str());
  }
  if (moved != 0) {
    return OsError(fmt::format("moving {} to {}", Shown(from).string(), Shown(to).string()), errno);
  }
  SIBYL_TRY(SyncFolder(target, Shown(to).parent_path()));
  return SyncFolder(source, Shown(from).parent_path());
}

Status Root::Remove(const fs::path& relative) const {
  const auto folder = OpenParent(relative);
  if (!folder.ok()) {
    if (folder.error().kind == ErrorKind::kNotFound) return {};
    return folder.error();
  }
  return RemoveIn(*folder, Cleaned(relative).filename().string(), Shown(relative), 0);
}

}  // namespace sibyl
