// SPDX-License-Identifier: Apache-2.0
#include "evidence/folder_snapshot.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/mutex.h"
#include "base/parallel.h"
#include "evidence/folder_walk.h"
#include "evidence/glob.h"
#include "evidence/snapshot.h"
#include "git/pack_writer.h"
#include "git/tree.h"
#include "git/tree_writer.h"

namespace sibyl::evidence {
namespace {

Error Changed(const std::string& path) {
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("reading {}: it changed while it was read", path),
               .hint = "sync again when nothing writes there"};
}

// A skipped file still has an entry in the tree. Its id must not be that of any
// content, and must be stable.
git::ObjectId StandIn(SkipReason reason, const WalkedEntry& entry) {
  return git::HashObject(git::ObjectType::kNone,
                         fmt::format("{} {}", SkipReasonName(reason), entry.marks.size));
}

/// Reads the entries of one walk with several threads.
class FolderReader {
 public:
  FolderReader(Root root, const FolderOptions& options, const git::ObjectDatabase& known,
               git::PackWriter& writer)
      : root_(std::move(root)), options_(options), known_(known), writer_(writer) {}

  Status Run(const std::vector<WalkedEntry>& entries) {
    files_.resize(entries.size());
    const auto make_worker = [&](std::size_t) {
      return [&, deflater = git::Deflater()](std::size_t i) mutable {
        Status status = ReadEntry(entries[i], files_[i], deflater);
        if (options_.cancelled && options_.cancelled()) {
          status = Error{.kind = ErrorKind::kCancelled, .message = "reading a folder: cancelled"};
        }
        if (!status.ok()) Fail(std::move(status));
      };
    };
    constexpr std::size_t kChunk = 16;
    ForEachWithWorkers(entries.size(),
                       {.threads = options_.threads, .grain = kChunk, .stop = stop_.get_token()},
                       make_worker);
    MutexLock lock(mutex_);
    return std::move(failure_);
  }

  /// In the order of the walk; an entry without a path is skipped.
  std::vector<git::TreeFile> TakeFiles() { return std::move(files_); }
  SkipNotes TakeNotes() {
    MutexLock lock(mutex_);
    return std::move(notes_);
  }

 private:
  void Fail(Status status) {
    stop_.request_stop();
    MutexLock lock(mutex_);
    if (failure_.ok()) failure_ = std::move(status);
  }

  Status ReadEntry(const WalkedEntry& entry, git::TreeFile& file, git::Deflater& deflater) {
    // Excluded files are not read, and are not part of the pin.
    if (!PassesGlobs(options_.filter.include, options_.filter.exclude, entry.path)) return {};
    file.path = entry.path;
    file.mode = git::kModeFile | (entry.executable ? 0755u : 0644u);
    switch (entry.kind) {
      case EntryKind::kSymlink:
        return ReadLink(entry, file, deflater);
      case EntryKind::kSpecial:
        return LeaveOut(SkipReason::kSpecial, entry, file);
      case EntryKind::kFile:
        return ReadText(entry, file, deflater);
      case EntryKind::kUnreadable:
      case EntryKind::kFolder:
        break;
    }
    return LeaveOut(SkipReason::kUnreadable, entry, file);
  }

  Status LeaveOut(SkipReason reason, const WalkedEntry& entry, git::TreeFile& file) {
    file.id = StandIn(reason, entry);
    MutexLock lock(mutex_);
    notes_[file.id] = reason;
    return {};
  }

  Status ReadLink(const WalkedEntry& entry, git::TreeFile& file, git::Deflater& deflater) {
    const std::optional<std::string> target = root_.LinkTarget(entry.path);
    if (!target) return Changed(entry.path);
    file.mode = git::kModeSymlink;
    const git::PackedObject object = git::PackObject(git::ObjectType::kBlob, *target, deflater);
    file.id = object.id;
    return writer_.Add(object);
  }

  Status ReadText(const WalkedEntry& entry, git::TreeFile& file, git::Deflater& deflater) {
    const std::uint64_t limit = options_.filter.max_file_bytes;
    if (entry.marks.size > limit) return LeaveOut(SkipReason::kTooLarge, entry, file);
    const Result<std::string> text = root_.Read(entry.path, {.max_bytes = limit});
    if (!text.ok()) {
      const Result<WalkedEntry> now = LookAt(root_, entry.path);
      if (!now.ok() || *now != entry) return Changed(entry.path);
      return LeaveOut(SkipReason::kUnreadable, entry, file);
    }
    if (text->size() != entry.marks.size) return Changed(entry.path);
    file.id = git::HashObject(git::ObjectType::kBlob, *text);
    if (known_.Find(file.id)) return {};
    if (const SkipReason reason = InspectText(*text); reason != SkipReason::kNone) {
      MutexLock lock(mutex_);
      notes_[file.id] = reason;
      return {};
    }
    return writer_.Add(git::PackCompressed(file.id, git::ObjectType::kBlob, text->size(),
                                           deflater.Compress(*text)));
  }

  const Root root_;
  const FolderOptions& options_;
  const git::ObjectDatabase& known_;
  git::PackWriter& writer_;
  std::vector<git::TreeFile> files_;  // each written by one thread
  std::stop_source stop_;
  Mutex mutex_;
  Status failure_ SIBYL_GUARDED_BY(mutex_);
  SkipNotes notes_ SIBYL_GUARDED_BY(mutex_);
};

Result<git::ObjectId> WriteSnapshot(const Root& root, const std::vector<WalkedEntry>& entries,
                                    const Mirror& mirror, const FolderOptions& options) {
  const std::shared_ptr<const git::ObjectDatabase> known = SIBYL_TRY(mirror.Open());
  git::PackWriter writer = SIBYL_TRY(git::PackWriter::Create(mirror.objects()));
  FolderReader reader(root, options, *known, writer);
  SIBYL_TRY(reader.Run(entries));
  std::vector<git::TreeFile> files = reader.TakeFiles();
  std::erase_if(files, [](const git::TreeFile& file) { return file.path.empty(); });
  const git::ObjectId tree = SIBYL_TRY(git::WriteTrees(files, writer));
  SIBYL_TRY(mirror.AddNotes(reader.TakeNotes()));
  SIBYL_TRY(writer.Finish());
  return tree;
}

// Counts what would be read, before any of it is.
Status CheckTotal(const Root& root, const std::vector<WalkedEntry>& entries,
                  const FolderOptions& options) {
  std::uint64_t total = 0;
  for (const WalkedEntry& entry : entries) {
    const bool is_read = entry.kind == EntryKind::kFile &&
                         entry.marks.size <= options.filter.max_file_bytes &&
                         PassesGlobs(options.filter.include, options.filter.exclude, entry.path);
    if (!is_read) continue;
    if (entry.marks.size > options.max_total_bytes - total) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("reading {}: its files exceed {} bytes in total",
                                          root.path().string(), options.max_total_bytes),
                   .hint = "narrow the source with include or exclude"};
    }
    total += entry.marks.size;
  }
  return {};
}

// The first path at which two walks differ.
std::optional<std::string> FirstDifference(const std::vector<WalkedEntry>& a,
                                           const std::vector<WalkedEntry>& b) {
  const auto [first, second] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (first != a.end()) return first->path;
  if (second != b.end()) return second->path;
  return std::nullopt;
}

}  // namespace

Result<FolderSnapshot> RecordFolder(const Root& folder, const Mirror& mirror,
                                    const FolderOptions& options) {
  constexpr int kTries = 2;
  const WalkLimits limits{.max_paths = options.max_paths,
                          .max_depth = options.max_depth,
                          .cancelled = options.cancelled};
  Error last;
  for (int i = 0; i < kTries; ++i) {
    Walk before = SIBYL_TRY(WalkFolder(folder, limits));
    SIBYL_TRY(CheckTotal(folder, before.entries, options));
    Result<git::ObjectId> tree = WriteSnapshot(folder, before.entries, mirror, options);
    if (!tree.ok()) {
      last = std::move(tree).error();
      if (last.kind != ErrorKind::kUnavailable) return last;
      continue;
    }
    const Walk after = SIBYL_TRY(WalkFolder(folder, limits));
    const std::optional<std::string> changed = FirstDifference(before.entries, after.entries);
    if (!changed) return FolderSnapshot{*tree, std::move(before.findings)};
    last = Changed(folder.Shown(*changed).string());
  }
  return last;
}

Result<FolderSnapshot> RecordFile(const Root& folder, const std::string& name, const Mirror& mirror,
                                  const FolderOptions& options) {
  const std::string file = folder.Shown(name).string();
  const WalkedEntry entry = SIBYL_TRY(LookAt(folder, name));
  if (entry.kind != EntryKind::kFile) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("reading {}: it is not a regular file", file),
                 .hint = "declare a folder with folder = instead of file ="};
  }
  if (entry.marks.size > options.filter.max_file_bytes) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("reading {}: {} bytes, more than the limit of {}", file,
                                        entry.marks.size, options.filter.max_file_bytes),
                 .hint = "raise max_file_bytes of this source in sibyl.toml"};
  }
  const git::ObjectId tree = SIBYL_TRY(WriteSnapshot(folder, {entry}, mirror, options));
  const Result<WalkedEntry> after = LookAt(folder, name);
  if (!after.ok() || *after != entry) return Changed(file);
  return FolderSnapshot{tree, {}};
}

}  // namespace sibyl::evidence
