// SPDX-License-Identifier: Apache-2.0
// `sibyl search --web`: what providers name, with who speaks there; with --fetch
// also the pages themselves, pinned.
#pragma once

#include "base/result.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// Needs no oracle, except to fetch. kUsage when no provider is set up.
Result<Outcome> SearchWeb(const oracle::Context& context, const Arguments& arguments);

}  // namespace sibyl::engine
