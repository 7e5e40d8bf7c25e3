// SPDX-License-Identifier: Apache-2.0
// The one commit of a publication, by the user's own git: identity, hooks,
// signing and configuration are theirs.
#pragma once

#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "library/intent.h"
#include "library/library.h"

namespace sibyl::library {

struct Committed {
  std::string id;                 ///< Empty when no commit was made.
  std::vector<Finding> findings;  ///< Why not.
};

/// Commits the paths of the intent and nothing else: other changes, staged or
/// not, are not affected. An existing commit is found again. No repository is a
/// finding; if git refuses, its message is the Error.
Result<Committed> CommitPublication(const Intent& intent, const PublishOptions& options,
                                    Disk& disk);

/// Pages that will be committed whole and have changes of the user's in them.
std::vector<Finding> FindUncommitted(const Intent& intent, const PublishOptions& options,
                                     Disk& disk);

}  // namespace sibyl::library
