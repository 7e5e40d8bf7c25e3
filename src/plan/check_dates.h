// SPDX-License-Identifier: Apache-2.0
// Dates in a plan: are they valid, in order, and in the same format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace sibyl::plan {

struct DateProblem {
  std::string_view code;
  std::string message;
  std::size_t line = 0;
};

std::vector<DateProblem> FindDateProblems(const Plan& plan);

}  // namespace sibyl::plan
