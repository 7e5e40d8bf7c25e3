// SPDX-License-Identifier: Apache-2.0
#include "evidence/folder_walk.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "base/os_error.h"

namespace sibyl::evidence {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using OpenFolder = std::unique_ptr<DIR, CloseFolder>;

std::int64_t Nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

EntryKind KindOf(const struct stat& status) {
  if (S_ISREG(status.st_mode)) return EntryKind::kFile;
  if (S_ISDIR(status.st_mode)) return EntryKind::kFolder;
  if (S_ISLNK(status.st_mode)) return EntryKind::kSymlink;
  return EntryKind::kSpecial;
}

Finding Note(std::string code, std::string message, const std::string& file, std::string hint) {
  return Finding{.severity = Severity::kWarning,
                 .code = std::move(code),
                 .message = std::move(message),
                 .hint = std::move(hint),
                 .place = Place{.file = file}};
}

class Walker {
 public:
  Walker(std::string root, const WalkLimits& limits) : root_(std::move(root)), limits_(limits) {}

  Result<Walk> Run() {
    SIBYL_TRY(List({std::string(), 0}));
    while (!pending_.empty()) {
      const Pending folder = std::move(pending_.back());
      pending_.pop_back();
      if (const Status status = List(folder); !status.ok()) {
        walk_.findings.push_back(
            Note("source/unreadable", status.error().message, folder.path, status.error().hint));
      }
      if (full_) break;
    }
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
    const std::string full = folder.path.empty() ? root_ : root_ + "/" + folder.path;
    const OpenFolder open(::opendir(full.c_str()));
    if (open == nullptr) return OsError("listing " + full, errno);
    while (true) {
      errno = 0;
      const dirent* next = ::readdir(open.get());  // NOLINT(concurrency-mt-unsafe): own stream
      if (next == nullptr) break;
      const std::string_view name = next->d_name;
      if (name == "." || name == ".." || name == ".git") continue;
      if (walk_.entries.size() >= limits_.max_files) {
        full_ = true;
        walk_.findings.push_back(
            Note("source/too-many-files",
                 fmt::format("more than {} files; the rest is not read", limits_.max_files),
                 folder.path, "narrow the source with include or exclude"));
        return {};
      }
      Add(folder, folder.path.empty() ? std::string(name) : folder.path + "/" + std::string(name));
    }
    if (errno != 0) return OsError("listing " + full, errno);
    return {};
  }

  void Add(const Pending& folder, std::string path) {
    Result<WalkedEntry> entry = LookAt(root_, path);
    if (!entry.ok()) {
      // Gone between listing and looking: the second look will tell.
      if (entry.error().kind == ErrorKind::kNotFound) return;
      walk_.entries.push_back({std::move(path), EntryKind::kUnreadable, false, {}});
      return;
    }
    if (entry->kind != EntryKind::kFolder) {
      walk_.entries.push_back(*std::move(entry));
    } else if (folder.depth < limits_.max_depth) {
      pending_.push_back({std::move(path), folder.depth + 1});
    } else {
      walk_.findings.push_back(Note("source/too-deep",
                                    fmt::format("folders nested past {}", limits_.max_depth), path,
                                    "exclude what nests there"));
    }
  }

  std::string root_;
  const WalkLimits& limits_;
  std::vector<Pending> pending_;
  Walk walk_;
  bool full_ = false;
};

}  // namespace

Result<Walk> WalkFolder(const std::filesystem::path& root, const WalkLimits& limits) {
  return Walker(root.string(), limits).Run();
}

Result<WalkedEntry> LookAt(const std::filesystem::path& root, const std::string& path) {
  const std::string full = (root / path).string();
  struct stat status {};
  if (::lstat(full.c_str(), &status) != 0) return OsError("looking at " + full, errno);
  WalkedEntry entry{.path = path, .kind = KindOf(status)};
  entry.executable = (status.st_mode & S_IXUSR) != 0;
  entry.marks = {.device = status.st_dev,
                 .inode = status.st_ino,
                 .size = static_cast<std::uint64_t>(status.st_size),
                 .modified_ns = Nanoseconds(status.st_mtim),
                 .changed_ns = Nanoseconds(status.st_ctim)};
  return entry;
}

}  // namespace sibyl::evidence
