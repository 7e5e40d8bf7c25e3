// SPDX-License-Identifier: Apache-2.0
#include "evidence/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "evidence/glob.h"
#include "evidence/object_reader.h"
#include "evidence/tree.h"

namespace sibyl::evidence {
namespace {

/// Walks a tree folder by folder. Not recursive: the depth is the source's to
/// choose, the stack is ours.
class Lister {
 public:
  Lister(const ObjectDatabase& database, const SourceFilter& filter, const SnapshotLimits& limits)
      : reader_(database), filter_(filter), limits_(limits) {}

  void Walk(const ObjectId& root) {
    pending_.push_back({std::string(), root, 0});
    while (!pending_.empty() && !full_) {
      const Folder folder = std::move(pending_.back());
      pending_.pop_back();
      ReadFolder(folder);
    }
    std::sort(files_.begin(), files_.end(),
              [](const SnapshotFile& a, const SnapshotFile& b) { return a.path < b.path; });
  }

  std::vector<SnapshotFile> TakeFiles() { return std::move(files_); }
  std::vector<Finding> TakeFindings() { return std::move(findings_); }

 private:
  struct Folder {
    std::string prefix;  // with its slash
    ObjectId id;
    std::size_t depth;
  };

  void ReadFolder(const Folder& folder) {
    const ObjectView view = reader_.Read(folder.id, kMaxTreeBytes);
    if (!view.ok() || view.type != ObjectType::kTree) {
      const bool missing = view.state == ReadState::kMissing;
      Add(folder.prefix, folder.id, missing ? SkipReason::kMissing : SkipReason::kCorrupt);
      return;
    }
    std::string_view rest = view.bytes;
    while (const std::optional<TreeEntry> entry = NextTreeEntry(rest)) {
      if (files_.size() + pending_.size() >= limits_.max_files) return StopFull();
      AddEntry(folder, *entry);
    }
    if (!rest.empty()) Add(folder.prefix, folder.id, SkipReason::kCorrupt);
  }

  void AddEntry(const Folder& folder, const TreeEntry& entry) {
    std::string path = folder.prefix;
    path += entry.name;
    if (!IsPlainName(entry.name) || path.size() > limits_.max_path_bytes ||
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
    } else if ((entry.mode & kModeMask) == kModeSymlink) {
      reason = SkipReason::kSymlink;
    } else if ((entry.mode & kModeMask) == kModeSubmodule) {
      reason = SkipReason::kSubmodule;
    } else if (!entry.IsFile()) {
      reason = SkipReason::kCorrupt;
    }
    Add(std::move(path), entry.id, reason);
  }

  void Add(std::string path, const ObjectId& id, SkipReason reason) {
    files_.push_back({std::move(path), id, reason});
  }

  void StopFull() {
    full_ = true;
    findings_.push_back(Finding{
        .severity = Severity::kWarning,
        .code = "source/too-many-files",
        .message = fmt::format("more than {} files; the rest is not read", limits_.max_files),
        .hint = "narrow the source with include or exclude"});
  }

  ObjectReader reader_;
  const SourceFilter& filter_;
  const SnapshotLimits& limits_;
  std::vector<Folder> pending_;
  std::vector<SnapshotFile> files_;
  std::vector<Finding> findings_;
  bool full_ = false;
};

// Whether the text begins with some lines of thousands of characters: a line is
// what is cited, and such a one says nothing to anybody.
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

Snapshot::Snapshot(std::shared_ptr<const ObjectDatabase> database, const ObjectId& tree,
                   SourceFilter filter)
    : database_(std::move(database)), tree_(tree), filter_(std::move(filter)) {}

Result<Snapshot> Snapshot::List(std::shared_ptr<const ObjectDatabase> database,
                                const ObjectId& tree, const SourceFilter& filter,
                                const SnapshotLimits& limits) {
  if (!database->Contains(tree)) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("listing tree {}: it is not in the store", tree.Hex()),
                 .hint = "sibyl source sync fetches it"};
  }
  Snapshot snapshot(std::move(database), tree, filter);
  Lister lister(*snapshot.database_, snapshot.filter_, limits);
  lister.Walk(tree);
  snapshot.files_ = lister.TakeFiles();
  snapshot.findings_ = lister.TakeFindings();
  return snapshot;
}

const SnapshotFile* Snapshot::Find(std::string_view path) const {
  const auto found =
      std::lower_bound(files_.begin(), files_.end(), path,
                       [](const SnapshotFile& file, std::string_view p) { return file.path < p; });
  return found != files_.end() && found->path == path ? &*found : nullptr;
}

}  // namespace sibyl::evidence
