// SPDX-License-Identifier: Apache-2.0
// A plan's points, held against the pinned sources before anybody researches
// them: "TMA (Thread Memory Access)" is caught here, not in the finished file.
#pragma once

#include <vector>

#include "base/result.h"
#include "engine/plan_file.h"
#include "engine/source_index.h"
#include "plan/plan.h"
#include "verify/verdict.h"

namespace sibyl::engine {

/// Everything that was judged in the points, section titles and goals of the
/// plan, at the plan's own lines.
Result<std::vector<verify::Judgement>> JudgePremises(const PlanFile& file, const plan::Plan& plan,
                                                     const SourceIndexes& indexes);

}  // namespace sibyl::engine
