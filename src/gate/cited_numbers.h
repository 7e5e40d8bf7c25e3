// SPDX-License-Identifier: Apache-2.0
// The numbers with units in cited statements, against the lines they cite
// (number/ungrounded). Counts without a unit are often the writer's own
// arithmetic, and are not checked.
#pragma once

#include <vector>

#include "gate/citations.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// One judgement for each. Contradicted when the cited lines have one other
/// value of the same measure, absent when they have none.
std::vector<statement::Judgement> JudgeNumbers(const CitedFile& file);

}  // namespace sibyl::gate
