// SPDX-License-Identifier: Apache-2.0
// Where this machine keeps what can be fetched and built again.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace sibyl::evidence {

/// $XDG_CACHE_HOME/sibyl, or ~/.cache/sibyl, or, where the home can't be written to, a folder in
/// /tmp or /dev/shm that only this user can open.
Result<std::filesystem::path> CacheFolder();

}  // namespace sibyl::evidence
