// SPDX-License-Identifier: Apache-2.0
// The token by which an agent proves that it holds a part. It names the lease
// in the journal and has a keyed hash that only this user can compute for this
// journal, so that another's lease cannot be guessed.
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
  runner::Lease lease;  ///< Its place and token; the rest is not serialised.
};

/// "3-0-7-<keyed hash>".
std::string FormatLease(const OwnFolder& own, const runner::Journal& journal,
                        const AgentLease& lease);

/// kUsage for a token that was not issued for this journal.
Result<AgentLease> ParseLease(const OwnFolder& own, const runner::Journal& journal,
                              std::string_view word);

}  // namespace sibyl::expansion
