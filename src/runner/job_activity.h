// SPDX-License-Identifier: Apache-2.0
// What the threads of a run work on, for logs and requests, and the lines that a
// job leaves in the log.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/telemetry/activity.h"
#include "runner/ledger.h"
#include "runner/runner.h"

namespace sibyl::runner {

/// Every process that works on a run has the same trace for it, which the ledger's
/// key makes; a trace that this thread has already, from a request to a server,
/// comes first.
Activity ActivityOf(const Ledger& ledger, std::int64_t run, std::string_view job = {});

/// The reason of a job that was lost.
inline constexpr std::string_view kTakenOver = "another process took it over";

struct LoggedJob {
  EventKind kind = EventKind::kStarted;
  JobState state = JobState::kRunning;
  std::int64_t run = 0;
  std::string_view name;
  int attempt = 0;
  bool is_lost = false;  ///< kReleased because another process took it over.
};

/// With the activity of the job, whatever this thread works on. Without the reason of
/// a failure, which may quote a model: the ledger has it.
void LogJob(const Ledger& ledger, const LoggedJob& job);

}  // namespace sibyl::runner
