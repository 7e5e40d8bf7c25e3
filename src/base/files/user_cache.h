// SPDX-License-Identifier: Apache-2.0
// Where the files are that can be made again at any time.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace sibyl {

/// $XDG_CACHE_HOME/sibyl, or ~/.cache/sibyl, or, where the home can't be
/// written to, a folder in /tmp or /dev/shm that only this user can open.
/// A cache that has sources is used even if it can't be written to.
Result<std::filesystem::path> UserCacheFolder();

/// `cache`, or that folder in /tmp or /dev/shm if `cache` can't be written to:
/// for indexes, which are built where they are missing.
std::filesystem::path WritableCache(const std::filesystem::path& cache);

}  // namespace sibyl
