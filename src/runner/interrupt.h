// SPDX-License-Identifier: Apache-2.0
// Stops a run from another process.
#pragma once

#include "runner/snapshot.h"

namespace sibyl::runner {

/// Whether the job is held by an agent, which ends its lease itself.
bool IsHeldByAgent(const JobSnapshot& job);

/// Whether a process on this machine works on the run, so that InterruptRun can
/// stop it. The calling process does not count.
bool CanInterrupt(const RunSnapshot& run);

/// Asks the processes that hold jobs of the run to stop, as Ctrl-C does: they
/// finish their current step and leave a run that can be resumed. Returns how
/// many were asked. Agents and processes elsewhere are not signalled.
int InterruptRun(const RunSnapshot& run);

}  // namespace sibyl::runner
