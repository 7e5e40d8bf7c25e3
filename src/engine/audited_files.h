// SPDX-License-Identifier: Apache-2.0
// The documents that `sibyl audit PATH...` checks. A path that leaves nothing to
// check is an error: such a run would look like one that found nothing.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/process/git_command.h"
#include "base/result.h"
#include "oracle/argument_file.h"
#include "oracle/context.h"
#include "statement/verdict.h"

namespace sibyl::engine {

struct AuditedFile {
  oracle::ArgumentFile file;
  std::string shown;
  std::vector<statement::Judgement> judgements = {};
  std::optional<Error> error = {};
  std::optional<GitRepository> repository = {};  ///< If there is no oracle.
  bool has_only_citations = false;  ///< It did not change: only citations are reported.
};

struct AuditedFiles {
  std::vector<AuditedFile> files;  ///< Each once, however often it was named.
  std::vector<Finding> unread;
  /// The work tree of the first path, if there is no oracle.
  std::filesystem::path repository = {};

  std::vector<std::filesystem::path> Paths() const;
};

/// Removes the files that a pattern of --exclude matches: a name of a file or folder
/// ("archive", "*.draft.md"), or a path as it is shown ("docs/old/*"). An error if
/// none is left.
Status Exclude(const std::vector<std::string>& patterns, AuditedFiles& files);

/// Files as they are named; of folders all Markdown below, hidden folders aside.
Result<AuditedFiles> FindInOracle(const oracle::Context& context,
                                  const std::vector<std::string>& arguments);

/// Files as they are named; of folders the Markdown that git does not ignore.
/// Without arguments, all of the repository of the working folder.
Result<AuditedFiles> FindInRepositories(const oracle::Context& context,
                                        std::vector<std::string> arguments);

}  // namespace sibyl::engine
