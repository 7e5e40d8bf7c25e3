// SPDX-License-Identifier: Apache-2.0
// What a page of an agent lacks before it can be delivered, which the gate cannot
// see: sections that were not drafted, a page that covers no point.
#pragma once

#include <vector>

#include "base/finding.h"
#include "draft/draft.h"
#include "expansion/agent_work.h"

namespace sibyl::engine {

std::vector<Finding> MissingOfPage(expansion::HeldPart& held, const draft::Draft& draft);

}  // namespace sibyl::engine
