// SPDX-License-Identifier: Apache-2.0
// The word by which an agent proves that a part is its own. It names the lease
// in the journal and carries a mark that only this oracle can make, so that
// nobody gets at another's part by counting.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "runner/job_queue.h"

namespace sibyl::engine {

struct AgentLease {
  std::int64_t run = 0;
  runner::Lease lease;  ///< Its place and token; the rest is not written down.
};

/// "3-0-7-<mark>". The key of the marks is made when it is first needed, in
/// .sibyl/agent.key, readable by its user alone.
Result<std::string> FormatLease(const std::filesystem::path& oracle, const AgentLease& lease);

/// kUsage for a word that this oracle did not give out.
Result<AgentLease> ParseLease(const std::filesystem::path& oracle, std::string_view word);

}  // namespace sibyl::engine
