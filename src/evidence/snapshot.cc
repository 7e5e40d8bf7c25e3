// SPDX-License-Identifier: Apache-2.0
#include "evidence/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>

#include "evidence/glob.h"
#include "git/object_reader.h"
#include "git/tree.h"

namespace sibyl::evidence {
namespace {

Error ListingCancelled() {
  return Error{.kind = ErrorKind::kCancelled, .message = "listing a tree: cancelled"};
}

/// Walks a tree folder by folder. Not recursive, since the source controls the
/// depth.
class Lister {
 public:
  Lister(const git::ObjectDatabase& database, const SourceFilter& filter,
         const SnapshotLimits& limits)
      : reader_(database), filter_(filter), limits_(limits) {}

  Status Walk(const git::ObjectId& root) {
    pending_.push_back({std::string(), root, 0});
    while (!pending_.empty()) {
      if (limits_.cancelled && limits_.cancelled()) return ListingCancelled();
      const Folder folder = std::move(pending_.back());
      pending_.pop_back();
      ReadFolder(folder);
      if (is_full_) return TooManyPaths(limits_.max_paths);
    }
    std::sort(files_.begin(), files_.end(),
              [](const SnapshotFile& a, const SnapshotFile& b) { return a.path < b.path; });
    return {};
  }

  std::vector<SnapshotFile> TakeFiles() { return std::move(files_); }

 private:
  struct Folder {
    std::string prefix;  // with its slash
    git::ObjectId id;
    std::size_t depth;
  };

  void ReadFolder(const Folder& folder) {
    const git::ObjectView view = reader_.Read(folder.id, git::kMaxTreeBytes);
    if (!view.ok() || view.type != git::ObjectType::kTree) {
      const bool missing = view.state == git::ReadState::kMissing;
      Add(folder.prefix, folder.id, missing ? SkipReason::kMissing : SkipReason::kCorrupt);
      return;
    }
    std::string_view rest = view.bytes;
    while (const std::optional<git::TreeEntry> entry = git::NextTreeEntry(rest)) {
      path_bytes_ += folder.prefix.size() + entry->name.size();
      is_full_ = ++paths_ > limits_.max_paths || path_bytes_ > limits_.max_all_path_bytes;
      if (is_full_) return;
      AddEntry(folder, *entry);
    }
    if (!rest.empty()) Add(folder.prefix, folder.id, SkipReason::kCorrupt);
  }

  void AddEntry(const Folder& folder, const git::TreeEntry& entry) {
    std::string path = folder.prefix;
    path += entry.name;
    if (!git::IsPlainName(entry.name) || path.size() > limits_.max_path_bytes ||
        folder.depth >= limits_.max_depth) {
      return Add(std::move(path), entry.id, SkipReason::kOddPath);
    }
    if (entry.IsFolder()) {
      path += '/';
      pending_.push_back({std::move(path), entry.id, folder.depth + 1});
      return;
    }
    SkipReason reason = SkipReason::kNone;
    if (!PassesGlobs(filter_.include, filter_.exclude, path)) {
      reason = SkipReason::kExcluded;
    } else if ((entry.mode & git::kModeMask) == git::kModeSymlink) {
      reason = SkipReason::kSymlink;
    } else if ((entry.mode & git::kModeMask) == git::kModeSubmodule) {
      reason = SkipReason::kSubmodule;
    } else if (!entry.IsFile()) {
      reason = SkipReason::kCorrupt;
    }
    Add(std::move(path), entry.id, reason);
  }

  void Add(std::string path, const git::ObjectId& id, SkipReason reason) {
    files_.push_back({std::move(path), id, reason});
  }

  git::ObjectReader reader_;
  const SourceFilter& filter_;
  const SnapshotLimits& limits_;
  std::vector<Folder> pending_;
  std::vector<SnapshotFile> files_;
  std::size_t paths_ = 0;  // files and folders so far
  std::uint64_t path_bytes_ = 0;
  bool is_full_ = false;
};

/// Counts the paths of a tree without listing them.
class PathCounter {
 public:
  PathCounter(const git::ObjectDatabase& database, const SnapshotLimits& limits)
      : reader_(database), limits_(limits) {}

  Status Check(const git::ObjectId& root) {
    Enter(root);
    while (!open_.empty()) {
      if (limits_.cancelled && limits_.cancelled()) return ListingCancelled();
      Tree& tree = open_.back();
      if (tree.next == tree.folders.size()) {
        if (IsTooLarge(tree.total)) return TooManyPaths(limits_.max_paths);
        known_[tree.id] = tree.total;
        open_.pop_back();
        continue;
      }
      const Folder folder = tree.folders[tree.next];
      const auto known = known_.find(folder.id);
      if (known == known_.end()) {
        Enter(folder.id);
        continue;
      }
      ++tree.next;
      tree.total.paths += known->second.paths;
      tree.total.bytes += known->second.bytes + known->second.paths * folder.prefix_bytes;
      if (IsTooLarge(tree.total)) return TooManyPaths(limits_.max_paths);
    }
    return {};
  }

 private:
  struct Total {
    std::uint64_t paths = 0;
    std::uint64_t bytes = 0;
  };
  struct Folder {
    git::ObjectId id;
    std::size_t prefix_bytes = 0;  // its name and a slash
  };
  struct Tree {
    git::ObjectId id;
    Total total;
    std::vector<Folder> folders;
    std::size_t next = 0;  // of `folders`
  };

  bool IsTooLarge(const Total& total) const {
    return total.paths > limits_.max_paths || total.bytes > limits_.max_all_path_bytes;
  }

  void Enter(const git::ObjectId& id) {
    known_[id] = {};  // for objects that do not match their id: a tree may refer to itself
    Tree tree{.id = id};
    const git::ObjectView view = reader_.Read(id, git::kMaxTreeBytes);
    if (view.ok() && view.type == git::ObjectType::kTree) {
      std::string_view rest = view.bytes;
      while (const std::optional<git::TreeEntry> entry = git::NextTreeEntry(rest)) {
        if (IsTooLarge(tree.total)) break;
        ++tree.total.paths;
        tree.total.bytes += entry->name.size();
        if (entry->IsFolder()) tree.folders.push_back({entry->id, entry->name.size() + 1});
      }
    }
    open_.push_back(std::move(tree));
  }

  git::ObjectReader reader_;
  const SnapshotLimits& limits_;
  std::vector<Tree> open_;  // from the root down; not recursive: the depth is the source's
  std::unordered_map<git::ObjectId, Total> known_;
};

// Whether the text starts with lines of thousands of characters: lines are
// cited, and such lines are not readable.
bool HasEndlessLines(std::string_view bytes) {
  constexpr std::size_t kBeginning = std::size_t{16} << 10;
  constexpr int kFewLines = 4;
  if (bytes.size() < kBeginning) return false;
  std::string_view rest = bytes.substr(0, kBeginning);
  for (int line = 0; line < kFewLines; ++line) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return true;
    rest.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

Error TooManyPaths(std::size_t limit) {
  return Error{
      .kind = ErrorKind::kUnavailable,
      .message = fmt::format(
          "it has more than {} files and folders, or its paths exceed the size limit in total",
          limit),
      .hint = "declare a smaller repository, or only the folder you need from a checkout"};
}

Status CheckTreeSize(const git::ObjectDatabase& database, const git::ObjectId& tree,
                     const SnapshotLimits& limits) {
  return PathCounter(database, limits).Check(tree);
}

SkipReason InspectText(std::string_view bytes) {
  constexpr std::size_t kMaxPointerBytes = 1024;
  if (bytes.size() < kMaxPointerBytes &&
      bytes.starts_with("version https://git-lfs.github.com/spec/")) {
    return SkipReason::kLfsPointer;
  }
  if (bytes.empty()) return SkipReason::kNone;
  if (std::memchr(bytes.data(), 0, bytes.size()) != nullptr) return SkipReason::kBinary;
  return HasEndlessLines(bytes) ? SkipReason::kGenerated : SkipReason::kNone;
}

Snapshot::Snapshot(std::shared_ptr<const git::ObjectDatabase> database, const git::ObjectId& tree,
                   SourceFilter filter)
    : database_(std::move(database)), tree_(tree), filter_(std::move(filter)) {}

Result<Snapshot> Snapshot::List(std::shared_ptr<const git::ObjectDatabase> database,
                                const git::ObjectId& tree, const SourceFilter& filter,
                                const SnapshotLimits& limits) {
  if (!database->Contains(tree)) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("listing tree {}: it is not in the store", tree.Hex()),
                 .hint = "'sibyl source sync' fetches it"};
  }
  Snapshot snapshot(std::move(database), tree, filter);
  Lister lister(*snapshot.database_, snapshot.filter_, limits);
  SIBYL_TRY(lister.Walk(tree));
  snapshot.files_ = lister.TakeFiles();
  return snapshot;
}

const SnapshotFile* Snapshot::Find(std::string_view path) const {
  const auto found =
      std::lower_bound(files_.begin(), files_.end(), path,
                       [](const SnapshotFile& file, std::string_view p) { return file.path < p; });
  return found != files_.end() && found->path == path ? &*found : nullptr;
}

}  // namespace sibyl::evidence
