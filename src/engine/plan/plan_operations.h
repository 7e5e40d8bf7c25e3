// SPDX-License-Identifier: Apache-2.0
// The rows of the plan operations; each is defined beside its run function.
#pragma once

#include "engine/operation.h"

namespace sibyl::engine {

extern const Operation kPlanShow;
extern const Operation kPlanCheck;
extern const Operation kPlanNew;
extern const Operation kPlanSources;

}  // namespace sibyl::engine
