// SPDX-License-Identifier: Apache-2.0
// `expand --dry-run`: which parts would run, their queries and sources, what
// the oracle already covers, and the estimated cost.
#pragma once

#include "base/result.h"
#include "engine/outcome.h"
#include "expansion/planned_work.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// Describes what Expand would do. Writes nothing but indexes.
Result<Outcome> PreviewExpansion(const oracle::Context& context,
                                 const expansion::ExpandRequest& request);

}  // namespace sibyl::engine
