// SPDX-License-Identifier: Apache-2.0
// Carries out a plan: from the plan to a verified, published, committed
// expansion. One job for each part, then one that publishes; all journalled, so
// that a killed run can be resumed.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "expansion/model/model_access.h"
#include "expansion/planned_work.h"
#include "expansion/web_research.h"
#include "library/library.h"
#include "oracle/context.h"
#include "runner/runner.h"

namespace sibyl::expansion {

/// Usage and cost of a model.
struct ModelUse {
  std::string name;
  model::Spent spent;
};

/// The result of running a plan.
struct ExpansionResult {
  PlannedWork work;
  std::vector<runner::JobOutcome> jobs;  ///< Of the parts that were run, in their order.
  library::Published published;          ///< Empty when nothing was published.
  std::vector<Finding> findings;         ///< Beside those of `work` and `published`.
  std::optional<WebResearch> web;        ///< Nothing: the web was not used.
  std::optional<ModelUse> model;         ///< Nothing: no model wrote.
};

/// The points of a part that its plan lists.
std::size_t CountPoints(const plan::Part& part);

/// Runs to the end; kCancelled if it was interrupted.
Result<ExpansionResult> Expand(const oracle::Context& context, const ExpandRequest& request);

}  // namespace sibyl::expansion
