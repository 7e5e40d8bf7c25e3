// SPDX-License-Identifier: Apache-2.0
// The object store: one bare repository for each origin, below
// $XDG_CACHE_HOME/sibyl, shared by all oracles of a user. All of it can be
// deleted and fetched again. docs/formats/sources.md describes the layout.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/file_lock.h"
#include "base/result.h"
#include "evidence/skip_reason.h"
#include "evidence/source.h"
#include "git/object_database.h"

namespace sibyl::evidence {

/// The repository of one origin. Git can read it, whatever the source was.
class Mirror {
 public:
  explicit Mirror(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path objects() const { return folder_ / "objects"; }
  bool Exists() const;

  /// Creates an empty bare repository if there is none.
  Status Create(std::string_view origin) const;

  /// For writers.
  Result<FileLock> Lock() const;

  Result<std::shared_ptr<const git::ObjectDatabase>> Open() const;

  /// Why objects were skipped in this mirror.
  Result<SkipNotes> ReadNotes() const;

  /// Adds to them. The caller holds the lock.
  Status AddNotes(const SkipNotes& notes) const;

 private:
  std::filesystem::path folder_;
};

class Store {
 public:
  /// $XDG_CACHE_HOME/sibyl, or ~/.cache/sibyl, or, where the home can't be
  /// written to, a folder in /tmp that only this user can open.
  static Result<Store> Default();

  explicit Store(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }

  /// `origin` without credentials; an absolute path for local sources. All
  /// pages share one mirror.
  Mirror MirrorOf(SourceKind kind, std::string_view origin) const;

 private:
  std::filesystem::path folder_;
};

/// The origin in the store: URLs unchanged, paths absolute, relative to the
/// oracle's folder.
std::string StoreOrigin(std::string_view origin, const std::filesystem::path& oracle);

}  // namespace sibyl::evidence
