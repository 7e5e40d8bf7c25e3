// SPDX-License-Identifier: Apache-2.0
// Stops a run that another process of this machine works on, for front ends.
#pragma once

#include <string_view>

#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// As Ctrl-C in its terminal: the run can be resumed. kNotFound if no process of
/// this machine works on the plan.
Status StopRun(const oracle::Context& context, std::string_view plan);

}  // namespace sibyl::engine
