// SPDX-License-Identifier: Apache-2.0
// The word by which an agent proves that a part is its own. It names the lease
// in the journal and carries a keyed hash that only this user can make for this
// journal, so that nobody gets at another's part by counting.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/files/own_folder.h"
#include "base/result.h"
#include "runner/job_queue.h"
#include "runner/journal.h"

namespace sibyl::expansion {

struct AgentLease {
  std::int64_t run = 0;
  runner::Lease lease;  ///< Its place and token; the rest is not written down.
};

/// "3-0-7-<keyed hash>".
std::string FormatLease(const OwnFolder& own, const runner::Journal& journal,
                        const AgentLease& lease);

/// kUsage for a word that was not given out for this journal.
Result<AgentLease> ParseLease(const OwnFolder& own, const runner::Journal& journal,
                              std::string_view word);

}  // namespace sibyl::expansion
