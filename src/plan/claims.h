// SPDX-License-Identifier: Apache-2.0
// The claims of a plan about itself as a whole, so that they can be checked.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace sibyl::plan {

enum class ClaimPlace { kTitle, kBody };

/// "4 knowledge files (~1,600 lines total)", "Runners: 6", "All 4 PARTs must".
std::vector<Claim> FindClaims(std::string_view content, std::size_t line, ClaimPlace place);

/// "PART 1: ~700 lines" in a list of expected sizes.
std::optional<PartBudgetClaim> FindPartBudgetClaim(std::string_view content, std::size_t line);

}  // namespace sibyl::plan
