// SPDX-License-Identifier: Apache-2.0
// Fetches a remote repository's objects into a mirror, with the git program
// (git_program.h). Packs are read by our own reader (pack.h). Decision 0104 says why
// no library is used.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/network.h"
#include "base/result.h"
#include "git/object_id.h"

namespace sibyl::git {

struct FetchOptions {
  /// Forbidden: FetchCommit is an error, and no git is started.
  Network network = Network::kAllowed;
  /// "http.followRedirects=false": settings of git for this fetch alone, from
  /// Admission::git_settings.
  std::vector<std::string> git_settings = {};
  /// One short line of progress.
  std::function<void(std::string_view)> progress;
  std::function<bool()> cancelled;  ///< Called from any thread.
  /// How long to wait before each retry after an interrupted transfer or a
  /// server error. A second or two is enough for most; longer outages are
  /// reported to the user.
  std::vector<std::chrono::milliseconds> pauses = {std::chrono::seconds(2),
                                                   std::chrono::seconds(8)};
};

/// Fetches `ref` (a branch, a tag, a full ref name, a commit's 40 digits; empty
/// for the server's HEAD) into the bare repository at `mirror`, and returns the
/// commit, without its history. Queries the server first and fetches nothing if
/// the commit is already here. The URL must not contain a user name or
/// password, since other users of this machine can see the arguments of git;
/// git's credential helpers and ssh keys are used. The caller holds the lock of
/// the mirror. A fetch that was interrupted, killed or failed on a full disk
/// leaves no partial commit, and the next one resumes. kNotFound for an unknown
/// ref, an empty repository or a machine without git, kUnavailable if the server
/// cannot be reached or refuses.
Result<ObjectId> FetchCommit(const std::filesystem::path& mirror, const std::string& url,
                             std::string_view ref, const FetchOptions& options);

}  // namespace sibyl::git
