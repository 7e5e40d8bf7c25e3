// SPDX-License-Identifier: Apache-2.0
// The files of an oracle for link checks: does a file exist, which anchors does
// it have. Files behind a symbolic link out of the oracle do not exist here.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/root.h"
#include "base/mutex.h"
#include "base/result.h"
#include "statement/anchors.h"

namespace sibyl::gate {

/// Thread-safe; caches what it has read.
class OraclePages {
 public:
  explicit OraclePages(const std::filesystem::path& root) : root_(Root::Open(root)) {}

  /// A page that is not on the disk yet, or not as it will be.
  void Put(std::string_view path, const statement::Statements& statements, std::string_view source)
      SIBYL_EXCLUDES(mutex_);

  /// A page that will be written: it may be linked to, and its headings are not known.
  void PutPlanned(std::string_view path) SIBYL_EXCLUDES(mutex_);

  /// A file or folder. `path` is relative to the root, without "..".
  bool Exists(std::string_view path) const SIBYL_EXCLUDES(mutex_);

  /// Null when the file cannot be read as Markdown.
  std::shared_ptr<const statement::Anchors> AnchorsOf(std::string_view path) const
      SIBYL_EXCLUDES(mutex_);

 private:
  struct Page {
    bool exists = false;
    bool was_read = false;
    // Shared with callers, who may keep them while others call.
    std::shared_ptr<const statement::Anchors> anchors;
  };

  Page Look(std::string_view path) const;

  Result<Root> root_;  // without it nothing exists
  mutable Mutex mutex_;
  mutable std::map<std::string, Page, std::less<>> pages_ SIBYL_GUARDED_BY(mutex_);
};

/// `path` resolved against the folder of the page `from`, without "." and "..";
/// nothing if it leads out of the root. A leading '/' means the root.
std::optional<std::string> ResolveRelative(std::string_view from, std::string_view path);

}  // namespace sibyl::gate
