// SPDX-License-Identifier: Apache-2.0
// A part of a plan as a tree: `sibyl plan show --verbose`.
#pragma once

#include <string>

#include "base/json.h"
#include "engine/text/render.h"

namespace sibyl::engine {

/// `part` is an element of parts[] in the JSON of a plan.
std::string RenderPartTree(const Json& part, const RenderOptions& options);

/// Empty when there are none.
std::string RenderCriteria(const Json& criteria, const RenderOptions& options);

}  // namespace sibyl::engine
