// SPDX-License-Identifier: Apache-2.0
// Artifacts that a server inspected, kept while their files stay the same: hashing and reading
// the libraries that a page cites takes seconds, and a page is checked again whenever the oracle
// changes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "base/files/file_identity.h"
#include "base/mutex.h"
#include "inspect/artifact.h"

namespace sibyl::oracle {

/// Thread-safe.
class InspectedFiles {
 public:
  /// Null if it is not kept.
  std::shared_ptr<const inspect::Artifact> Find(const std::filesystem::path& file,
                                                const FileIdentity& identity) const
      SIBYL_EXCLUDES(mutex_);
  void Keep(const std::filesystem::path& file, const FileIdentity& identity,
            std::shared_ptr<const inspect::Artifact> artifact) SIBYL_EXCLUDES(mutex_);

 private:
  struct Kept {
    FileIdentity identity;
    std::shared_ptr<const inspect::Artifact> artifact;
  };
  static constexpr std::size_t kMost = 200;

  mutable Mutex mutex_;
  std::map<std::filesystem::path, Kept> kept_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::oracle
