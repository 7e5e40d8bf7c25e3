// SPDX-License-Identifier: Apache-2.0
// What an operation gives back. A face turns it into text, JSON or SARIF; an
// operation never prints.
#pragma once

#include <vector>

#include "base/finding.h"
#include "base/json.h"

namespace sibyl::engine {

struct Outcome {
  /// An object; its members stand at the top level of the JSON answer, so none
  /// may be called version, operation, holds, findings or error.
  Json data = Json::object();
  std::vector<Finding> findings;
  /// False when the work was done and something does not hold: exit code 1.
  bool holds = true;
};

struct FindingCounts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
};

inline FindingCounts CountFindings(const std::vector<Finding>& findings) {
  FindingCounts counts;
  for (const Finding& finding : findings) {
    switch (finding.severity) {
      case Severity::kError:
        ++counts.errors;
        break;
      case Severity::kWarning:
        ++counts.warnings;
        break;
      case Severity::kNote:
        ++counts.notes;
        break;
    }
  }
  return counts;
}

}  // namespace sibyl::engine
