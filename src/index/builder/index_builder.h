// SPDX-License-Identifier: Apache-2.0
// Builds the index of a snapshot, or brings the index of an earlier snapshot
// up to it: only texts that are new, or have other paths than before, are read.
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
  std::filesystem::path segment_folder;  ///< Exists; shared by all snapshots.
  std::filesystem::path manifest;        ///< Written last: until then the old index stands.
  std::string fingerprint;               ///< See Manifest.
  /// The manifest of an earlier snapshot to build upon; may be the one to be
  /// replaced. Left empty, missing or damaged: everything is built anew.
  std::filesystem::path previous;
  SegmentLimits limits = {};
};

struct BuildReport {
  std::uint64_t documents = 0;  ///< In the new index; copies count once.
  std::uint64_t reused_documents = 0;
  std::uint64_t read_text_bytes = 0;
  /// Segments of the previous manifest that the new one does not use. Another
  /// snapshot may: they are the caller's to delete.
  std::vector<std::string> dropped_segments;
  /// Why a previous index was given but could not be used; else empty.
  std::string not_reused_because;
};

Result<BuildReport> BuildIndex(DocumentSource& source, const BuildOptions& options);

}  // namespace sibyl::index
