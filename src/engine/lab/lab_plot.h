// SPDX-License-Identifier: Apache-2.0
// Draws a kept run for a page that shows it beside another one.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// As SVG, with the scale of both for what both measured. Ids of kept runs, or how they begin.
Result<std::string> PlotBeside(const oracle::Context& context, std::string_view run,
                               std::string_view beside);

}  // namespace sibyl::engine
