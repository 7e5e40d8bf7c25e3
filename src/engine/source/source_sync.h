// SPDX-License-Identifier: Apache-2.0
// Updating pins: for `source sync`, and for `refresh --fetch` before it checks.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/outcome.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// Updates the named sources, or all if none is named. One that cannot be
/// reached is a finding and does not affect the others; an unknown name is an
/// error.
Result<Outcome> SyncSources(const oracle::Context& context, const std::vector<std::string>& names);

}  // namespace sibyl::engine
