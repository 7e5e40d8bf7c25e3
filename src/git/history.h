// SPDX-License-Identifier: Apache-2.0
// The commits that lead to a commit, and which files each of them changed.
// Needs commits and trees, but no files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "git/commit.h"
#include "git/object_database.h"
#include "git/object_id.h"

namespace sibyl::git {

struct HistoryCommit {
  ObjectId id;
  ObjectId tree;
  ObjectId first_parent;  ///< Null: none, or it is not here.
  ObjectId parent_tree;   ///< Of the first parent.
  std::int64_t time = 0;
  bool is_merge = false;
};

struct HistoryLimits {
  /// Older commits are left out.
  std::size_t most_commits = 400'000;
  std::function<bool()> cancelled = {};
};

/// Sees each commit once, with its bytes, in the order of the result.
using CommitVisitor =
    std::function<Status(const HistoryCommit&, std::string_view bytes, const Commit&)>;

/// The commit and all that lead to it, the latest first (by the time of the
/// committer, then by id). Ends where a shallow clone ends. kNotFound if the tip
/// itself is not here, kCancelled.
Result<std::vector<HistoryCommit>> WalkHistory(const ObjectDatabase& objects, const ObjectId& tip,
                                               const HistoryLimits& limits,
                                               const CommitVisitor& visit);

/// The files that one commit changed from its first parent.
struct ChangedFiles {
  std::vector<std::string> paths;  ///< Ascending; empty for merges and bulk commits.
  /// Files that were moved without a change: from, to. Both are in `paths`.
  std::vector<std::pair<std::string, std::string>> moves;
  bool is_bulk = false;     ///< More than `most_files`.
  bool is_unknown = false;  ///< Its parent or a tree is not here.
};

struct ChangeOptions {
  std::size_t threads = 0;
  /// Who changes more moved or reformatted the tree, and says nothing of a file.
  std::size_t most_files = 500;
  std::function<bool()> cancelled = {};
};

/// For the commits for which `is_wanted` says so; the others stay empty. The
/// result does not depend on the number of threads.
Result<std::vector<ChangedFiles>> FindChanges(const ObjectDatabase& objects,
                                              const std::vector<HistoryCommit>& commits,
                                              const std::function<bool(std::size_t)>& is_wanted,
                                              const ChangeOptions& options);

}  // namespace sibyl::git
