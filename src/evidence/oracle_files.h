// SPDX-License-Identifier: Apache-2.0
// sibyl.toml and sibyl.lock of an oracle on the disk, and whose turn it is to edit
// them. They are opened relative to the oracle: no link leads out of it.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/files/file_lock.h"
#include "base/result.h"
#include "evidence/lock.h"
#include "evidence/sync.h"

namespace sibyl::evidence {

/// Serialises edits of an oracle's files. The lock is in the store, so that the
/// oracle, a git repository, gets no stray files.
Result<FileLock> LockOracle(const Surroundings& around,
                            std::chrono::milliseconds patience = std::chrono::seconds(10));

/// Locks another file next to them, such as "facts".
Result<FileLock> LockOracleFile(const Surroundings& around, std::string_view name,
                                std::chrono::milliseconds patience = std::chrono::seconds(10));

/// Empty when there is none.
Result<std::string> ReadConfigText(const Surroundings& around);
/// Never through a link.
Status WriteConfigText(std::string_view text, const Surroundings& around);

Status WriteLock(const Lock& lock, const Surroundings& around);

}  // namespace sibyl::evidence
