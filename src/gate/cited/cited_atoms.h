// SPDX-License-Identifier: Apache-2.0
// The names in cited statements, against the lines they cite (ident/unknown). A
// citation that resolves need not support anything: a statement that names `X`
// must cite lines that contain X.
#pragma once

#include <vector>

#include "gate/citations.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// One judgement for each name in code font in each cited statement. A name
/// passes if lines cited by its own statement have it, or lines cited in the
/// paragraph; a path also if it is the cited path.
std::vector<statement::Judgement> JudgeNames(const CitedFile& file);

}  // namespace sibyl::gate
