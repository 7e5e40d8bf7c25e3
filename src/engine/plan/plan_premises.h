// SPDX-License-Identifier: Apache-2.0
// Checks a plan's points against the pinned sources before they are researched:
// "TMA (Thread Memory Access)" is caught here, not in the finished file.
#pragma once

#include <vector>

#include "base/result.h"
#include "oracle/plan_file.h"
#include "oracle/source_index.h"
#include "plan/plan.h"
#include "statement/verdict.h"

namespace sibyl::engine {

/// Everything that was judged in the points, section titles and goals of the
/// plan, at the plan's own lines.
Result<std::vector<statement::Judgement>> JudgePremises(const oracle::PlanFile& file,
                                                        const plan::Plan& plan,
                                                        const oracle::SourceIndexes& indexes,
                                                        const evidence::Surroundings& around);

}  // namespace sibyl::engine
