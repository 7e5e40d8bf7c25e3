// SPDX-License-Identifier: Apache-2.0
// What git log says about a repository: the versions of every document, and
// where files went that no longer exist. One run of git for each, not one for
// each document.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/git_command.h"
#include "base/result.h"
#include "git/object_id.h"

namespace sibyl::references {

struct DocumentVersion {
  git::ObjectId commit;
  git::ObjectId parent;  ///< The first one; all zero for a root commit.
  git::ObjectId blob;
};

/// One file in one commit.
struct FileChange {
  git::ObjectId blob;  ///< After the commit; all zero when it was deleted.
  std::string before;  ///< Its path before the commit, if it was renamed.
  std::string path;
  char status = 'M';  ///< 'A', 'D', 'M', 'R' and so on.
};

struct CommitChanges {
  git::ObjectId commit;
  git::ObjectId parent;
  std::vector<FileChange> files;
};

/// The output of `git log -z --raw --format=format:%x01%H %P`, newest first. Lines
/// that it does not understand are skipped.
std::vector<CommitChanges> ParseGitLog(std::string_view output);

struct LogRequest {
  const GitRepository& repository;
  git::ObjectId head;
  /// Where the answer is kept: for the same head it is read from there, for a
  /// later one only the new commits are read. May be empty.
  std::filesystem::path cache = {};
  bool keeps = true;  ///< False: the cache is read, and not written.
};

class DocumentHistory {
 public:
  /// `head` is the commit to start at.
  static Result<DocumentHistory> Read(const LogRequest& request);

  explicit DocumentHistory(std::vector<CommitChanges> changes) : changes_(std::move(changes)) {}

  /// Newest first, through renames, and through copies of a document that was added
  /// as it was elsewhere; empty if the document was never committed. At most 2,000.
  std::vector<DocumentVersion> VersionsOf(std::string_view path) const;

 private:
  std::vector<CommitChanges> changes_;
};

/// Files that were deleted or renamed in the history of a commit.
class LostFiles {
 public:
  static Result<LostFiles> Read(const LogRequest& request);

  explicit LostFiles(const std::vector<CommitChanges>& changes);

  /// Whether a file of that path was deleted or renamed.
  bool Has(std::string_view path) const { return moved_.contains(path); }

  /// Paths that once existed and are equal to `suffix` or end with "/" and it.
  std::vector<std::string> EndingWith(std::string_view suffix) const;

  /// The only path that once existed of which `written` leaves folders out.
  std::vector<std::string> Abbreviated(std::string_view written) const;

  /// Where a file that once existed is now, after all renames; empty if it was deleted.
  std::string NowAt(const std::string& path) const;

  /// A file's path, and those that it had before.
  std::vector<std::string> NamesOf(const std::string& path) const;

 private:
  std::map<std::string, std::string, std::less<>> moved_;  // to "" if it was deleted
  std::multimap<std::string, std::string> came_from_;
};

}  // namespace sibyl::references
