// SPDX-License-Identifier: Apache-2.0
// What a part of a plan was to cover, and what it does, point by point.
#pragma once

#include <string_view>

#include "base/json.h"
#include "draft/draft.h"
#include "plan/plan.h"

namespace sibyl::engine {

/// An array of sections, each with its title and points; a point has a state:
/// "covered" (with "where" and, for a heading of the page, its "anchor"), "open"
/// (with the "nearest" passage) or "planned".
Json PointsDelivered(const draft::Draft& draft);
Json PointsPlanned(const plan::Part& part);

/// The part that writes the file; null if there is none.
const plan::Part* PartOf(const plan::Plan& plan, std::string_view target);

}  // namespace sibyl::engine
