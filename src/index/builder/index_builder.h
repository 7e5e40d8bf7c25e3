// SPDX-License-Identifier: Apache-2.0
// Builds the index of a snapshot, or updates the index of an earlier snapshot: reads only texts
// that are new or whose paths changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/builder/segment_builder.h"
#include "index/document.h"
#include "index/manifest.h"

namespace sibyl::index {

struct BuildOptions {
  std::filesystem::path segment_folder;  ///< Must exist; shared by all snapshots.
  std::filesystem::path manifest;        ///< Written last: until then the old index stays valid.
  std::string fingerprint;               ///< See Manifest.
  /// The manifest of an earlier snapshot to reuse; may be the file to be replaced. If it is
  /// empty, missing or damaged, everything is built anew.
  std::filesystem::path previous;
  SegmentLimits limits = {};
};

struct BuildReport {
  std::uint64_t documents = 0;  ///< In the new index; copies count once.
  std::uint64_t reused_documents = 0;
  std::uint64_t read_text_bytes = 0;
  /// Segments of the previous manifest that the new one does not use. Another snapshot may
  /// still use them, so the caller decides whether to delete them.
  std::vector<std::string> dropped_segments;
  /// Why the given previous index could not be reused; empty if it was.
  std::string not_reused_because;
};

Result<BuildReport> BuildIndex(DocumentSource& source, const BuildOptions& options);

}  // namespace sibyl::index
