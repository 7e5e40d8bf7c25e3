// SPDX-License-Identifier: Apache-2.0
// A plan as JSON: the members that docs/formats/plan.md names.
#pragma once

#include "base/json.h"
#include "plan/plan.h"

namespace sibyl::engine {

/// Missing values are null, repeatable ones arrays. The members named `lines`
/// give the line of each value, in the same order.
Json PlanAsJson(const plan::Plan& plan);

}  // namespace sibyl::engine
