// SPDX-License-Identifier: Apache-2.0
#include "base/files/root.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/files/file_bytes.h"
#include "base/os_error.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

FileKind KindOf(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kFile;
  if (S_ISDIR(mode)) return FileKind::kFolder;
  return S_ISLNK(mode) ? FileKind::kLink : FileKind::kOther;
}

// ".." would make the same text mean different places for us and for the
// kernel; no caller needs it.
bool IsPlain(const fs::path& relative) {
  return !relative.is_absolute() && std::none_of(relative.begin(), relative.end(),
                                                 [](const fs::path& name) { return name == ".."; });
}

int OpenAt2(int folder, const char* path, int flags, std::uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags);
  how.resolve = resolve;
  // EAGAIN: because of a concurrent rename the kernel could not check "..";
  // retry.
  for (int tries = 0; tries < 64; ++tries) {
    const long number = ::syscall(SYS_openat2, folder, path, &how, sizeof(how));
    if (number >= 0) return static_cast<int>(number);
    if (errno != EINTR && errno != EAGAIN) return -1;
  }
  return -1;
}

std::optional<FileAbout> AboutOf(const FileDescriptor& file) {
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) return std::nullopt;
  return FileAbout{.kind = KindOf(about.st_mode),
                   .bytes = static_cast<std::uint64_t>(about.st_size),
                   .modified_ns = about.st_mtim.tv_sec * 1'000'000'000LL + about.st_mtim.tv_nsec,
                   .owner = about.st_uid,
                   .mode = about.st_mode & 07777};
}

// Stops after `max_entries` and one more, which tells the caller that there are
// too many.
Result<std::vector<RootEntry>> ListOpen(const FileDescriptor& folder, const fs::path& shown,
                                        std::size_t max_entries) {
  const std::vector<NamedMode> names = SIBYL_TRY(ListFolder(folder, shown, max_entries));
  std::vector<RootEntry> entries;
  entries.reserve(names.size());
  for (const NamedMode& name : names) {
    entries.push_back({.name = name.name, .kind = KindOf(name.mode)});
  }
  return entries;
}

struct WaitingFolder {
  std::string path;  // from the root; empty is the root
  std::size_t depth = 0;
};

void TakeEntries(const WaitingFolder& at, std::vector<RootEntry> entries,
                 const WalkOptions& options, Walked& walked, std::vector<WaitingFolder>& waiting) {
  for (RootEntry& entry : entries) {
    std::string path = at.path.empty() ? entry.name : at.path + "/" + entry.name;
    if (entry.kind != FileKind::kFolder) {
      walked.entries.push_back({.name = std::move(path), .kind = entry.kind});
    } else if (!options.enters || options.enters(path)) {
      if (at.depth < options.max_depth) {
        waiting.push_back({.path = std::move(path), .depth = at.depth + 1});
      } else {
        walked.is_cut = true;
      }
    }
  }
}

}  // namespace

Root::Root(fs::path path, FileDescriptor folder, Resolving resolving)
    : path_(std::move(path)),
      folder_(std::make_shared<const FileDescriptor>(std::move(folder))),
      resolving_(resolving) {}

fs::path Root::Cleaned(const fs::path& relative) {
  if (relative.empty()) return ".";
  fs::path cleaned = relative.lexically_normal();
  return cleaned.has_filename() ? cleaned : cleaned.parent_path();  // "a/" is "a"
}

Result<Root> Root::Open(const fs::path& folder, Resolving resolving) {
  const fs::path named = folder.empty() ? fs::path(".") : folder;
  FileDescriptor opened(::open(named.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) {
    Error error = OsError(fmt::format("opening the folder {}", named.string()), errno);
    if (errno == ENOTDIR) error.kind = ErrorKind::kUsage;
    return error;
  }
  if (resolving == Resolving::kKernel) {
    // Old kernels and some containers do not have the call.
    const FileDescriptor probe(OpenAt2(opened.number(), ".", O_PATH | O_CLOEXEC, RESOLVE_BENEATH));
    if (!probe.is_open()) resolving = Resolving::kByName;
  }
  return Root(named, std::move(opened), resolving);
}

Result<Root> Root::Create(const fs::path& folder) {
  SIBYL_TRY(CreateFolders(folder));
  return Open(folder);
}

fs::path Root::Shown(const fs::path& relative) const {
  const fs::path cleaned = Cleaned(relative);
  return cleaned == "." ? path_ : path_ / cleaned;
}

std::optional<fs::path> Root::Inside(const fs::path& path) const {
  fs::path relative = path.lexically_normal().lexically_relative(path_.lexically_normal());
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  return Cleaned(relative);
}

Error Root::Refusal(const fs::path& relative, int code) const {
  const std::string shown = Shown(relative).string();
  if (code == EXDEV) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("opening {}: a symbolic link leads out of {}", shown,
                                        path_.string()),
                 .hint = "only files inside that folder are read or written"};
  }
  if (code == ELOOP) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("opening {}: a symbolic link is on the path", shown),
                 .hint = "replace the link with its target"};
  }
  return OsError(fmt::format("opening {}", shown), code);
}

Result<FileDescriptor> Root::OpenBelow(const fs::path& relative, int flags, Links links) const {
  if (!IsPlain(relative)) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("opening {}: not a path inside {}", relative.string(),
                                        path_.string())};
  }
  const fs::path cleaned = Cleaned(relative);
  flags |= O_CLOEXEC | ((flags & O_PATH) != 0 ? 0 : O_NONBLOCK | O_NOCTTY);
  if (resolving_ == Resolving::kByName) return OpenByName(cleaned, flags);
  const std::uint64_t resolve =
      RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (links == Links::kNone ? RESOLVE_NO_SYMLINKS : 0);
  const int number = OpenAt2(folder_->number(), cleaned.c_str(), flags, resolve);
  if (number < 0) return Refusal(relative, errno);
  return FileDescriptor(number);
}

Result<FileDescriptor> Root::OpenByName(const fs::path& relative, int flags) const {
  FileDescriptor at(::openat(folder_->number(), ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!at.is_open()) return Refusal(relative, errno);
  for (auto name = relative.begin(); name != relative.end();) {
    const bool is_last = std::next(name) == relative.end();
    const int how = is_last ? flags | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    FileDescriptor next(::openat(at.number(), name->c_str(), how));
    // With O_PATH or O_DIRECTORY a link must be checked separately.
    if (!next.is_open()) {
      const int code = errno;
      struct stat about {};
      const bool is_link =
          ::fstatat(at.number(), name->c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 &&
          S_ISLNK(about.st_mode);
      return Refusal(relative, is_link ? ELOOP : code);
    }
    at = std::move(next);
    ++name;
  }
  return at;
}

Result<FileDescriptor> Root::OpenParent(const fs::path& relative) const {
  const fs::path cleaned = Cleaned(relative);
  if (cleaned == ".") {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("changing {}: it is the folder itself", path_.string())};
  }
  return OpenBelow(cleaned.has_parent_path() ? cleaned.parent_path() : fs::path("."),
                   O_RDONLY | O_DIRECTORY, Links::kNone);
}

Result<FileDescriptor> Root::OpenRegular(const fs::path& relative) const {
  FileDescriptor file = SIBYL_TRY(OpenBelow(relative, O_RDONLY, Links::kInside));
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) return Refusal(relative, errno);
  if (!S_ISREG(about.st_mode)) return NotRegular("reading", Shown(relative), about.st_mode);
  return file;
}

Result<Root> Root::OpenFolder(const fs::path& relative) const {
  FileDescriptor folder = SIBYL_TRY(OpenBelow(relative, O_RDONLY | O_DIRECTORY, Links::kNone));
  return Root(Shown(relative), std::move(folder), resolving_);
}

Result<std::string> Root::Read(const fs::path& relative, const ReadFileOptions& options) const {
  const FileDescriptor file = SIBYL_TRY(OpenRegular(relative));
  return ReadToEnd(file, Shown(relative), options);
}

Result<MappedFile> Root::Map(const fs::path& relative) const {
  const FileDescriptor file = SIBYL_TRY(OpenRegular(relative));
  return MappedFile::Of(file, Shown(relative));
}

Result<FileDescriptor> Root::OpenFile(const fs::path& relative) const {
  return OpenRegular(relative);
}

std::optional<FileAbout> Root::About(const fs::path& relative) const {
  const fs::path cleaned = Cleaned(relative);
  if (!IsPlain(relative)) return std::nullopt;
  // O_NOFOLLOW is about the last name; links before it are resolved as ever.
  const auto file = OpenBelow(cleaned, O_PATH | O_NOFOLLOW, Links::kInside);
  if (!file.ok()) return std::nullopt;
  return AboutOf(*file);
}

bool Root::IsFile(const fs::path& relative) const {
  const auto file = OpenBelow(relative, O_PATH, Links::kInside);
  const auto about = file.ok() ? AboutOf(*file) : std::nullopt;
  return about && about->kind == FileKind::kFile;
}

bool Root::IsFolder(const fs::path& relative) const {
  const auto file = OpenBelow(relative, O_PATH, Links::kInside);
  const auto about = file.ok() ? AboutOf(*file) : std::nullopt;
  return about && about->kind == FileKind::kFolder;
}

std::optional<std::string> Root::LinkTarget(const fs::path& relative) const {
  const auto folder = OpenParent(relative);
  if (!folder.ok()) return std::nullopt;
  std::array<char, PATH_MAX> target;
  const ssize_t length = ::readlinkat(folder->number(), Cleaned(relative).filename().c_str(),
                                      target.data(), target.size());
  if (length < 0) return std::nullopt;
  return std::string(target.data(), static_cast<std::size_t>(length));
}

Result<std::vector<RootEntry>> Root::List(const fs::path& relative, std::size_t max_entries) const {
  const FileDescriptor folder =
      SIBYL_TRY(OpenBelow(relative, O_RDONLY | O_DIRECTORY, Links::kInside));
  auto entries = SIBYL_TRY(ListOpen(folder, Shown(relative), max_entries));
  if (entries.size() <= max_entries) return entries;
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("listing {}: more than {} entries", Shown(relative).string(),
                                      max_entries)};
}

Result<Walked> Root::Walk(const fs::path& relative, const WalkOptions& options) const {
  Walked walked;
  const fs::path start = Cleaned(relative);
  std::vector<WaitingFolder> waiting = {{.path = start == "." ? "" : start.generic_string()}};
  std::size_t left = options.max_entries;
  while (!waiting.empty() && !walked.is_cut) {
    const WaitingFolder at = std::move(waiting.back());
    waiting.pop_back();
    const auto folder = OpenBelow(at.path, O_RDONLY | O_DIRECTORY, Links::kNone);
    if (!folder.ok() && at.depth == 0) return folder.error();
    auto entries = folder.ok() ? ListOpen(*folder, Shown(at.path), left)
                               : Result<std::vector<RootEntry>>(folder.error());
    if (!entries.ok()) {
      walked.unread.push_back(at.path);
      continue;
    }
    if (entries->size() > left) {
      walked.is_cut = true;
      entries->resize(left);
    }
    left -= entries->size();
    TakeEntries(at, *std::move(entries), options, walked, waiting);
  }
  std::sort(walked.entries.begin(), walked.entries.end(),
            [](const RootEntry& a, const RootEntry& b) { return a.name < b.name; });
  return walked;
}

}  // namespace sibyl
