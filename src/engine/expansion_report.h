// SPDX-License-Identifier: Apache-2.0
// The result of an expansion: planned and delivered, part by part, and what to
// do next.
#pragma once

#include <vector>

#include "engine/outcome.h"
#include "expansion/expansion.h"
#include "library/library.h"
#include "runner/runner.h"

namespace sibyl::engine {

/// The whole report, with web and model usage. `command` is what repeats it.
Outcome ReportOfRun(const expansion::ExpansionResult& result,
                    const expansion::ExpandCommand& command = {});

/// An earlier run's publication, which had not been finished.
Outcome ReportOfPublished(const expansion::PlannedWork& work, const library::Published& published);

/// The data about a part before it is run: number, title, file, lines, state.
Json PlannedAsJson(const expansion::PlannedWork& work, const expansion::ChosenPart& chosen);

}  // namespace sibyl::engine
