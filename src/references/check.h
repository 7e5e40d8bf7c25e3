// SPDX-License-Identifier: Apache-2.0
// Checks the code citations of documents of one repository, in parallel.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "references/judge.h"
#include "references/kept/git_log.h"
#include "references/repository.h"
#include "references/tree_index.h"

namespace sibyl::references {

struct CheckedReference {
  Reference reference;
  Judged judged;
};

struct CheckedDocument {
  std::string path;  ///< In the repository.
  std::string text;
  std::vector<CheckedReference> references;
  bool is_record = false;      ///< Of a past state: what has moved since is no mistake.
  std::optional<Error> error;  ///< It could not be read.
  std::string left_out;        ///< Why some of its citations were not checked; may be empty.
  /// A commit that its front matter names and the repository does not have.
  std::string unknown_commit;
};

/// What git log says about a commit.
struct RepositoryHistory {
  git::ObjectId head;
  DocumentHistory documents;
  std::optional<LostFiles> lost;
};

/// Kept between checks against the same files, by a caller that makes many. Not
/// safe to use from several threads at once.
struct CheckMemory {
  explicit CheckMemory(const Repository& code) : index(code) {}

  TreeIndex index;
  ComparedVersions compared;
  std::shared_ptr<const RepositoryHistory> history;  ///< Shared with later files of the same head.
  std::map<std::string, bool, std::less<>> ignored;  ///< Whether git ignores a path.
};

struct CheckRequest {
  const Repository& documents;  ///< Where the documents are read: the work tree.
  const Repository& code;       ///< What they are compared with: the work tree, or a commit.
  std::vector<std::string> paths;
  /// Compare a document that pins a commit in its front matter with that commit.
  bool honours_pins = true;
  /// A folder for what git says about commits; may be empty.
  std::filesystem::path cache = {};
  bool keeps_cache = true;  ///< False: nothing is written to the cache.
  /// By path, instead of what is on the disk.
  const std::map<std::string, std::string, std::less<>>* texts = nullptr;
  CheckMemory* memory = nullptr;  ///< Of `code`; may be null.
};

/// One answer for each path, in their order. Citations of files that are not of
/// the repository are left out.
Result<std::vector<CheckedDocument>> CheckDocuments(const CheckRequest& request);

/// The Markdown of the repository, each document once: without links to others.
std::vector<std::string> DocumentsOf(const Repository& repository);

}  // namespace sibyl::references
