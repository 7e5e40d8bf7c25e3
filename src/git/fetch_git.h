// SPDX-License-Identifier: Apache-2.0
// Fetches a commit with the git program: by name or by id, without its history,
// again when the transfer broke, and going on from what had come (fetch_resume.h).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "git/fetch.h"
#include "git/object_id.h"

namespace sibyl::git {

/// As FetchCommit. For whoever holds the lock of the mirror.
Result<ObjectId> FetchWithGit(const std::filesystem::path& mirror, const std::string& url,
                              std::string_view ref, const FetchOptions& options);

}  // namespace sibyl::git
