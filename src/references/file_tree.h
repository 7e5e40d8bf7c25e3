// SPDX-License-Identifier: Apache-2.0
// The files of a repository, in its work tree or at a commit, and the resolution
// of paths as documents write them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"

namespace sibyl::references {

/// Sorted paths with an index by their last name. Immutable.
class PathList {
 public:
  PathList() = default;
  explicit PathList(std::vector<std::string> paths);
  // The indexes have views of the paths.
  PathList(const PathList&) = delete;
  PathList& operator=(const PathList&) = delete;
  PathList(PathList&&) = default;
  PathList& operator=(PathList&&) = default;

  const std::vector<std::string>& all() const { return paths_; }
  bool Has(std::string_view path) const;

  /// Whether a folder has files.
  bool HasFolder(std::string_view folder) const;

  /// Paths that are equal to `suffix` or end with "/" and it. At most 50.
  std::vector<std::string> EndingWith(std::string_view suffix) const;

  /// The same, for a name without its extension.
  std::vector<std::string> WithStem(std::string_view stem) const;

  /// The only path of which `written` leaves folders out; empty if there is none.
  std::string Abbreviated(std::string_view written) const;

 private:
  std::vector<std::string> paths_;  // sorted
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_name_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_stem_;
};

/// Whether a path is another one with folders left out: "relay/adapter.ts" for
/// packages/relay/src/adapter.ts.
bool IsAbbreviated(std::string_view written, std::string_view path);

struct PathRequest {
  std::string_view written;
  std::string_view document;  ///< The path of the document in the repository.
  std::string_view base;      ///< A folder that the document names; may be empty.
  std::string_view name;      ///< Of the repository, for absolute paths; may be empty.
};

/// The files that a written path may mean: one where it is unambiguous, several
/// that have the same name, none. In order of preference: exact, relative to
/// the document, relative to the base, the end of a path, a module.
/// What follows folders that are left out: "b/c.go" of "a/.../b/c.go"; otherwise all.
std::string_view AfterEllipsis(std::string_view written);

std::vector<std::string> ResolvePath(const PathList& paths, const PathRequest& request);

/// "a/./b/../c" is "a/c"; empty if it leads out.
std::string CleanPath(std::string_view path);

}  // namespace sibyl::references
