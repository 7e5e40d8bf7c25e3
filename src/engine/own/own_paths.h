// SPDX-License-Identifier: Apache-2.0
// Paths in code font that a repository should have: absent, if the folder they
// start in exists and they do not.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/root.h"
#include "base/process/git_command.h"
#include "base/result.h"
#include "references/kept/git_log.h"
#include "references/repository.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::engine {

/// A document to be judged; views that must outlive the call.
struct OwnDocument {
  std::string_view path;   ///< From the root of the repository.
  std::string_view shown;  ///< As findings name it.
  std::string_view text;
  const statement::Statements& statements;
};

/// Those that git ignores, whether they exist or not.
std::set<std::string> IgnoredPaths(const GitRepository& repository,
                                   const std::set<std::string>& paths);

class OwnPaths {
 public:
  /// `repository` must outlive it. `cache` is where git's log is kept; may be empty.
  static Result<OwnPaths> Open(const references::Repository& repository,
                               const std::filesystem::path& cache);

  std::vector<statement::Judgement> Judge(const OwnDocument& document) const;

 private:
  OwnPaths(const references::Repository& repository, Root root, references::LostFiles lost)
      : repository_(&repository), root_(std::move(root)), lost_(std::move(lost)) {}

  bool Exists(const std::string& path) const;
  bool IsOwnFolder(std::string_view folder) const;
  statement::Judgement JudgePath(std::string_view written, const OwnDocument& document) const;

  const references::Repository* repository_;
  Root root_;
  references::LostFiles lost_;
};

}  // namespace sibyl::engine
