// SPDX-License-Identifier: Apache-2.0
// The codes that findings of this room carry, and what each means.
#pragma once

#include <string_view>
#include <vector>

namespace sibyl::inspect {

struct FindingRule {
  std::string_view code;
  std::string_view meaning;  ///< One sentence for people and for SARIF.
};

/// Those of every file, then those of each inspector in the order of the table.
std::vector<FindingRule> FindingRules();

}  // namespace sibyl::inspect
