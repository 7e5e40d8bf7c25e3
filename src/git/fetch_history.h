// SPDX-License-Identifier: Apache-2.0
// Fetches the history of a commit: commits and trees, without files.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "git/fetch.h"
#include "git/object_id.h"

namespace sibyl::git {

/// Into a bare repository of its own, which has only what earlier calls fetched: what
/// it has is not sent again. `url` is as in FetchCommit. The caller holds the lock. A
/// broken transfer leaves nothing, and is tried again as the options say.
/// kUnavailable if the server cannot be reached or refuses, or if the history is
/// larger than 4 GiB.
Status FetchHistory(const std::filesystem::path& repository, const std::string& url,
                    const ObjectId& commit, const FetchOptions& options);

}  // namespace sibyl::git
