// SPDX-License-Identifier: Apache-2.0
// What an expansion has come to: planned against delivered, part by part, and
// what to do next.
#pragma once

#include <vector>

#include "engine/outcome.h"
#include "expansion/expansion.h"
#include "library/library.h"
#include "runner/runner.h"

namespace sibyl::engine {

/// All of it, with what the web and the model were asked.
Outcome ReportOfRun(const expansion::ExpansionResult& result);

/// An earlier run's publication, which had not been finished.
Outcome ReportOfPublished(const expansion::PlannedWork& work, const library::Published& published);

/// What is known of a part before it is run: number, title, file, lines, state.
Json PlannedAsJson(const expansion::PlannedWork& work, const expansion::ChosenPart& chosen);

}  // namespace sibyl::engine
