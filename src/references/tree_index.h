// SPDX-License-Identifier: Apache-2.0
// Searches all files of a repository for lines and definitions that left the file
// in which they were cited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/line_span.h"
#include "base/mutex.h"
#include "references/code_file.h"
#include "references/repository.h"

namespace sibyl::references {

struct FoundPlace {
  std::string path;
  LineRange lines;
};

/// Reads the files on the first call. Safe to use from several threads.
class TreeIndex {
 public:
  explicit TreeIndex(const Repository& repository) : repository_(repository) {}

  /// Where lines of an old file are now: most of those that occur only once in
  /// the repository must be in one file, at the same distances. Files other than
  /// Markdown only.
  std::optional<FoundPlace> FindLines(const CodeFile& old, const LineRange& lines) const
      SIBYL_EXCLUDES(mutex_);

  /// The only line on which a text starts, compared without regard to blanks;
  /// nothing for a short one.
  std::optional<FoundPlace> FindText(const std::string& squeezed) const SIBYL_EXCLUDES(mutex_);

  /// Whether a file other than Markdown has the name, also as a part of another.
  bool HasName(const std::string& name) const SIBYL_EXCLUDES(mutex_);

  /// The only definition of a function or type of that name; nothing if there
  /// are several.
  std::optional<FoundPlace> FindDefinition(const std::string& name) const SIBYL_EXCLUDES(mutex_);

 private:
  struct Line {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    bool is_unique = true;
  };
  void Load() const SIBYL_REQUIRES(mutex_);

  const Repository& repository_;
  mutable Mutex mutex_;
  mutable bool is_whole_ SIBYL_GUARDED_BY(mutex_) = true;  // no file is left out
  mutable bool is_loaded_ SIBYL_GUARDED_BY(mutex_) = false;
  mutable std::vector<std::string> paths_ SIBYL_GUARDED_BY(mutex_);
  mutable std::vector<std::shared_ptr<const CodeFile>> files_ SIBYL_GUARDED_BY(mutex_);
  mutable std::unordered_map<std::size_t, Line> lines_ SIBYL_GUARDED_BY(mutex_);
  mutable std::map<std::string, bool> names_ SIBYL_GUARDED_BY(mutex_);
  mutable std::map<std::string, std::optional<FoundPlace>> definitions_ SIBYL_GUARDED_BY(mutex_);
  mutable std::map<std::string, std::optional<FoundPlace>> texts_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::references
