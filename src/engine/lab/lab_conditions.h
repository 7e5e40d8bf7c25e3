// SPDX-License-Identifier: Apache-2.0
// Whether a run was measured under conditions that allow it to be cited.
#pragma once

#include <string>
#include <vector>

#include "base/finding.h"
#include "engine/arguments.h"
#include "lab/run.h"

namespace sibyl::engine {

/// What makes a run unfit to be kept: reduced clocks, or noise over the limit, unless
/// `arguments` accept them. Errors if it `would_be_kept`, otherwise warnings.
std::vector<Finding> JudgeConditions(const lab::Run& run, const Arguments& arguments,
                                     bool would_be_kept);

/// That these labs ran out of time.
Finding StoppedFinding(const std::vector<std::string>& labs);

/// The codes of these findings.
std::vector<Rule> ConditionRules();

}  // namespace sibyl::engine
