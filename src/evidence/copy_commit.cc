// SPDX-License-Identifier: Apache-2.0
#include "evidence/copy_commit.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "evidence/snapshot.h"
#include "git/object_reader.h"
#include "git/pack_writer.h"
#include "git/tree.h"

namespace sibyl::evidence {
namespace {

Status CopyObject(git::ObjectReader& reader, const git::ObjectId& id, git::PackWriter& writer,
                  git::Deflater& deflater) {
  const git::ObjectView view = reader.ReadVerified(id, git::kMaxTreeBytes);
  if (!view.ok()) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("copying object {}: {}", id.Hex(), view.problem)};
  }
  return writer.Add(git::PackObject(view.type, view.bytes, deflater));
}

Error CopyingCancelled() {
  return Error{.kind = ErrorKind::kCancelled, .message = "copying a commit: cancelled"};
}

// All folders of a tree that `target` lacks. An unreadable folder is skipped;
// the listing records the reason.
Status CopyTrees(const git::ObjectDatabase& source, const git::ObjectDatabase& target,
                 const git::ObjectId& root, git::PackWriter& writer,
                 const std::function<bool()>& cancelled) {
  git::ObjectReader reader(source);
  git::Deflater deflater;
  std::unordered_set<git::ObjectId> seen = {root};
  std::vector<git::ObjectId> pending = {root};
  while (!pending.empty()) {
    if (cancelled && cancelled()) return CopyingCancelled();
    const git::ObjectId id = pending.back();
    pending.pop_back();
    const git::ObjectView view = reader.ReadVerified(id, git::kMaxTreeBytes);
    if (!view.ok() || view.type != git::ObjectType::kTree) continue;
    std::string_view rest = view.bytes;
    while (const std::optional<git::TreeEntry> entry = git::NextTreeEntry(rest)) {
      if (entry->IsFolder() && seen.insert(entry->id).second) pending.push_back(entry->id);
    }
    if (!target.Contains(id)) {
      SIBYL_TRY(writer.Add(git::PackObject(git::ObjectType::kTree, view.bytes, deflater)));
    }
  }
  return {};
}

/// The first failure of several threads; it ends the others.
class FirstFailure {
 public:
  void Note(Status status) {
    if (status.ok()) return;
    MutexLock lock(mutex_);
    if (first_.ok()) first_ = std::move(status);
  }

  bool failed() const {
    MutexLock lock(mutex_);
    return !first_.ok();
  }

  Status Take() {
    MutexLock lock(mutex_);
    return std::move(first_);
  }

 private:
  mutable Mutex mutex_;
  Status first_ SIBYL_GUARDED_BY(mutex_);
};

git::PackedObject Pack(const ScannedFile& file) {
  thread_local git::Deflater deflater;
  if (file.compressed.empty()) return git::PackObject(git::ObjectType::kBlob, file.text, deflater);
  return git::PackCompressed(git::HashObject(git::ObjectType::kBlob, file.text),
                             git::ObjectType::kBlob, file.text.size(), file.compressed);
}

Result<SkipNotes> CopyTexts(const Snapshot& snapshot, const git::ObjectDatabase& target,
                            git::PackWriter& writer, const CopyOptions& options) {
  FirstFailure failure;
  const ScanOptions scan{.threads = options.threads, .cancelled = [&] {
                           return failure.failed() || (options.cancelled && options.cancelled());
                         }};
  const ScanReport report = snapshot.Scan(scan, [&](const ScannedFile& file) {
    if (target.Find(file.blob)) return;
    const git::PackedObject object = Pack(file);
    // Bytes that are not what their name says are left behind; the scan of
    // the mirror will call them missing.
    if (object.id == file.blob) failure.Note(writer.Add(object));
  });
  SIBYL_TRY(failure.Take());
  if (!report.complete) return CopyingCancelled();
  SkipNotes notes;
  for (std::size_t i = 0; i < report.skips.size(); ++i) {
    const SkipReason reason = report.skips[i];
    if (reason == SkipReason::kTooLarge || reason == SkipReason::kBinary ||
        reason == SkipReason::kLfsPointer || reason == SkipReason::kCorrupt ||
        reason == SkipReason::kGenerated) {
      notes[snapshot.files()[i].blob] = reason;
    }
  }
  return notes;
}

}  // namespace

Result<git::ObjectId> CopyCommit(const git::Repository& from, const git::ObjectId& commit,
                                 const Mirror& mirror, const CopyOptions& options) {
  git::ObjectReader reader(*from.objects());
  const git::ObjectView view = reader.ReadVerified(commit, git::kMaxTreeBytes);
  const std::optional<git::CommitSummary> summary =
      view.ok() && view.type == git::ObjectType::kCommit ? git::ParseCommit(view.bytes)
                                                         : std::nullopt;
  if (!summary) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("reading commit {}: {}", commit.Hex(),
                                        view.problem.empty() ? "not a commit" : view.problem)};
  }
  const SnapshotLimits limits{.cancelled = options.cancelled};
  SIBYL_TRY(CheckTreeSize(*from.objects(), summary->tree, limits));
  const Snapshot snapshot =
      SIBYL_TRY(Snapshot::List(from.objects(), summary->tree, options.filter, limits));
  const std::shared_ptr<const git::ObjectDatabase> target = SIBYL_TRY(mirror.Open());
  git::PackWriter writer = SIBYL_TRY(git::PackWriter::Create(mirror.objects()));
  git::Deflater deflater;
  if (!target->Contains(commit)) SIBYL_TRY(CopyObject(reader, commit, writer, deflater));
  SIBYL_TRY(CopyTrees(*from.objects(), *target, summary->tree, writer, options.cancelled));
  const SkipNotes notes = SIBYL_TRY(CopyTexts(snapshot, *target, writer, options));
  SIBYL_TRY(mirror.AddNotes(notes));
  SIBYL_TRY(writer.Finish());
  return summary->tree;
}

}  // namespace sibyl::evidence
