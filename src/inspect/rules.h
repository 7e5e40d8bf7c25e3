// SPDX-License-Identifier: Apache-2.0
// The codes that findings of this room carry, and what each means.
#pragma once

#include <vector>

#include "base/finding.h"

namespace sibyl::inspect {

/// Those of every file, then those of each inspector in the order of the table.
std::vector<Rule> FindingRules();

}  // namespace sibyl::inspect
