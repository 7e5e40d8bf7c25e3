// SPDX-License-Identifier: Apache-2.0
// The codes of the gate's findings, and what each means.
#pragma once

#include <vector>

#include "base/finding.h"

namespace sibyl::gate {

std::vector<Rule> GateRules();

}  // namespace sibyl::gate
