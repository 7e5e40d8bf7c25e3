// SPDX-License-Identifier: Apache-2.0
// Fetches a commit with the git program: by name or by id, without its history,
// with retries, resuming interrupted transfers (fetch_resume.h).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "git/fetch.h"
#include "git/object_id.h"

namespace sibyl::git {

/// As FetchCommit. The caller holds the lock of the mirror.
Result<ObjectId> FetchWithGit(const std::filesystem::path& mirror, const std::string& url,
                              std::string_view ref, const FetchOptions& options);

}  // namespace sibyl::git
