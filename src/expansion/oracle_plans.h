// SPDX-License-Identifier: Apache-2.0
// The plans in an oracle's _ingest-auto/, open and completed, and which of them
// writes a page.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/root.h"
#include "plan/plan.h"

namespace sibyl::expansion {

struct OraclePlan {
  std::string path;  ///< In the oracle.
  std::string text;
  plan::Plan plan;
  bool is_completed = false;
};

/// Sorted by path. What cannot be read, or has no part, is skipped.
std::vector<OraclePlan> ReadPlans(const Root& oracle);

/// The pages that plans in _ingest-auto/ are to write and that are not there
/// yet: a page may link to them while it is being written.
std::set<std::string, std::less<>> PlannedPages(const Root& oracle);

}  // namespace sibyl::expansion
