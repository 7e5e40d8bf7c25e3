// SPDX-License-Identifier: Apache-2.0
// The codes of findings of this room, and what each means.
#pragma once

#include <vector>

#include "base/finding.h"

namespace sibyl::inspect {

/// The codes that apply to every file, then those of each inspector in the order of the table.
std::vector<Rule> FindingRules();

}  // namespace sibyl::inspect
