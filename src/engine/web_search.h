// SPDX-License-Identifier: Apache-2.0
// `sibyl search --web`: results of the providers, with the authority of each
// page; with --fetch the pages are pinned too.
#pragma once

#include "base/result.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// Needs no oracle, except to fetch. kUsage when no provider is set up.
Result<Outcome> SearchWeb(const oracle::Context& context, const Arguments& arguments);

}  // namespace sibyl::engine
