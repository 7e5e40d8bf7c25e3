// SPDX-License-Identifier: Apache-2.0
// Brings a remote repository's objects into a mirror, over the network, with the git
// program (git_program.h): negotiating with servers is its strength, reading packs fast
// is ours (pack.h). Decision 0104 says why there is no library beside it.
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
  /// One short line about how far it is.
  std::function<void(std::string_view)> progress;
  std::function<bool()> cancelled;  ///< Asked from any thread.
  /// How long to wait before each further try, when the transfer broke or the server
  /// was in trouble. A second or two outlasts most breaks; a longer outage is for the
  /// person who waits to know about.
  std::vector<std::chrono::milliseconds> pauses = {std::chrono::seconds(2),
                                                   std::chrono::seconds(8)};
};

/// Fetches `ref` (a branch, a tag, a full ref name, a commit's 40 digits; empty
/// for the server's HEAD) into the bare repository at `mirror`, and returns the
/// commit, without its history. Asks the server first and fetches nothing when the
/// commit is here already. The URL must not contain a user name or password, since
/// other users of this machine can see the arguments of git; what git knows is used:
/// its credential helpers, ssh's keys. The caller holds the lock of the mirror.
/// A fetch that was cut off, killed or met a full disk leaves nothing that counts as
/// a commit, and the next one resumes it.
/// kNotFound for an unknown ref, an empty repository or a machine without git,
/// kUnavailable when the server cannot be reached or says no.
Result<ObjectId> FetchCommit(const std::filesystem::path& mirror, const std::string& url,
                             std::string_view ref, const FetchOptions& options);

}  // namespace sibyl::git
