// SPDX-License-Identifier: Apache-2.0
// The token by which an agent proves that it holds a part. It names the lease
// in the ledger and has a keyed hash that only users of this ledger can compute,
// so that another's lease cannot be guessed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "runner/ledger.h"

namespace sibyl::expansion {

struct AgentLease {
  std::int64_t run = 0;
  runner::Lease lease;  ///< Its place and token; the rest is not serialised.
};

/// "3-0-7-<keyed hash>".
std::string FormatLease(const runner::Ledger& ledger, const AgentLease& lease);

/// kUsage for a token that was not issued for this ledger.
Result<AgentLease> ParseLease(const runner::Ledger& ledger, std::string_view word);

}  // namespace sibyl::expansion
