// SPDX-License-Identifier: Apache-2.0
// Fetches with the git program, where there is one: it brings one commit without
// its history, which libgit2 1.5 cannot, knows people's credential helpers, and
// says how far it is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evidence/fetch.h"
#include "evidence/object_id.h"

namespace sibyl::evidence {

/// True when there is a git to run.
bool HasGitProgram();

/// As FetchCommit. Only http, https, ssh, git and file are spoken; nobody is asked
/// for a password at the terminal.
Result<ObjectId> FetchWithGit(const std::filesystem::path& mirror, const std::string& url,
                              std::string_view ref, const FetchOptions& options);

/// How far git says it is.
struct GitProgress {
  int percent = 0;
  std::string objects;  ///< "450/1000"
  std::string amount;   ///< "1.20 MiB | 2.00 MiB/s"; may be empty.

  bool operator==(const GitProgress&) const = default;
};

/// Out of a line such as "Receiving objects:  45% (450/1000), 1.20 MiB | 2.00 MiB/s".
std::optional<GitProgress> ParseGitProgress(std::string_view line);

/// A line of `git ls-remote`.
struct ListedRef {
  ObjectId id;
  std::string name;
};
std::vector<ListedRef> ParseRefs(std::string_view output);

}  // namespace sibyl::evidence
