// SPDX-License-Identifier: Apache-2.0
// The names in cited statements, against the lines they cite (ident/unknown).
// That a citation resolves does not make it support anything: a statement that
// names `X` cites lines in which X stands.
#pragma once

#include <vector>

#include "gate/citations.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// One judgement for each name in code font in each cited statement. A name
/// holds when a receipt of its own statement has it, or one of the paragraph's;
/// a path also when it is the path that is cited.
std::vector<statement::Judgement> JudgeNames(const CitedFile& file);

}  // namespace sibyl::gate
