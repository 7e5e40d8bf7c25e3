// SPDX-License-Identifier: Apache-2.0
// Checks a plan before it is run: sums that do not add up, numbers in use,
// parts that cannot be run. docs/formats/plan.md lists every code.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/finding.h"
#include "plan/oracle_files.h"
#include "plan/plan.h"

namespace sibyl::plan {

/// The codes that Check can report.
std::span<const Rule> CheckRules();

struct CheckOptions {
  /// The oracle the plan is for; without it, files are not checked.
  const OracleFiles* oracle = nullptr;
  /// Names and origins of pinned sources, lower case ("nvidia/cutlass");
  /// without it, repositories are not checked.
  const std::unordered_set<std::string>* pinned = nullptr;
};

/// All findings of the parser and the checks, ordered by line. `text` is the
/// source of `loaded`. Linear, except for sorting findings.
std::vector<Finding> Check(const LoadedPlan& loaded, std::string_view name, std::string_view text,
                           const CheckOptions& options = {});

}  // namespace sibyl::plan
