// SPDX-License-Identifier: Apache-2.0
// All files of a pinned source: which are read, which are not and why, and
// their text, handed to any number of threads.
//
// Git trees, folder snapshots and single files are the same here: a tree in an
// object database. Nothing is checked out and nothing is executed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/skip_reason.h"
#include "evidence/source.h"
#include "git/object_database.h"

namespace sibyl::evidence {

struct SnapshotFile {
  std::string path;  ///< Raw bytes; may contain a newline or invalid UTF-8.
  git::ObjectId blob;
  SkipReason skip = SkipReason::kNone;  ///< As known from the listing alone.
};

/// Files and folders of one source. Well above the largest repositories; a
/// dozen trees that refer to each other can have 10^10.
inline constexpr std::size_t kMaxSourcePaths = 2'000'000;

struct SnapshotLimits {
  std::size_t max_paths = kMaxSourcePaths;
  std::size_t max_depth = 256;
  std::size_t max_path_bytes = 4096;
  std::uint64_t max_all_path_bytes = std::uint64_t{512} << 20;  ///< Of all paths together.
  std::function<bool()> cancelled = {};  ///< Called between folders; true ends the listing.
};

/// The error for a source with more than `limit` paths.
Error TooManyPaths(std::size_t limit);

/// Whether a tree has too many paths. Reads each distinct tree once, so that it
/// is fast for trees that multiply.
Status CheckTreeSize(const git::ObjectDatabase& database, const git::ObjectId& tree,
                     const SnapshotLimits& limits = {});

/// One file's text; the views last for the visit.
struct ScannedFile {
  std::size_t number = 0;  ///< Its place in files(); the same in every run.
  std::size_t worker = 0;  ///< Below the number of threads.
  std::string_view path;
  git::ObjectId blob;
  std::string_view text;
  std::string_view compressed;  ///< The zlib stream of the text, where the store has one.
};

struct ScanOptions {
  std::size_t threads = 0;  ///< Zero: as many as the machine has.
  /// Called between files; true ends the scan.
  std::function<bool()> cancelled;
};

struct ScanReport {
  std::vector<SkipReason> skips;  ///< For every file of the snapshot.
  std::array<std::size_t, kSkipReasons> counts{};
  std::uint64_t text_bytes = 0;
  bool complete = true;  ///< False when it was cancelled.
};

class Snapshot {
 public:
  /// Lists the tree. A folder of it that is missing or broken is a file of the
  /// listing with its reason; a missing root and too many paths are errors.
  static Result<Snapshot> List(std::shared_ptr<const git::ObjectDatabase> database,
                               const git::ObjectId& tree, const SourceFilter& filter,
                               const SnapshotLimits& limits = {});

  /// The recorded reasons for skipped blobs.
  void set_notes(SkipNotes notes) { notes_ = std::move(notes); }
  const SkipNotes& notes() const { return notes_; }

  /// Sorted by the bytes of their paths.
  const std::vector<SnapshotFile>& files() const { return files_; }

  /// The file of that path; null when there is none.
  const SnapshotFile* Find(std::string_view path) const;

  /// Calls `visit` for every text, from several threads at once and in no
  /// order; a blob that occurs at several paths is read once. `visit` must not
  /// throw.
  ScanReport Scan(const ScanOptions& options,
                  const std::function<void(const ScannedFile&)>& visit) const;

  const git::ObjectDatabase& database() const { return *database_; }
  const SourceFilter& filter() const { return filter_; }
  const git::ObjectId& tree() const { return tree_; }

 private:
  Snapshot(std::shared_ptr<const git::ObjectDatabase> database, const git::ObjectId& tree,
           SourceFilter filter);

  // The database may be shared with other snapshots of the same mirror.
  std::shared_ptr<const git::ObjectDatabase> database_;
  git::ObjectId tree_;
  SourceFilter filter_;
  std::vector<SnapshotFile> files_;
  SkipNotes notes_;
};

/// kNone for text; kBinary or kLfsPointer by the bytes.
SkipReason InspectText(std::string_view bytes);

}  // namespace sibyl::evidence
