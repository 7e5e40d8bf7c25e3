// SPDX-License-Identifier: Apache-2.0
#include "evidence/copy_commit.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "evidence/object_reader.h"
#include "evidence/pack_writer.h"
#include "evidence/snapshot.h"
#include "evidence/tree.h"

namespace sibyl::evidence {
namespace {

Status CopyObject(ObjectReader& reader, const ObjectId& id, PackWriter& writer,
                  Deflater& deflater) {
  const ObjectView view = reader.ReadVerified(id, kMaxTreeBytes);
  if (!view.ok()) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("copying object {}: {}", id.Hex(), view.problem)};
  }
  return writer.Add(PackObject(view.type, view.bytes, deflater));
}

Error CopyingCancelled() {
  return Error{.kind = ErrorKind::kCancelled, .message = "copying a commit: cancelled"};
}

// All folders of a tree that `target` lacks. A folder that cannot be read
// stays out; the listing gives it a reason.
Status CopyTrees(const ObjectDatabase& source, const ObjectDatabase& target, const ObjectId& root,
                 PackWriter& writer, const std::function<bool()>& cancelled) {
  ObjectReader reader(source);
  Deflater deflater;
  std::unordered_set<ObjectId> seen = {root};
  std::vector<ObjectId> pending = {root};
  while (!pending.empty()) {
    if (cancelled && cancelled()) return CopyingCancelled();
    const ObjectId id = pending.back();
    pending.pop_back();
    const ObjectView view = reader.ReadVerified(id, kMaxTreeBytes);
    if (!view.ok() || view.type != ObjectType::kTree) continue;
    std::string_view rest = view.bytes;
    while (const std::optional<TreeEntry> entry = NextTreeEntry(rest)) {
      if (entry->IsFolder() && seen.insert(entry->id).second) pending.push_back(entry->id);
    }
    if (!target.Contains(id)) {
      SIBYL_TRY(writer.Add(PackObject(ObjectType::kTree, view.bytes, deflater)));
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

PackedObject Pack(const Document& document) {
  thread_local Deflater deflater;
  if (document.compressed.empty()) return PackObject(ObjectType::kBlob, document.text, deflater);
  return PackCompressed(HashObject(ObjectType::kBlob, document.text), ObjectType::kBlob,
                        document.text.size(), document.compressed);
}

Result<SkipNotes> CopyTexts(const Snapshot& snapshot, const ObjectDatabase& target,
                            PackWriter& writer, const CopyOptions& options) {
  FirstFailure failure;
  const ScanOptions scan{.threads = options.threads, .cancelled = [&] {
                           return failure.failed() || (options.cancelled && options.cancelled());
                         }};
  const ScanReport report = snapshot.Scan(scan, [&](const Document& document) {
    if (target.Find(document.blob)) return;
    const PackedObject object = Pack(document);
    // Bytes that are not what their name says are left behind; the scan of
    // the mirror will call them missing.
    if (object.id == document.blob) failure.Note(writer.Add(object));
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

Result<ObjectId> CopyCommit(const Repository& from, const ObjectId& commit, const Mirror& mirror,
                            const CopyOptions& options) {
  ObjectReader reader(*from.objects());
  const ObjectView view = reader.ReadVerified(commit, kMaxTreeBytes);
  const std::optional<CommitSummary> summary =
      view.ok() && view.type == ObjectType::kCommit ? ParseCommit(view.bytes) : std::nullopt;
  if (!summary) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("reading commit {}: {}", commit.Hex(),
                                        view.problem.empty() ? "it is none" : view.problem)};
  }
  const SnapshotLimits limits{.cancelled = options.cancelled};
  SIBYL_TRY(CheckTreeSize(*from.objects(), summary->tree, limits));
  const Snapshot snapshot =
      SIBYL_TRY(Snapshot::List(from.objects(), summary->tree, options.filter, limits));
  const std::shared_ptr<const ObjectDatabase> target = SIBYL_TRY(mirror.Open());
  PackWriter writer = SIBYL_TRY(PackWriter::Create(mirror.objects()));
  Deflater deflater;
  if (!target->Contains(commit)) SIBYL_TRY(CopyObject(reader, commit, writer, deflater));
  SIBYL_TRY(CopyTrees(*from.objects(), *target, summary->tree, writer, options.cancelled));
  const SkipNotes notes = SIBYL_TRY(CopyTexts(snapshot, *target, writer, options));
  SIBYL_TRY(mirror.AddNotes(notes));
  SIBYL_TRY(writer.Finish());
  return summary->tree;
}

}  // namespace sibyl::evidence
