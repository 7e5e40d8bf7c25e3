// SPDX-License-Identifier: Apache-2.0
// The main job: from a plan to a published, verified, committed expansion. One
// job for each part, then one that publishes; all of it journalled, so that a
// run that was killed goes on where it was.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "expansion/model_access.h"
#include "expansion/planned_work.h"
#include "expansion/web_research.h"
#include "library/library.h"
#include "oracle/context.h"
#include "runner/runner.h"

namespace sibyl::expansion {

/// What a model was asked, and what that cost.
struct ModelUse {
  std::string name;
  model::Spent spent;
};

/// What a run of a plan has come to.
struct ExpansionResult {
  PlannedWork work;
  std::vector<runner::JobOutcome> jobs;  ///< Of the parts that were run, in their order.
  library::Published published;          ///< Empty when nothing was published.
  std::vector<Finding> findings;         ///< Beside those of `work` and `published`.
  std::optional<WebResearch> web;        ///< Nothing: the web was not used.
  std::optional<ModelUse> model;         ///< Nothing: no model wrote.
};

/// Runs to the end, or says why not: kCancelled when it was interrupted.
Result<ExpansionResult> Expand(const oracle::Context& context, const ExpandRequest& request);

}  // namespace sibyl::expansion
