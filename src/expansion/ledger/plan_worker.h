// SPDX-License-Identifier: Apache-2.0
// A worker for plans: writes parts of the runs that are open in the ledger, with
// the writer that each run was begun with. It neither begins a run nor publishes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "oracle/context.h"
#include "runner/serve_runs.h"

namespace sibyl::expansion {

struct WorkerRequest {
  std::vector<std::string> plans;  ///< As they were named; empty: every run of the oracle.
  std::size_t jobs = 1;            ///< At a time.
  std::optional<std::size_t> max_parts;
  bool until_idle = false;
  std::string part_logs = {};  ///< A folder with a log of each part; empty: none.
};

struct WorkerResult {
  runner::ServeReport report;
  std::vector<Finding> findings;  ///< Parts that cannot be written here, and why.
  bool is_complete = true;        ///< No part that waits was refused here to the end.
};

/// Ends when it is interrupted, or as the request says. kUsage if there were parts and none of
/// them can be written with the inputs of this machine.
Result<WorkerResult> WorkOnPlans(const oracle::Context& context, const WorkerRequest& request);

}  // namespace sibyl::expansion
