// SPDX-License-Identifier: Apache-2.0
// Moving pins: what `source sync` does, and `refresh --fetch` before it looks.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/outcome.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// Of the named sources, or of all when none is named. One that cannot be reached is
/// a finding and keeps none of the others where they are.
Result<Outcome> SyncSources(const oracle::Context& context, std::vector<std::string> names);

}  // namespace sibyl::engine
