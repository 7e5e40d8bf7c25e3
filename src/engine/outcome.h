// SPDX-License-Identifier: Apache-2.0
// The result of an operation. A front end turns it into text, JSON or SARIF; an
// operation never prints.
#pragma once

#include <vector>

#include "base/finding.h"
#include "base/json.h"

namespace sibyl::engine {

struct Outcome {
  /// An object; its members are at the top level of the JSON answer, so none
  /// may be named version, operation, holds, findings or error.
  Json data = Json::object();
  std::vector<Finding> findings;
  /// False if the operation ran but a check failed: exit code 1.
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
