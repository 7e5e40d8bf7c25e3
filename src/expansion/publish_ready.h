// SPDX-License-Identifier: Apache-2.0
// Publishes the parts of a plan that agents have delivered while others are
// still being written.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "expansion/agent_run.h"
#include "expansion/expansion.h"
#include "library/disk.h"
#include "oracle/context.h"

namespace sibyl::expansion {

/// The parts that are delivered and not yet published.
Result<std::vector<runner::JobRow>> ReadyParts(AgentRun& run);

/// Whether one of them links to a page that is neither there nor among them.
Result<bool> AnyWaitsForPages(AgentRun& run);

struct ReadyOptions {
  std::string message = {};       ///< The first line of the commit; empty: the usual one.
  library::Disk* disk = nullptr;  ///< Null is the real one. Borrowed.
};

/// Publishes them in one commit. The run stays open: leases, drafts and the
/// delivered parts in the journal are not touched, and the plan's marks say
/// what is published. A part that no longer passes the gate is skipped and
/// reported (part/refused); one that links to a page that is not there waits
/// (part/links). kUsage if the plan was changed since `run` was
/// opened, for instance by another publisher; then nothing was changed.
Result<ExpansionResult> PublishReady(const oracle::Context& context, AgentRun& run,
                                     const ReadyOptions& options = {});

}  // namespace sibyl::expansion
