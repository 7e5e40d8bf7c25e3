// SPDX-License-Identifier: Apache-2.0
#include "evidence/folder_walk.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sibyl::evidence {
namespace {

EntryKind KindOf(FileKind kind) {
  switch (kind) {
    case FileKind::kFile:
      return EntryKind::kFile;
    case FileKind::kFolder:
      return EntryKind::kFolder;
    case FileKind::kLink:
      return EntryKind::kSymlink;
    case FileKind::kOther:
      break;
  }
  return EntryKind::kSpecial;
}

std::int64_t Nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

Finding Note(std::string code, std::string message, const std::string& file, std::string hint) {
  return Finding{.severity = Severity::kWarning,
                 .code = std::move(code),
                 .message = std::move(message),
                 .hint = std::move(hint),
                 .place = Place{.file = file}};
}

// Data of a regular file from its descriptor, which distinguishes files with
// the same name, size and time; nothing if it cannot be opened.
std::optional<WalkedEntry> LookAtFile(const Root& root, const std::string& path) {
  const Result<FileDescriptor> file = root.OpenFile(path);
  struct stat status {};
  if (!file.ok() || ::fstat(file->number(), &status) != 0) return std::nullopt;
  return WalkedEntry{.path = path,
                     .kind = EntryKind::kFile,
                     .executable = (status.st_mode & S_IXUSR) != 0,
                     .marks = {.device = status.st_dev,
                               .inode = status.st_ino,
                               .size = static_cast<std::uint64_t>(status.st_size),
                               .modified_ns = Nanoseconds(status.st_mtim),
                               .changed_ns = Nanoseconds(status.st_ctim)}};
}

class Walker {
 public:
  Walker(const Root& root, const WalkLimits& limits) : root_(root), limits_(limits) {}

  Result<Walk> Run() {
    SIBYL_TRY(List({std::string(), 0}));
    while (!pending_.empty() && !is_full_) {
      if (limits_.cancelled && limits_.cancelled()) {
        return Error{.kind = ErrorKind::kCancelled, .message = "listing a folder: cancelled"};
      }
      const Pending folder = std::move(pending_.back());
      pending_.pop_back();
      if (const Status status = List(folder); !status.ok()) {
        walk_.findings.push_back(
            Note("source/unreadable", status.error().message, folder.path, status.error().hint));
      }
    }
    if (is_full_) return TooManyPaths(limits_.max_paths);
    std::sort(walk_.entries.begin(), walk_.entries.end(),
              [](const WalkedEntry& a, const WalkedEntry& b) { return a.path < b.path; });
    return std::move(walk_);
  }

 private:
  struct Pending {
    std::string path;
    std::size_t depth;
  };

  Status List(const Pending& folder) {
    // A folder that was replaced by a link since it was listed is not entered.
    const Root at = SIBYL_TRY(root_.OpenFolder(folder.path));
    const std::vector<RootEntry> entries = SIBYL_TRY(at.List(".", limits_.max_paths + 1));
    for (const RootEntry& entry : entries) {
      if (entry.name == ".git") continue;
      if (++paths_ > limits_.max_paths) {
        is_full_ = true;
        return {};
      }
      Add(folder, at, entry);
    }
    return {};
  }

  void Add(const Pending& folder, const Root& at, const RootEntry& listed) {
    std::string path = folder.path.empty() ? listed.name : folder.path + "/" + listed.name;
    if (listed.kind != FileKind::kFolder) {
      // A file that no longer exists or cannot be read has no data: if it is
      // gone, the next walk will not list it.
      WalkedEntry entry{.kind = EntryKind::kUnreadable};
      if (Result<WalkedEntry> now = LookAt(at, listed.name); now.ok()) entry = *std::move(now);
      entry.path = std::move(path);
      walk_.entries.push_back(std::move(entry));
    } else if (folder.depth < limits_.max_depth) {
      pending_.push_back({std::move(path), folder.depth + 1});
    } else {
      walk_.findings.push_back(Note("source/too-deep",
                                    fmt::format("folders nested deeper than {}", limits_.max_depth),
                                    path, "exclude the deepest folders"));
    }
  }

  const Root& root_;
  const WalkLimits& limits_;
  std::vector<Pending> pending_;
  Walk walk_;
  std::size_t paths_ = 0;  // files and folders so far
  bool is_full_ = false;
};

}  // namespace

Result<Walk> WalkFolder(const Root& root, const WalkLimits& limits) {
  return Walker(root, limits).Run();
}

Result<WalkedEntry> LookAt(const Root& root, const std::string& path) {
  const std::optional<FileAbout> about = root.About(path);
  if (!about) {
    return Error{
        .kind = ErrorKind::kNotFound,
        .message = fmt::format("reading {}: it no longer exists", root.Shown(path).string())};
  }
  WalkedEntry entry{.path = path,
                    .kind = KindOf(about->kind),
                    .executable = (about->mode & S_IXUSR) != 0,
                    .marks = {.size = about->bytes, .modified_ns = about->modified_ns}};
  if (entry.kind != EntryKind::kFile) return entry;
  return LookAtFile(root, path).value_or(entry);
}

}  // namespace sibyl::evidence
