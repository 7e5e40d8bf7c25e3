// SPDX-License-Identifier: Apache-2.0
// What is wrong with a plan before it is run: sums that do not add up, numbers
// that are taken, parts that cannot be run. docs/formats/plan.md lists every
// code.
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

/// What Check can report.
std::span<const Rule> CheckRules();

struct CheckOptions {
  /// The oracle the plan is for; without it nothing is said about its files.
  const OracleFiles* oracle = nullptr;
  /// Names and origins of pinned sources, lower case ("nvidia/cutlass"); without
  /// it nothing is said about repositories.
  const std::unordered_set<std::string>* pinned = nullptr;
};

/// Everything the reader and the checks have to say, in the order of lines.
/// `text` is what `loaded` was read from. Linear, but for sorting findings.
std::vector<Finding> Check(const LoadedPlan& loaded, std::string_view name, std::string_view text,
                           const CheckOptions& options = {});

}  // namespace sibyl::plan
