// SPDX-License-Identifier: Apache-2.0
// The rows of expand, worker, launch, status and ask.
#pragma once

#include "engine/operation.h"

namespace sibyl::engine {

extern const Operation kExpand;
extern const Operation kWorker;
extern const Operation kLaunch;
extern const Operation kStatus;
extern const Operation kAsk;

}  // namespace sibyl::engine
