// SPDX-License-Identifier: Apache-2.0
// Lists a folder for a snapshot: every entry with the data to detect later
// changes.
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

namespace sibyl::evidence {

enum class EntryKind : std::uint8_t { kFile, kFolder, kSymlink, kSpecial, kUnreadable };

/// From stat; if none of it changed, the bytes did not either. Only files that
/// can be opened have all fields.
struct EntryMarks {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  bool operator==(const EntryMarks&) const = default;
};

struct WalkedEntry {
  std::string path;  ///< From the root; raw bytes.
  EntryKind kind = EntryKind::kFile;
  bool executable = false;
  EntryMarks marks;

  bool operator==(const WalkedEntry&) const = default;
};

struct WalkLimits {
  std::size_t max_paths = kMaxSourcePaths;
  std::size_t max_depth = 256;
  std::function<bool()> cancelled = {};  ///< Called between folders; true ends the walk.
};

struct Walk {
  std::vector<WalkedEntry> entries;  ///< Sorted by the bytes of their paths.
  std::vector<Finding> findings;
};

/// Does not follow links; does not enter .git; opens regular files only. Only a
/// root that cannot be listed and too many paths are errors.
Result<Walk> WalkFolder(const Root& root, const WalkLimits& limits);

/// One entry as it is now; kNotFound when it is gone.
Result<WalkedEntry> LookAt(const Root& root, const std::string& path);

}  // namespace sibyl::evidence
