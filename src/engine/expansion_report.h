// SPDX-License-Identifier: Apache-2.0
// What an expansion has come to: planned against delivered, part by part, and
// what to do next.
#pragma once

#include <vector>

#include "engine/expansion_world.h"
#include "engine/outcome.h"
#include "library/library.h"
#include "runner/runner.h"

namespace sibyl::engine {

/// `jobs` are the outcomes of the parts that were run, in their order.
Outcome ReportOfRun(const PlannedWork& work, const std::vector<runner::JobOutcome>& jobs,
                    const library::Published& published);

/// An earlier run's publication, which had not been finished.
Outcome ReportOfPublished(const PlannedWork& work, const library::Published& published);

/// No part of the plan is to be run.
Outcome ReportOfNothing(const PlannedWork& work);

/// What is known of a part before it is run: number, title, file, lines, state.
Json PlannedAsJson(const PlannedWork& work, const ChosenPart& chosen);

}  // namespace sibyl::engine
