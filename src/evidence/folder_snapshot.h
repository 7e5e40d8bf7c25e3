// SPDX-License-Identifier: Apache-2.0
// A folder, or a single file, as it was at one moment: written into a mirror as
// a git tree, so that the rest of the program reads it like any other source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/files/root.h"
#include "base/finding.h"
#include "base/result.h"
#include "evidence/snapshot.h"
#include "evidence/source.h"
#include "evidence/store.h"

namespace sibyl::evidence {

struct FolderOptions {
  SourceFilter filter;
  std::size_t threads = 0;
  std::size_t max_paths = kMaxSourcePaths;
  std::size_t max_depth = 256;
  /// Limit for all files together. A larger folder is refused.
  std::uint64_t max_total_bytes = std::uint64_t{64} << 30;
  std::function<bool()> cancelled;
};

struct FolderSnapshot {
  git::ObjectId tree;
  std::vector<Finding> findings;  ///< Folders that could not be listed, limits that were reached.
};

/// Symbolic links are recorded, never followed; named pipes, sockets and
/// devices are skipped with a reason and never opened. `.git` is skipped. A
/// file or folder that changes while it is read is read again; if it changes
/// again, kUnavailable with its name. The caller holds the mirror's lock.
Result<FolderSnapshot> RecordFolder(const Root& folder, const Mirror& mirror,
                                    const FolderOptions& options);

/// Records one file of a folder; the tree has one entry.
Result<FolderSnapshot> RecordFile(const Root& folder, const std::string& name, const Mirror& mirror,
                                  const FolderOptions& options);

}  // namespace sibyl::evidence
