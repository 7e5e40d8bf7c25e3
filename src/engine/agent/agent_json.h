// SPDX-License-Identifier: Apache-2.0
// JSON answers of the agent operations, and the codes of their findings.
#pragma once

#include <vector>

#include "base/finding.h"
#include "base/json.h"
#include "runner/job_queue.h"
#include "runner/runner.h"

namespace sibyl::engine {

/// {"waiting": 3, "running": 1, "done": 8, "failed": 0, "can_finalize": false}
Json ProgressAsJson(const std::vector<runner::JobRow>& rows);

/// For who watches the run: how much of what an agent wrote was refused, and the first of it.
void AddRefused(const std::vector<Finding>& findings, runner::Progress& progress);

/// The codes of the gate and of the form of sections.
std::vector<Rule> DraftRules();

}  // namespace sibyl::engine
