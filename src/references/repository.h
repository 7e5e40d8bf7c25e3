// SPDX-License-Identifier: Apache-2.0
// The repository that documents are in: its files now (the work tree, or a
// commit), and its files at any commit. Nothing is read through a link that
// leads out of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/root.h"
#include "base/mutex.h"
#include "base/process/git_command.h"
#include "base/result.h"
#include "git/object_reader.h"
#include "git/repository.h"
#include "references/code_file.h"
#include "references/file_tree.h"

namespace sibyl::references {

struct TreeFile {
  std::shared_ptr<const CodeFile> file;
  std::string blob;  ///< The id of its content, 40 digits.
};

/// Safe to use from several threads.
class Repository {
 public:
  /// Without `at` the files are those of the work tree: tracked, or neither
  /// tracked nor ignored.
  static Result<std::unique_ptr<Repository>> Open(const GitRepository& found,
                                                  std::string_view at = {});

  const GitRepository& location() const { return location_; }
  /// The commit of `at`, or HEAD; nothing in a repository without commits.
  const std::optional<git::ObjectId>& head() const { return head_; }
  bool is_work_tree() const { return !is_commit_; }

  /// Whether the work tree has this file, also if git ignores it.
  bool IsOnDisk(const std::string& path) const { return root_.About(path).has_value(); }

  /// False for shallow and partial clones.
  bool HasWholeHistory() const { return objects_.HasWholeHistory(); }
  bool IsShallow() const { return objects_.IsShallow(); }

  const PathList& paths() const { return paths_; }

  /// Differs when a file of the work tree was added, removed or written; 0 at a commit.
  std::size_t stamp() const { return stamp_; }

  /// The bytes of a file now; kNotFound if it does not exist. At most 16 MiB.
  Result<std::string> Read(const std::string& path) const SIBYL_EXCLUDES(mutex_);

  /// The id of a file's content now; empty if it cannot be read or is not text. Of the
  /// work tree only.
  std::string BlobOf(const std::string& path) const SIBYL_EXCLUDES(mutex_);

  /// Where a link in the work tree leads, from the root; empty for what is no link,
  /// or leads out.
  std::string LinkTarget(const std::string& path) const;

  /// A file now, or at a commit; null if it cannot be read or is not text.
  TreeFile File(const std::string& path) const SIBYL_EXCLUDES(mutex_);
  TreeFile FileAt(const git::ObjectId& commit, const std::string& path) const
      SIBYL_EXCLUDES(mutex_);

  /// The id of a file's content at a commit; nothing if it has no such file.
  std::optional<git::ObjectId> BlobIdAt(const git::ObjectId& commit, const std::string& path) const
      SIBYL_EXCLUDES(mutex_);

  struct EarlierFile {
    git::ObjectId commit;
    std::string path;
    TreeFile file;
    std::size_t depth = 0;  ///< How many commits it is before.
  };
  /// The last versions of a file before the one of a commit, along first parents,
  /// the newest first. `names` are its path and those that it had before.
  std::vector<EarlierFile> FilesBefore(const git::ObjectId& commit,
                                       const std::vector<std::string>& names) const
      SIBYL_EXCLUDES(mutex_);

  /// The last commit before that time, along first parents from the head; nothing if
  /// there is none among the last 20,000.
  std::optional<git::ObjectId> LastCommitBefore(std::int64_t time) const SIBYL_EXCLUDES(mutex_);

  /// Whether objects are missing, as in a partial clone, so that a file at a commit
  /// cannot be read or be known not to exist.
  bool IsUnreadable(const git::ObjectId& commit, const std::string& path) const
      SIBYL_EXCLUDES(mutex_);

  /// All files of a commit; empty if it cannot be read.
  std::shared_ptr<const PathList> PathsAt(const git::ObjectId& commit) const SIBYL_EXCLUDES(mutex_);

  /// A blob; nothing if it is missing or too large.
  std::optional<std::string> Blob(const git::ObjectId& id) const SIBYL_EXCLUDES(mutex_);

  /// The address that the repository was cloned from; empty if there is none.
  std::string Origin() const SIBYL_EXCLUDES(mutex_);

  /// The commit that a revision means.
  Result<git::ObjectId> Resolve(std::string_view revision) const;

 private:
  Repository(GitRepository location, git::Repository objects, Root root);

  struct CommitTree {
    std::shared_ptr<const PathList> paths;
    std::map<std::string, git::ObjectId, std::less<>> blobs;
    bool is_whole = true;  ///< False: a folder could not be read.
  };
  std::shared_ptr<const CommitTree> TreeOf(const git::ObjectId& commit) const
      SIBYL_REQUIRES(mutex_);
  void ListTree(const git::ObjectId& tree, const std::string& folder, int depth,
                CommitTree& into) const SIBYL_REQUIRES(mutex_);
  std::optional<std::string> ReadBlob(const git::ObjectId& id) const SIBYL_REQUIRES(mutex_);
  TreeFile FileOfBlob(const git::ObjectId& blob) const SIBYL_REQUIRES(mutex_);
  /// The entry of a path in a tree; nothing if there is none. Reads no other folder.
  std::optional<git::ObjectId> FindInTree(git::ObjectId tree, std::string_view path) const
      SIBYL_REQUIRES(mutex_);
  Status ListWorkTree();

  GitRepository location_;
  git::Repository objects_;
  Root root_;
  bool is_commit_ = false;
  std::optional<git::ObjectId> head_;
  PathList paths_;
  std::set<std::string, std::less<>> links_;
  std::size_t stamp_ = 0;

  mutable Mutex mutex_;
  struct TimedCommit {
    git::ObjectId id;
    std::int64_t time = 0;
  };
  mutable std::optional<std::vector<TimedCommit>> trunk_ SIBYL_GUARDED_BY(mutex_);
  mutable std::optional<std::string> origin_ SIBYL_GUARDED_BY(mutex_);
  mutable git::ObjectReader reader_ SIBYL_GUARDED_BY(mutex_);
  mutable std::map<git::ObjectId, std::shared_ptr<const CommitTree>> trees_
      SIBYL_GUARDED_BY(mutex_);
  mutable std::map<std::string, TreeFile, std::less<>> files_ SIBYL_GUARDED_BY(mutex_);
  mutable std::map<git::ObjectId, TreeFile> blobs_ SIBYL_GUARDED_BY(mutex_);
  mutable std::map<std::string, std::string, std::less<>> blob_ids_ SIBYL_GUARDED_BY(mutex_);
  mutable std::map<std::pair<git::ObjectId, std::string>, std::vector<EarlierFile>> earlier_
      SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::references
