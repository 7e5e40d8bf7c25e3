// SPDX-License-Identifier: Apache-2.0
// Checks a plan against the oracle it is for.
#pragma once

#include <vector>

#include "base/finding.h"
#include "oracle/context.h"
#include "oracle/plan_file.h"
#include "plan/plan.h"

namespace sibyl::engine {

/// The findings of the parser and the checks, ordered by line. The oracle is
/// that of the context or, if there is none, the one whose _ingest-auto/
/// contains the plan.
std::vector<Finding> FindMistakes(const oracle::Context& context, const oracle::PlanFile& file,
                                  const plan::LoadedPlan& loaded);

}  // namespace sibyl::engine
