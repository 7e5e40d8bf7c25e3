// SPDX-License-Identifier: Apache-2.0
// The codes that findings of this room carry, and what each means.
#pragma once

#include <span>
#include <string_view>

namespace sibyl::inspect {

struct FindingRule {
  std::string_view code;
  std::string_view meaning;  ///< One sentence for people and for SARIF.
};

std::span<const FindingRule> FindingRules();

}  // namespace sibyl::inspect
