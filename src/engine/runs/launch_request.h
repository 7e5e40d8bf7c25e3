// SPDX-License-Identifier: Apache-2.0
// The arguments of 'sibyl launch' as a request.
#pragma once

#include "base/result.h"
#include "engine/arguments.h"
#include "launch/launch.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// kUsage for what cannot be launched.
Result<launch::Request> ReadLaunchRequest(const oracle::Context& context,
                                          const Arguments& arguments);

}  // namespace sibyl::engine
