// SPDX-License-Identifier: Apache-2.0
// Where the files are that can be made again at any time.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace sibyl {

/// $XDG_CACHE_HOME/sibyl, or ~/.cache/sibyl, or, where the home can't be
/// written to, a folder in /tmp or /dev/shm that only this user can open.
Result<std::filesystem::path> UserCacheFolder();

}  // namespace sibyl
