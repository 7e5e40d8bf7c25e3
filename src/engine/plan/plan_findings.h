// SPDX-License-Identifier: Apache-2.0
// What is wrong with a plan, given the oracle it is for.
#pragma once

#include <vector>

#include "base/finding.h"
#include "oracle/context.h"
#include "oracle/plan_file.h"
#include "plan/plan.h"

namespace sibyl::engine {

/// What the reader and the checks have to say, in the order of lines. The
/// oracle is the one of the context or, when that has none, the one whose
/// _ingest-auto/ the plan stands in.
std::vector<Finding> FindMistakes(const oracle::Context& context, const oracle::PlanFile& file,
                                  const plan::LoadedPlan& loaded);

}  // namespace sibyl::engine
