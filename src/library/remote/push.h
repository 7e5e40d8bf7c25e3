// SPDX-License-Identifier: Apache-2.0
// Publishes into a separate clone, and pushes the commit to the upstream of the
// oracle's branch. If the remote has moved, the publication is prepared again on
// its newest commit, so index pages never conflict; what does conflict is
// refused. docs/decisions/0192 has the reasons.
//
// The clone has no hooks, and no configuration but the user's own: identity,
// signing, and how remotes are reached.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/files/root.h"
#include "base/files/user_state.h"
#include "base/finding.h"
#include "base/process/git_command.h"
#include "base/result.h"
#include "library/library.h"

namespace sibyl::library {

struct PushTarget {
  GitRepository repository;  ///< The working copy.
  std::string folder;        ///< Of the oracle in it; empty: the oracle is all of it.
  std::string remote;        ///< "origin"
  std::string fetch_url;
  std::string push_url;
  std::string branch;    ///< On the remote: "refs/heads/main".
  std::string tracking;  ///< Here: "refs/remotes/origin/main".
};

/// Where publications of the oracle would be pushed, asked before the work
/// begins. kUsage, with what to do: no upstream, a shallow clone, or pages with
/// changes that are not committed.
Result<PushTarget> FindPushTarget(const PublishOptions& options);

inline constexpr std::string_view kElsewhereCode = "publish/elsewhere";

/// A note if a publication of another process is not in the working copy.
std::optional<Finding> FindPublishedElsewhere(const Published& published, const Root& oracle);

/// Publishes and pushes, and brings the working copy to the new commit if that
/// needs no merge (otherwise publish/behind). After a kill, a repetition finds
/// what was pushed. kUsage if the remote has what conflicts; then nothing was
/// pushed. `state` signs the clone's own files.
Result<Published> PublishAndPush(const Publication& publication, const PublishOptions& options,
                                 const UserState& state);

}  // namespace sibyl::library
