// SPDX-License-Identifier: Apache-2.0
// The index of one source snapshot: its segments, and which of their documents are no longer in
// the snapshot. Segments are shared between snapshots; a manifest is a small file that is
// replaced atomically, so that a search sees the old index or the new one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "index/builder/segment_builder.h"
#include "index/document.h"
#include "index/segment/segment.h"

namespace sibyl::index {

class HistoryField;  // index/history/history_field.h
struct VectorRows;   // index/vectors/vector_query.h

struct ManifestSegment {
  std::string id;
  std::vector<std::uint32_t> dead_documents;  ///< Ascending.
};

struct Manifest {
  /// Everything besides the documents that affects the index, such as the version of the
  /// passage rules. Segments are reused only if it is equal.
  std::string fingerprint;
  std::vector<ManifestSegment> segments;
};

Result<Manifest> ReadManifest(const std::filesystem::path& path);
Status WriteManifest(const std::filesystem::path& path, const Manifest& manifest);

/// An opened manifest. Immutable; may be shared between threads.
class Index {
 public:
  /// `name` is the source's name in results and filters. On an error of kind kCorrupt, build
  /// the index again.
  static Result<Index> Open(const std::filesystem::path& manifest,
                            const std::filesystem::path& segment_folder, std::string name);

  struct Part {
    Segment segment;
    std::vector<std::uint64_t> dead_documents;  ///< One bit per document; empty if none is dead.
    std::uint64_t live_documents = 0;
  };

  const std::string& name() const { return name_; }
  const Manifest& manifest() const { return manifest_; }
  const std::vector<Part>& parts() const { return parts_; }

  /// What people wrote when they changed the files; nullptr if that is not known. With it,
  /// searches take a second look (rank/second_look.h).
  const HistoryField* history() const { return history_.get(); }
  void set_history(std::shared_ptr<const HistoryField> history) { history_ = std::move(history); }

  /// The vectors of the passages; nullptr if there are none. With them too.
  const VectorRows* vectors() const { return vectors_.get(); }
  void set_vectors(std::shared_ptr<const VectorRows> vectors) { vectors_ = std::move(vectors); }

  /// Verifies the checksums of all segments.
  Status Check() const;

 private:
  Index() = default;

  std::string name_;
  Manifest manifest_;
  std::vector<Part> parts_;
  // Shared with nobody: unique pointers would need the whole types here.
  std::shared_ptr<const HistoryField> history_;
  std::shared_ptr<const VectorRows> vectors_;
};

}  // namespace sibyl::index
